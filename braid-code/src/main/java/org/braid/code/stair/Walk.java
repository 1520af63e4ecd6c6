package org.braid.code.stair;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.braid.code.Matrix;

/**
 * A walk over the canonical stripe that turns unknown cells into known ones, a whole row or column
 * at a time, and records the steps. Encoding is the walk from the data to all parities, decoding
 * the walk from what is left of a stripe to what is lost (section III-C).
 *
 * <p>Cells are numbered row by row. A walk computes more than is needed; {@link Lean} drops that.
 */
final class Walk {
  /** How a walk goes on where neither a row nor a rack can be completed from real cells alone. */
  enum Route {
    /**
     * From the bottom up and from left to right: virtual rows by the row code, then the racks that
     * they complete by the column code. Gets through for every loss within the coverage.
     */
    UPSTAIRS,

    /**
     * From the top down and from right to left: virtual columns by the column code, then the rows
     * that they complete by the row code. Gets through when the losses form a stair, as the
     * parities do: enough whole rows to begin with.
     */
    DOWNSTAIRS
  }

  /** Which code makes a cell that both could make; neither is always the cheaper. */
  enum Preference {
    ROWS,
    COLUMNS
  }

  private enum State {
    UNKNOWN,
    KNOWN,
    ZERO
  }

  private final Layout layout;
  private final int realRows;
  private final int realColumns;

  /** The cells of each row, and of each column. */
  private final int[][] rows;

  private final int[][] columns;
  private final State[] states;
  private final List<Step> steps = new ArrayList<>();

  private Walk(Layout layout, Collection<Integer> lost) {
    this.layout = layout;
    this.realRows = layout.settings().r();
    this.realColumns = layout.settings().n();
    this.rows = new int[layout.rows()][layout.columns()];
    this.columns = new int[layout.columns()][layout.rows()];
    this.states = new State[layout.rows() * layout.columns()];
    for (int row = 0; row < layout.rows(); row++) {
      for (int column = 0; column < layout.columns(); column++) {
        boolean kept = layout.isReal(row, column) && !lost.contains(layout.block(row, column));
        int cell = row * layout.columns() + column;
        rows[row][column] = cell;
        columns[column][row] = cell;
        states[cell] = layout.isZero(row, column) ? State.ZERO : kept ? State.KNOWN : State.UNKNOWN;
      }
    }
  }

  /**
   * Walks until no block is lost.
   *
   * @param lost positions of the lost blocks
   * @return the steps in order, empty when the walk gets stuck
   */
  static Optional<List<Step>> along(
      Route route, Layout layout, Collection<Integer> lost, Preference preference) {
    Walk walk = new Walk(layout, lost);
    while (walk.repairRack()) {
      // Every rack that can repairs itself, whatever the preference.
    }
    while (walk.anyLost()) {
      boolean goesOn =
          preference == Preference.ROWS
              ? walk.repairRow() || walk.repairRack()
              : walk.repairRack() || walk.repairRow();
      if (!goesOn && !(route == Route.UPSTAIRS ? walk.climb() : walk.descend())) {
        return Optional.empty();
      }
    }
    return Optional.of(walk.steps);
  }

  private boolean repairRack() {
    int l = layout.settings().l();
    return makeFirst(realColumns, c -> lostInRack(c) > 0 && lostInRack(c) <= l, this::makeColumn);
  }

  private boolean repairRow() {
    return makeFirst(
        realRows, i -> lostInRow(i) > 0 && determined(rows[i], layout.rowCode()), this::makeRow);
  }

  private static boolean makeFirst(int lines, IntPredicate can, IntConsumer make) {
    int line = 0;
    while (line < lines && !can.test(line)) {
      line++;
    }
    if (line == lines) {
      return false;
    }
    make.accept(line);
    return true;
  }

  /** Completes the rack with the fewest losses by way of the lowest virtual rows. */
  private boolean climb() {
    int rack = -1;
    for (int c = 0; c < realColumns; c++) {
      int lost = lostInRack(c);
      if (lost == 0) {
        makeColumn(c);
      } else if (rack < 0 || lost < lostInRack(rack)) {
        rack = c;
      }
    }
    int wanted = lostInRack(rack) - layout.settings().l();
    if (wanted > layout.rows() - realRows) {
      return false;
    }
    for (int row = layout.rows() - 1; row >= layout.rows() - wanted; row--) {
      if (!determined(rows[row], layout.rowCode())) {
        return false;
      }
      makeRow(row);
    }
    makeColumn(rack);
    return true;
  }

  /** Completes the rightmost virtual column that the whole rows and its zero cells determine. */
  private boolean descend() {
    for (int row = 0; row < realRows; row++) {
      if (lostInRow(row) == 0) {
        makeRow(row);
      }
    }
    for (int column = layout.columns() - 1; column >= realColumns; column--) {
      int[] cells = columns[column];
      if (unknown(cells, cells.length) > 0 && determined(cells, layout.columnCode())) {
        makeColumn(column);
        return true;
      }
    }
    return false;
  }

  private void makeRow(int row) {
    make(rows[row], layout.rowCode());
  }

  private void makeColumn(int column) {
    make(columns[column], layout.columnCode());
  }

  /** Makes all unknown cells of a codeword from its zero cells and its first known ones. */
  private void make(int[] cells, Mds code) {
    int[] targets = positions(cells, State.UNKNOWN).toArray();
    if (targets.length == 0) {
      return;
    }
    int[] sources =
        IntStream.concat(positions(cells, State.ZERO), positions(cells, State.KNOWN))
            .limit(code.dimension())
            .toArray();
    Matrix combination = code.combination(targets, sources);
    for (int t = 0; t < targets.length; t++) {
      TreeMap<Integer, Integer> terms = new TreeMap<>();
      for (int s = 0; s < sources.length; s++) {
        if (states[cells[sources[s]]] == State.KNOWN) {
          terms.put(cells[sources[s]], combination.at(t, s));
        }
      }
      int target = cells[targets[t]];
      states[target] = terms.isEmpty() ? State.ZERO : State.KNOWN;
      if (!terms.isEmpty()) {
        steps.add(new Step(target, terms));
      }
    }
  }

  private IntStream positions(int[] cells, State state) {
    return IntStream.range(0, cells.length).filter(i -> states[cells[i]] == state);
  }

  /** Whether the cells of a codeword that are not unknown determine all. */
  private boolean determined(int[] cells, Mds code) {
    return cells.length - unknown(cells, cells.length) >= code.dimension();
  }

  private int lostInRow(int row) {
    return unknown(rows[row], realColumns);
  }

  private int lostInRack(int rack) {
    return unknown(columns[rack], realRows);
  }

  private boolean anyLost() {
    return IntStream.range(0, realRows).anyMatch(i -> lostInRow(i) > 0);
  }

  /** Unknown cells among the first ones. */
  private int unknown(int[] cells, int count) {
    int unknown = 0;
    for (int i = 0; i < count; i++) {
      unknown += states[cells[i]] == State.UNKNOWN ? 1 : 0;
    }
    return unknown;
  }
}
