package org.braid.placement.rule;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.derive.ParityCopies;
import org.braid.code.derive.Tolerance;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;

/** Makes the stripe rule of a code. */
public final class StripeRules {
  private StripeRules() {}

  /**
   * The rule of a code within limits. A code whose stripe is a grid keeps each column in a rack of
   * its own (R-STAIR section III-A), so that only the target racks of the limits apply to it. All
   * other codes keep the limits.
   */
  public static StripeRule of(ErasureCode code, StripeLimits limits) {
    if (code instanceof ParityCopies copied) {
      return new ParityCopiesRule(new RackLimitRule(code, limits), copied, block -> true);
    }
    return isGrid(code)
        ? new ColumnRule(code, limits.targetRacks())
        : new RackLimitRule(code, limits);
  }

  /**
   * The blocks of each column of a code that keeps columns in racks of their own. Empty for codes
   * without a grid, and for grids with one block a column. Copies of parity are in no column.
   */
  public static List<List<Integer>> columns(ErasureCode stored) {
    ErasureCode code = ParityCopies.original(stored);
    if (code.racks().isEmpty()) {
      return List.of();
    }
    List<List<Integer>> columns = ColumnPlacement.columns(code);
    return columns.stream().anyMatch(column -> column.size() > 1) ? columns : List.of();
  }

  private static boolean isGrid(ErasureCode code) {
    return !columns(code).isEmpty();
  }

  /**
   * The rule for stripes of a code on a cluster: c blocks a rack, or as few as fit. Checks that a
   * stripe fits and that the loss of a rack loses no data; in a cluster of one rack it may.
   *
   * @param perRack c; empty for the fewest that fit
   * @throws PlacementException with the numbers when the promise cannot be kept
   */
  public static StripeRule on(ErasureCode code, OptionalInt perRack, EligibleNodes eligible) {
    if (isGrid(code)) {
      return grid(code, perRack, eligible);
    }
    int survived = Tolerance.counted(code);
    if (perRack.isEmpty()) {
      return of(code, StripeLimits.smallest(code.name(), code.n(), survived, eligible));
    }
    return spread(code, StripeLimits.perRack(perRack.getAsInt()), eligible);
  }

  /**
   * The rule for stripes of a code that use only target racks (R' of EAR section 3.4), with the
   * same checks.
   *
   * @param perRack c; empty for n / R'
   * @param targetRacks the racks, at least one
   * @throws PlacementException with the numbers when the promise cannot be kept
   */
  public static StripeRule on(
      ErasureCode code, OptionalInt perRack, Set<Integer> targetRacks, EligibleNodes eligible) {
    if (isGrid(code)) {
      grid(code, perRack, eligible);
      ColumnRule rule = new ColumnRule(code, targetRacks);
      rule.check(eligible);
      return rule;
    }
    int fewest = (code.n() + targetRacks.size() - 1) / targetRacks.size();
    return spread(code, new StripeLimits(perRack.orElse(fewest), targetRacks), eligible);
  }

  private static StripeRule spread(ErasureCode code, StripeLimits limits, EligibleNodes eligible) {
    int survived = Tolerance.counted(code);
    limits.check(code.name(), code.n(), eligible);
    if (limits.toleratedRacks(survived) == 0 && eligible.topology().racks() > 1) {
      throw new PlacementException(
          "losses",
          limits.perRack(),
          survived,
          ("%d blocks of a stripe a rack are more than the %d losses that %s survives, so that one"
                  + " rack could take data with it: allow at most %d a rack")
              .formatted(limits.perRack(), survived, code.name(), survived));
    }
    return of(code, limits);
  }

  private static StripeRule grid(ErasureCode code, OptionalInt perRack, EligibleNodes eligible) {
    if (ParityCopies.of(code) > 1) {
      throw new PlacementException(
          "copies of parity",
          ParityCopies.of(code),
          1,
          ("%s keeps its %d columns in racks of their own, %d copies of parity are in none of them:"
                  + " store each parity once, or choose a code without columns")
              .formatted(
                  ParityCopies.original(code).name(), columns(code).size(), ParityCopies.of(code)));
    }
    ColumnRule rule = new ColumnRule(code, Set.of());
    if (perRack.isPresent() && perRack.getAsInt() != rule.perRack()) {
      throw new PlacementException(
          "blocks a rack",
          rule.perRack(),
          perRack.getAsInt(),
          ("%s keeps each column of its stripe, %d blocks, in a rack of its own, %d blocks a rack"
                  + " cannot be had: leave their number to the code")
              .formatted(code.name(), rule.perRack(), perRack.getAsInt()));
    }
    rule.check(eligible);
    for (List<Integer> column : ColumnPlacement.columns(code)) {
      if (!Solver.decodable(code, column)) {
        throw new PlacementException(
            "losses",
            column.size(),
            0,
            "%s does not survive the loss of a rack with its column of %d blocks: choose another code"
                .formatted(code.name(), column.size()));
      }
    }
    return rule;
  }
}
