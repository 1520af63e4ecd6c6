package org.braid.placement.lrc;

import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.flow.FlowCheck;
import org.braid.placement.rule.ReplicaConditions;
import org.braid.placement.rule.StripeRule;

/**
 * Where the blocks of a stripe of a code with local groups may be to survive the loss of any {@code
 * rackFailures} racks (EAR section 3.5): on distinct nodes of target racks, at most {@link
 * #perRack} of the stripe and at most {@link #localPerRack} of any substripe in a rack.
 *
 * @param substripes the conditions of the code
 * @param rackFailures racks that may fail, 1 or more
 * @param targetRacks racks that may hold blocks; empty means all racks
 */
public record SubstripeLimits(Substripes substripes, int rackFailures, Set<Integer> targetRacks)
    implements ReplicaConditions {
  /**
   * Checks that the code survives these rack failures with one block a rack.
   *
   * @throws PlacementException when one block a rack is too many
   */
  public SubstripeLimits {
    if (rackFailures < 1) {
      throw new IllegalArgumentException(
          "a stripe that survives " + rackFailures + " racks, needed is 1 or more");
    }
    int losses = Math.min(substripes.globalLosses(), substripes.localLosses());
    if (losses < rackFailures) {
      throw new PlacementException(
          "losses",
          rackFailures,
          losses,
          "%s survives %d lost blocks of a substripe, %d racks that may fail need %d: ask for less"
              .formatted(substripes.code().name(), losses, rackFailures, rackFailures));
    }
    targetRacks = Set.copyOf(targetRacks);
  }

  /** Limits in all racks. */
  public static SubstripeLimits of(ErasureCode code, int rackFailures) {
    return new SubstripeLimits(Substripes.of(code, rackFailures), rackFailures, Set.of());
  }

  /**
   * Limits under which a stripe survives as many rack failures as under a rule: floor(t / c) for a
   * code that survives any t losses and c blocks a rack, at least 1, at most what the code allows.
   */
  public static SubstripeLimits asTolerantAs(StripeRule rule) {
    ErasureCode code = rule.code();
    int failures = Math.max(1, Tolerance.counted(code) / rule.perRack());
    Substripes substripes = Substripes.of(code, failures);
    int most = Math.min(substripes.globalLosses(), substripes.localLosses());
    return new SubstripeLimits(substripes, Math.min(failures, most), rule.targetRacks());
  }

  /** c of the global graph: the most blocks of the stripe in a rack. */
  public int perRack() {
    return substripes.globalPerRack(rackFailures);
  }

  /** c of the local graphs: the most blocks of a substripe in a rack. */
  public int localPerRack() {
    return substripes.localPerRack(rackFailures);
  }

  boolean allows(int rack) {
    return targetRacks.isEmpty() || targetRacks.contains(rack);
  }

  @Override
  public FlowCheck after(EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
    return SubstripePlacement.after(eligible, replicas, this, random);
  }

  @Override
  public String text() {
    return "at most %d, and %d of a substripe, in a rack".formatted(perRack(), localPerRack());
  }
}
