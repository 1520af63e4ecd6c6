package org.braid.code.clay;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.code.Gf256;
import org.braid.code.Matrix;
import org.braid.code.Schedule;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;
import org.jspecify.annotations.Nullable;

/**
 * Encodes plane by plane: uncouple the data, code each plane, couple the parities. It is the
 * decoding of the parities as m lost nodes (Clay codes, section 3): planes are taken in the order
 * of how many parities stand alone in them, so that a data node's partner, when it is a parity, was
 * coded in a plane before.
 */
final class CoupledLayers {
  /** The coupling coefficient. */
  static final int COUPLING = 2;

  /** det [[1, g], [g, 1]] = 1 + g^2. */
  private static final int DETERMINANT = 1 ^ Gf256.multiply(COUPLING, COUPLING);

  private static final int UNCOUPLING = Gf256.inverse(DETERMINANT);

  /** A value that is a multiple of one sub-block, stored or scratch. */
  private record Scaled(SubBlock source, int factor) {
    Term times(int other) {
      return new Term(source, Gf256.multiply(factor, other));
    }
  }

  private final ClaySettings settings;
  private final Grid grid;
  private final Matrix planeCode;
  private final List<Equation> steps = new ArrayList<>();

  /** U of each node in each plane; null for zero. */
  private final @Nullable Scaled[][] uncoupled;

  private CoupledLayers(ClaySettings settings) {
    this.settings = settings;
    this.grid = new Grid(settings);
    this.planeCode =
        new ReedSolomon(new RsSettings(settings.k() + settings.virtual(), settings.m()))
            .generator();
    this.uncoupled = new @Nullable Scaled[settings.nodes()][settings.alpha()];
  }

  /** The steps; scratch block n + i holds U of node i. */
  static Schedule schedule(ClaySettings settings) {
    CoupledLayers layers = new CoupledLayers(settings);
    for (int score = 0; score <= settings.t(); score++) {
      for (int plane = 0; plane < settings.alpha(); plane++) {
        if (layers.grid.score(plane) == score) {
          layers.code(plane);
        }
      }
    }
    for (int plane = 0; plane < settings.alpha(); plane++) {
      layers.couple(plane);
    }
    return new Schedule("coupled layers", layers.steps);
  }

  private IntStream parities() {
    return IntStream.range(settings.k() + settings.virtual(), settings.nodes());
  }

  private void code(int plane) {
    List<Scaled> coded = new ArrayList<>();
    List<Integer> columns = new ArrayList<>();
    for (int node = 0; !grid.isParity(node); node++) {
      Scaled value = uncouple(node, plane);
      uncoupled[node][plane] = value;
      if (value != null) {
        coded.add(value);
        columns.add(node);
      }
    }
    parities()
        .forEach(
            parity -> {
              List<Term> terms = new ArrayList<>();
              for (int i = 0; i < coded.size(); i++) {
                terms.add(coded.get(i).times(planeCode.at(parity, columns.get(i))));
              }
              // A parity that stands alone is stored as it is coded.
              SubBlock target =
                  grid.isAlone(parity, plane) ? stored(parity, plane) : scratch(parity, plane);
              uncoupled[parity][plane] = make(target, terms);
            });
  }

  private @Nullable Scaled uncouple(int node, int plane) {
    Scaled own = coupled(node, plane);
    if (grid.isAlone(node, plane)) {
      return own;
    }
    int partner = grid.partner(node, plane);
    int partnerPlane = grid.partnerPlane(node, plane);
    List<Term> terms = new ArrayList<>();
    if (grid.isParity(partner)) {
      // C = U + g U' with U' of a plane coded before
      add(terms, own, 1);
      add(terms, uncoupled[partner][partnerPlane], COUPLING);
    } else {
      add(terms, own, UNCOUPLING);
      add(terms, coupled(partner, partnerPlane), Gf256.multiply(COUPLING, UNCOUPLING));
    }
    return make(scratch(node, plane), terms);
  }

  /** Makes the stored value of every parity that has a partner. */
  private void couple(int plane) {
    parities()
        .filter(parity -> !grid.isAlone(parity, plane))
        .forEach(
            parity -> {
              int partner = grid.partner(parity, plane);
              int partnerPlane = grid.partnerPlane(parity, plane);
              List<Term> terms = new ArrayList<>();
              if (grid.isParity(partner)) {
                add(terms, uncoupled[parity][plane], 1);
                add(terms, uncoupled[partner][partnerPlane], COUPLING);
              } else {
                // The partner's C' = U' + g U is data: C = U + g U' = (1 + g^2) U + g C'.
                add(terms, uncoupled[parity][plane], DETERMINANT);
                add(terms, coupled(partner, partnerPlane), COUPLING);
              }
              steps.add(new Equation(stored(parity, plane), terms));
            });
  }

  /** C of a data or virtual node. */
  private @Nullable Scaled coupled(int node, int plane) {
    return grid.isVirtual(node) ? null : new Scaled(stored(node, plane), 1);
  }

  private SubBlock stored(int node, int plane) {
    return new SubBlock(grid.block(node), plane);
  }

  private SubBlock scratch(int node, int plane) {
    return new SubBlock(settings.k() + settings.m() + node, plane);
  }

  private static void add(List<Term> terms, @Nullable Scaled value, int factor) {
    if (value != null) {
      terms.add(value.times(factor));
    }
  }

  /** A sum as a value; a step is only needed for two terms and more, and for what is stored. */
  private @Nullable Scaled make(SubBlock target, List<Term> terms) {
    if (terms.isEmpty()) {
      return null;
    }
    if (terms.size() == 1 && target.block() >= settings.k() + settings.m()) {
      return new Scaled(terms.get(0).source(), terms.get(0).coefficient());
    }
    steps.add(new Equation(target, terms));
    return new Scaled(target, 1);
  }
}
