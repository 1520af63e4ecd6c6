package org.braid.placement;

import java.util.Set;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;

/**
 * Where the blocks of one stripe of a code with local groups may be, so that any so many racks may
 * fail (EAR section 3.5): on distinct nodes of target racks, at most {@link #perRack} of the stripe
 * and at most {@link #localPerRack} of any substripe in a rack.
 *
 * @param substripes the conditions of the code
 * @param rackFailures racks that may fail, 1 or more
 * @param targetRacks racks that may hold blocks; empty means all racks
 */
public record SubstripeLimits(Substripes substripes, int rackFailures, Set<Integer> targetRacks) {
  /**
   * Checks that the code can lose racks at all.
   *
   * @throws PlacementException when even one block a rack is too much
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

  /** Limits under which any so many racks may fail, whatever the code. */
  public static SubstripeLimits of(ErasureCode code, int rackFailures) {
    return new SubstripeLimits(Substripes.of(code, rackFailures), rackFailures, Set.of());
  }

  /** The most rack failures for which a stripe fits. */
  public static SubstripeLimits mostTolerant(
      ErasureCode code, Topology topology, IntPredicate eligible, RandomGenerator random) {
    for (int failures = code.m(); failures > 1; failures--) {
      Substripes substripes = Substripes.of(code, failures);
      if (Math.min(substripes.globalLosses(), substripes.localLosses()) >= failures) {
        SubstripeLimits limits = new SubstripeLimits(substripes, failures, Set.of());
        if (limits.fits(topology, eligible, random)) {
          return limits;
        }
      }
    }
    return of(code, 1);
  }

  /** Whether a stripe fits on the eligible nodes. */
  public boolean fits(Topology topology, IntPredicate eligible, RandomGenerator random) {
    return new SubstripeFill(new Candidates(topology, eligible), this, random)
        .complete()
        .isPresent();
  }

  /** Blocks of the stripe that a rack may hold: c of the global graph. */
  public int perRack() {
    return substripes.globalPerRack(rackFailures);
  }

  /** Blocks of a substripe that a rack may hold: c of the local graphs. */
  public int localPerRack() {
    return substripes.localPerRack(rackFailures);
  }

  boolean allows(int rack) {
    return targetRacks.isEmpty() || targetRacks.contains(rack);
  }

  String text() {
    return "with at most %d, and %d of a substripe, in a rack".formatted(perRack(), localPerRack());
  }
}
