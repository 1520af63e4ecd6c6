package org.braid.code.derive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.code.Term;

/**
 * The set of all repair equations of lost blocks, as a system of parity checks. Immutable.
 *
 * <p>A row is a parity check: n*alpha coefficients, one for each sub-block, whose combination is
 * zero for every stripe. A target row is 1 at one lost sub-block and 0 at all others: it is the
 * equation of that sub-block. Free rows are 0 at all lost sub-blocks; adding them to target rows
 * gives all other equations. To leave out a sub-block, one free row clears it from all rows and is
 * removed. When no free row is left, the target rows are one repair.
 */
final class RepairSystem {
  /** The fixed cost of a row operation, in byte operations. */
  static final int ROW = 64;

  private final List<byte[]> targets;
  private final List<byte[]> free;

  private RepairSystem(List<byte[]> targets, List<byte[]> free) {
    this.targets = targets;
    this.free = free;
  }

  /**
   * The system of lost blocks over blocks alive.
   *
   * @throws NotRepairableException when the blocks alive do not determine the lost ones
   */
  static RepairSystem of(ErasureCode code, List<Integer> lost, List<Integer> alive) {
    RepairSystem system = partial(code, lost, alive);
    int open = lost.size() * code.alpha() - system.targets.size();
    if (open > 0) {
      int blocks = (open + code.alpha() - 1) / code.alpha();
      throw new NotRepairableException(code.name(), lost, alive.size(), blocks);
    }
    return system;
  }

  /** The number of lost sub-blocks that the blocks alive leave undetermined. */
  static int missing(ErasureCode code, List<Integer> lost, List<Integer> alive) {
    return lost.size() * code.alpha() - partial(code, lost, alive).targets.size();
  }

  private static RepairSystem partial(ErasureCode code, List<Integer> lost, List<Integer> alive) {
    int alpha = code.alpha();
    BitSet known = new BitSet();
    alive.forEach(known::set);
    lost.forEach(known::set);
    List<byte[]> rows = checks(code);
    Set<byte[]> own = identities();
    own.addAll(rows);
    for (int block = 0; block < code.n(); block++) {
      for (int c = block * alpha; !known.get(block) && c < (block + 1) * alpha; c++) {
        var unused = take(rows, c, own);
      }
    }
    List<byte[]> targets = new ArrayList<>();
    for (int block : lost) {
      for (int c = block * alpha; c < (block + 1) * alpha; c++) {
        Optional<Pivot> target = take(rows, c, own);
        if (target.isPresent()) {
          targets.forEach(target.get()::clear);
          targets.add(target.get().row());
        }
      }
    }
    return new RepairSystem(targets, rows);
  }

  /** The parity checks: with the generator (I over P) they are the rows of (P I). */
  private static List<byte[]> checks(ErasureCode code) {
    Matrix generator = code.generator();
    int width = code.k() * code.alpha();
    List<byte[]> rows = new ArrayList<>();
    for (int r = width; r < generator.rows(); r++) {
      byte[] row = new byte[generator.rows()];
      for (int c = 0; c < width; c++) {
        row[c] = (byte) generator.at(r, c);
      }
      row[r] = 1;
      rows.add(row);
    }
    return rows;
  }

  /** The work to leave out one sub-block, in byte operations. */
  long work() {
    return (long) (targets.size() + free.size()) * (targets.get(0).length + ROW);
  }

  /** Whether the current equations read a sub-block. */
  boolean reads(int column) {
    for (byte[] target : targets) {
      if (target[column] != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether a free row can still clear one of these sub-blocks. */
  boolean isOpen(int[] columns) {
    for (byte[] row : free) {
      for (int c : columns) {
        if (row[c] != 0) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * The system without these sub-blocks, none of which a free row can clear; empty when an equation
   * reads one.
   */
  Optional<RepairSystem> withoutClosed(int[] columns) {
    boolean zero = Arrays.stream(columns).noneMatch(this::reads);
    return zero ? Optional.of(this) : Optional.empty();
  }

  /** The system without these sub-blocks, at least one of which a free row can clear. */
  Optional<RepairSystem> withoutOpen(int[] columns) {
    // The two systems share unchanged rows.
    Set<byte[]> own = identities();
    List<byte[]> rows = new ArrayList<>(free);
    List<byte[]> changed = new ArrayList<>(targets);
    for (int c : columns) {
      Optional<Pivot> pivot = take(rows, c, own);
      for (int i = 0; i < changed.size(); i++) {
        if (changed.get(i)[c] != 0) {
          if (pivot.isEmpty()) {
            return Optional.empty();
          }
          pivot.get().clear(owned(changed, i, own));
        }
      }
    }
    return Optional.of(new RepairSystem(changed, rows));
  }

  /**
   * Clears a column with one of the rows; removes and returns that row; empty when all are clear.
   *
   * @param own rows that may be changed in place; others are copied first
   */
  private static Optional<Pivot> take(List<byte[]> rows, int column, Set<byte[]> own) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i)[column] != 0) {
        byte[] row = owned(rows, i, own);
        rows.remove(i);
        Pivot pivot = Pivot.of(row, column);
        // The rows before i are zero there.
        for (int j = i; j < rows.size(); j++) {
          if (rows.get(j)[column] != 0) {
            pivot.clear(owned(rows, j, own));
          }
        }
        return Optional.of(pivot);
      }
    }
    return Optional.empty();
  }

  private static Set<byte[]> identities() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  private static byte[] owned(List<byte[]> rows, int index, Set<byte[]> own) {
    byte[] row = rows.get(index);
    if (own.contains(row)) {
      return row;
    }
    byte[] copy = row.clone();
    own.add(copy);
    rows.set(index, copy);
    return copy;
  }

  /** The current equations, one for each lost sub-block. */
  List<Equation> equations(List<Integer> lost, int alpha) {
    List<Equation> equations = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      byte[] row = targets.get(i);
      List<Term> terms = new ArrayList<>();
      for (int c = 0; c < row.length; c++) {
        // A target row is 1 at its own lost sub-block, which is no source.
        if (row[c] != 0 && !lost.contains(c / alpha)) {
          terms.add(new Term(new SubBlock(c / alpha, c % alpha), row[c] & 0xff));
        }
      }
      equations.add(new Equation(new SubBlock(lost.get(i / alpha), i % alpha), terms));
    }
    return List.copyOf(equations);
  }
}
