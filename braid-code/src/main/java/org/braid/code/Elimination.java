package org.braid.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gaussian elimination that expresses wanted sub-blocks as combinations of available ones.
 * Available sub-blocks join a basis in the given order.
 *
 * <p>Most sources of a systematic code are data sub-blocks: a <em>plain</em> source covers one
 * column of the generator, which then needs no elimination. Its coefficient is the remainder after
 * all other sources. Columns are sorted: first those that no plain source covers, then the covered
 * ones in reverse order of their sources. The pivots of the other sources therefore fall on lost
 * columns where possible, and the covered columns form a tail that no sum visits. The work depends
 * on the number of lost blocks, not on the length of the stripe.
 */
final class Elimination {
  /** No column. */
  private static final int NONE = -1;

  private final ErasureCode code;
  private final Matrix generator;
  private final int width;
  private final List<SubBlock> wanted;
  private final List<SubBlock> available;

  /** The column that each available sub-block covers, or {@link #NONE} if it is not plain. */
  private final int[] plainColumn;

  /** The place of each column in the vectors. */
  private final int[] placeOf;

  private final int[] columnAt;

  /** Number of places that vectors still hold; all places after them are known. */
  private int active;

  private final boolean[] known;

  /** The vector whose first non-zero value is at a place. */
  private final @Nullable Vector[] pivots;

  private final List<Vector> basis = new ArrayList<>();
  private final List<Vector> unknowns = new ArrayList<>();

  /** Generator rows of the sources that joined the basis as vectors, in that order. */
  private final List<Integer> joinedRows = new ArrayList<>();

  private final int maxJoined;

  /** A source in the basis: a plain source with its column, or another with its vector. */
  private record Chosen(SubBlock source, int column, int vector) {}

  private final List<Chosen> chosen = new ArrayList<>();

  /**
   * A sum of generator rows.
   *
   * @param values its values by place, without known places
   * @param factors its factors of the joined sources, without plain sources
   */
  private record Vector(byte[] values, byte[] factors) {}

  Elimination(ErasureCode code, List<SubBlock> wanted, List<SubBlock> available) {
    this.code = code;
    this.generator = code.generator();
    this.width = code.k() * code.alpha();
    this.wanted = wanted;
    this.available = available;
    this.plainColumn =
        available.stream().mapToInt(s -> plainColumn(generator, code.row(s))).toArray();
    this.columnAt = sortedColumns(width, plainColumn);
    this.placeOf = new int[width];
    for (int place = 0; place < width; place++) {
      placeOf[columnAt[place]] = place;
    }
    this.active = width;
    this.known = new boolean[width];
    this.pivots = new @Nullable Vector[width];
    this.maxJoined =
        (int) Math.min(width, Arrays.stream(plainColumn).filter(c -> c == NONE).count());
  }

  private static int plainColumn(Matrix generator, int row) {
    int found = NONE;
    for (int c = 0; c < generator.columns(); c++) {
      if (generator.at(row, c) != 0) {
        if (found != NONE) {
          return NONE;
        }
        found = c;
      }
    }
    return found;
  }

  private static int[] sortedColumns(int width, int[] plainColumn) {
    int[] columns = new int[width];
    boolean[] covered = new boolean[width];
    int last = width;
    for (int c : plainColumn) {
      if (c != NONE && !covered[c]) {
        covered[c] = true;
        columns[--last] = c;
      }
    }
    int first = 0;
    for (int c = 0; c < width; c++) {
      if (!covered[c]) {
        columns[first++] = c;
      }
    }
    return columns;
  }

  /** One equation for each wanted sub-block; empty when one of them is not determined. */
  Optional<List<Equation>> equations() {
    for (SubBlock target : wanted) {
      unknowns.add(vector(code.row(target)));
    }
    for (int i = 0; i < available.size(); i++) {
      if (plainColumn[i] != NONE) {
        cover(available.get(i), plainColumn[i]);
      } else if (allZero()) {
        break;
      } else {
        join(available.get(i));
      }
    }
    if (!allZero()) {
      return Optional.empty();
    }
    List<Equation> equations = new ArrayList<>(wanted.size());
    for (int i = 0; i < wanted.size(); i++) {
      equations.add(new Equation(wanted.get(i), terms(wanted.get(i), unknowns.get(i).factors())));
    }
    return Optional.of(List.copyOf(equations));
  }

  private Vector vector(int row) {
    byte[] values = new byte[active];
    for (int place = 0; place < active; place++) {
      values[place] = known[place] ? 0 : (byte) generator.at(row, columnAt[place]);
    }
    return new Vector(values, new byte[maxJoined]);
  }

  private boolean allZero() {
    for (Vector unknown : unknowns) {
      for (int place = 0; place < active; place++) {
        if (unknown.values()[place] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Adds a plain source to the basis. If its column has a pivot, all other columns of that vector
   * are covered already, so the source depends on the basis.
   */
  private void cover(SubBlock source, int column) {
    int place = placeOf[column];
    if (known[place] || pivots[place] != null) {
      return;
    }
    chosen.add(new Chosen(source, column, NONE));
    known[place] = true;
    for (Vector vector : basis) {
      forget(vector, place);
    }
    for (Vector vector : unknowns) {
      forget(vector, place);
    }
    while (active > 0 && known[active - 1]) {
      active--;
    }
  }

  private static void forget(Vector vector, int place) {
    if (place < vector.values().length) {
      vector.values()[place] = 0;
    }
  }

  /** Adds a source that is not plain to the basis, unless it depends on the basis. */
  private void join(SubBlock source) {
    Vector vector = vector(code.row(source));
    int lead = NONE;
    for (int place = 0; place < active; place++) {
      int value = vector.values()[place] & 0xff;
      Vector pivot = pivots[place];
      if (value != 0 && pivot != null) {
        add(value, pivot, place, vector);
      } else if (value != 0 && lead == NONE) {
        lead = place;
      }
    }
    if (lead == NONE) {
      return;
    }
    vector.factors()[joinedRows.size()] = 1;
    chosen.add(new Chosen(source, NONE, joinedRows.size()));
    joinedRows.add(code.row(source));
    int scale = Gf256.inverse(vector.values()[lead] & 0xff);
    Gf256.scale(scale, vector.values(), active);
    Gf256.scale(scale, vector.factors(), joinedRows.size());
    pivots[lead] = vector;
    basis.add(vector);
    // The vector is zero at all other pivots, so they stay cleared.
    for (Vector unknown : unknowns) {
      add(unknown.values()[lead] & 0xff, vector, lead, unknown);
    }
  }

  private void add(int factor, Vector source, int from, Vector target) {
    Gf256.multiplyAdd(factor, source.values(), from, target.values(), from, active - from);
    Gf256.multiplyAdd(factor, source.factors(), 0, target.factors(), 0, joinedRows.size());
  }

  private List<Term> terms(SubBlock target, byte[] factors) {
    byte[] rest = new byte[width];
    generator.copyRow(code.row(target), 0, rest, 0, width);
    for (int v = 0; v < joinedRows.size(); v++) {
      generator.addRow(joinedRows.get(v), factors[v] & 0xff, rest);
    }
    List<Term> terms = new ArrayList<>();
    for (Chosen c : chosen) {
      int coefficient =
          c.column() == NONE
              ? factors[c.vector()] & 0xff
              : Gf256.divide(
                  rest[c.column()] & 0xff, generator.at(code.row(c.source()), c.column()));
      if (coefficient != 0) {
        terms.add(new Term(c.source(), coefficient));
      }
    }
    return terms;
  }
}
