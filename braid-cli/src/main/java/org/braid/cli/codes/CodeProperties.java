package org.braid.cli.codes;

import java.util.List;
import org.braid.code.ErasureCode;
import org.braid.code.Overhead;
import org.braid.code.derive.RepairAim;
import org.braid.code.derive.RepairCost;
import org.braid.code.derive.RepairSearch;
import org.braid.code.derive.Tolerance;
import org.braid.code.derive.UpdateCost;

/**
 * The derived properties of a code that tables show.
 *
 * @param code the code
 * @param tolerance the losses that it survives
 * @param update the cost of small changes
 * @param singles repairs of each block, by {@link RepairAim}
 */
record CodeProperties(
    ErasureCode code, Tolerance tolerance, UpdateCost update, List<RepairCost> singles) {
  static CodeProperties of(ErasureCode code) {
    return new CodeProperties(
        code,
        Tolerance.of(code),
        UpdateCost.of(code),
        RepairCost.singles(code, RepairSearch.Effort.MANY));
  }

  /** Bytes stored for a byte of data. */
  double overhead() {
    return overhead(code);
  }

  static double overhead(ErasureCode code) {
    return Overhead.of(code);
  }

  RepairCost repair(RepairAim aim) {
    return RepairCost.under(aim, singles);
  }

  /** The tolerance in a cell of a table, for example {@code 4} or {@code 3..55}. */
  static String cell(Tolerance tolerance) {
    return tolerance.isExact()
        ? String.valueOf(tolerance.proven())
        : tolerance.proven() + ".." + tolerance.atMost();
  }

  /** A figure that may be an upper bound, for example {@code <= 8.5}. */
  static String cell(double value, RepairCost cost) {
    return (cost.isExact() ? "" : "<= ") + CodeText.number(value);
  }
}
