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
 * All repair equations of some lost blocks at once. Immutable.
 *
 * <p>A row is a parity check: n*alpha coefficients, one a sub-block, whose combination of any
 * stripe is zero. Each target row has a 1 at one lost sub-block and nothing at the other lost ones:
 * it is that sub-block's equation. The free rows have nothing at lost sub-blocks; adding them to
 * targets gives all other equations. To do without a sub-block, one free row clears it from all
 * rows and is gone. So choosing what not to read is a walk, and each end of it is a repair.
 */
final class RepairSystem {
  /** A row's own cost, in byte operations. */
  static final int ROW = 64;

  private final List<byte[]> targets;
  private final List<byte[]> free;

  private RepairSystem(List<byte[]> targets, List<byte[]> free) {
    this.targets = targets;
    this.free = free;
  }

  /**
   * The system of lost blocks over those alive.
   *
   * @throws NotRepairableException when these do not determine the lost ones
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

  /** How many lost sub-blocks are missing still when all of those alive are known. */
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

  /** With the generator (I over P) these are the rows of (P I). */
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

  /** What doing without one sub-block takes, in byte operations. */
  long work() {
    return (long) (targets.size() + free.size()) * (targets.get(0).length + ROW);
  }

  /** Whether the present equations read a sub-block. */
  boolean reads(int column) {
    for (byte[] target : targets) {
      if (target[column] != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether there is a choice about any of these sub-blocks. */
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
   * The equations that read none of these sub-blocks, about which there is no choice; empty when
   * they are needed.
   */
  Optional<RepairSystem> withoutClosed(int[] columns) {
    boolean zero = Arrays.stream(columns).noneMatch(this::reads);
    return zero ? Optional.of(this) : Optional.empty();
  }

  /** The same of sub-blocks about one of which there is a choice. */
  Optional<RepairSystem> withoutOpen(int[] columns) {
    // Rows that stay as they are belong to both systems.
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
   * Clears a column with a row, which is taken out and returned; empty when it is clear already.
   *
   * @param own rows that may be changed; others are copied before
   */
  private static Optional<Pivot> take(List<byte[]> rows, int column, Set<byte[]> own) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i)[column] != 0) {
        byte[] row = owned(rows, i, own);
        rows.remove(i);
        Pivot pivot = Pivot.of(row, column);
        // Those before have nothing there.
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

  /** The present equations, one for each lost sub-block. */
  List<Equation> equations(List<Integer> lost, int alpha) {
    List<Equation> equations = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      byte[] row = targets.get(i);
      List<Term> terms = new ArrayList<>();
      for (int c = 0; c < row.length; c++) {
        // Only lost sub-blocks that are targets have a column of their own.
        if (row[c] != 0 && !lost.contains(c / alpha)) {
          terms.add(new Term(new SubBlock(c / alpha, c % alpha), row[c] & 0xff));
        }
      }
      equations.add(new Equation(new SubBlock(lost.get(i / alpha), i % alpha), terms));
    }
    return List.copyOf(equations);
  }
}
