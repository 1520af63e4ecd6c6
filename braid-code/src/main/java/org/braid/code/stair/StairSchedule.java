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
 * Upstairs and downstairs encoding and decoding (section III-C): computes unknown cells of the
 * canonical stripe, a whole row or column at a time, and records the steps. Encoding computes all
 * parities from the data, decoding the lost blocks from the remaining ones.
 *
 * <p>Cells are numbered row by row. The steps compute more cells than needed; {@link
 * SchedulePruning} removes these.
 */
final class StairSchedule {
  /** How to continue when real cells alone complete neither a row nor a rack. */
  enum Route {
    /**
     * From bottom to top and from left to right: virtual rows by the row code, then the racks that
     * these complete by the column code. Succeeds for every loss within the coverage.
     */
    UPSTAIRS,

    /**
     * From top to bottom and from right to left: virtual columns by the column code, then the rows
     * that these complete by the row code. Succeeds when the losses form a stair, as the parities
     * do: it needs enough whole rows to start.
     */
    DOWNSTAIRS
  }

  /** Which code computes a cell that both could compute; neither is always cheaper. */
  enum Preference {
    ROWS,
    COLUMNS
  }

  private enum State {
    UNKNOWN,
    KNOWN,
    ZERO
  }

  private final CanonicalStripe stripe;
  private final int realRows;
  private final int realColumns;

  /** The cells of each row. */
  private final int[][] rows;

  /** The cells of each column. */
  private final int[][] columns;

  private final State[] states;
  private final List<CellEquation> steps = new ArrayList<>();

  private StairSchedule(CanonicalStripe stripe, Collection<Integer> lost) {
    this.stripe = stripe;
    this.realRows = stripe.settings().r();
    this.realColumns = stripe.settings().n();
    this.rows = new int[stripe.rows()][stripe.columns()];
    this.columns = new int[stripe.columns()][stripe.rows()];
    this.states = new State[stripe.rows() * stripe.columns()];
    for (int row = 0; row < stripe.rows(); row++) {
      for (int column = 0; column < stripe.columns(); column++) {
        boolean kept = stripe.isReal(row, column) && !lost.contains(stripe.block(row, column));
        int cell = row * stripe.columns() + column;
        rows[row][column] = cell;
        columns[column][row] = cell;
        states[cell] = stripe.isZero(row, column) ? State.ZERO : kept ? State.KNOWN : State.UNKNOWN;
      }
    }
  }

  /**
   * Computes steps until no block is lost.
   *
   * @param lost positions of the lost blocks
   * @return the steps in order; empty when the route cannot continue
   */
  static Optional<List<CellEquation>> along(
      Route route, CanonicalStripe stripe, Collection<Integer> lost, Preference preference) {
    StairSchedule schedule = new StairSchedule(stripe, lost);
    while (schedule.repairRack()) {
      // Racks that can repair themselves do so, whatever the preference.
    }
    while (schedule.anyLost()) {
      boolean goesOn =
          preference == Preference.ROWS
              ? schedule.repairRow() || schedule.repairRack()
              : schedule.repairRack() || schedule.repairRow();
      if (!goesOn && !(route == Route.UPSTAIRS ? schedule.climb() : schedule.descend())) {
        return Optional.empty();
      }
    }
    return Optional.of(schedule.steps);
  }

  private boolean repairRack() {
    int l = stripe.settings().l();
    return makeFirst(realColumns, c -> lostInRack(c) > 0 && lostInRack(c) <= l, this::makeColumn);
  }

  private boolean repairRow() {
    return makeFirst(
        realRows, i -> lostInRow(i) > 0 && determined(rows[i], stripe.rowCode()), this::makeRow);
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

  /** Completes the rack with the fewest losses through the lowest virtual rows. */
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
    int wanted = lostInRack(rack) - stripe.settings().l();
    if (wanted > stripe.rows() - realRows) {
      return false;
    }
    for (int row = stripe.rows() - 1; row >= stripe.rows() - wanted; row--) {
      if (!determined(rows[row], stripe.rowCode())) {
        return false;
      }
      makeRow(row);
    }
    makeColumn(rack);
    return true;
  }

  /** Completes the rightmost virtual column that whole rows and zero cells determine. */
  private boolean descend() {
    for (int row = 0; row < realRows; row++) {
      if (lostInRow(row) == 0) {
        makeRow(row);
      }
    }
    for (int column = stripe.columns() - 1; column >= realColumns; column--) {
      int[] cells = columns[column];
      if (unknown(cells, cells.length) > 0 && determined(cells, stripe.columnCode())) {
        makeColumn(column);
        return true;
      }
    }
    return false;
  }

  private void makeRow(int row) {
    make(rows[row], stripe.rowCode());
  }

  private void makeColumn(int column) {
    make(columns[column], stripe.columnCode());
  }

  /** Computes all unknown cells of a codeword from its zero cells and its first known ones. */
  private void make(int[] cells, MdsCode code) {
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
        steps.add(new CellEquation(target, terms));
      }
    }
  }

  private IntStream positions(int[] cells, State state) {
    return IntStream.range(0, cells.length).filter(i -> states[cells[i]] == state);
  }

  /** Whether the known and zero cells of a codeword determine all its cells. */
  private boolean determined(int[] cells, MdsCode code) {
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

  /** The number of unknown cells among the first {@code count}. */
  private int unknown(int[] cells, int count) {
    int unknown = 0;
    for (int i = 0; i < count; i++) {
      unknown += states[cells[i]] == State.UNKNOWN ? 1 : 0;
    }
    return unknown;
  }
}
