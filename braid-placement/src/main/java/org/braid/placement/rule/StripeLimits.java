package org.braid.placement.rule;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowCheck;
import org.braid.placement.flow.FlowMatching;

/**
 * Where the blocks of one stripe may be: on distinct nodes, at most {@code perRack} of them in a
 * rack, only in target racks (the parameters c and R' of EAR sections 3.2 and 3.4).
 *
 * @param perRack c, blocks of a stripe that one rack may hold, 1 or more
 * @param targetRacks racks that may hold blocks; empty means all racks
 */
public record StripeLimits(int perRack, Set<Integer> targetRacks) implements ReplicaConditions {
  /** Blocks of a stripe with the least to choose: two data and a parity. */
  private static final int FEWEST = 3;

  /** Copies the set and checks c. */
  public StripeLimits {
    if (perRack < 1) {
      throw new IllegalArgumentException(
          "a rack may hold " + perRack + " blocks of a stripe, needed is 1 or more");
    }
    targetRacks = Set.copyOf(targetRacks);
  }

  /** At most c blocks a rack, in all racks. */
  public static StripeLimits perRack(int perRack) {
    return new StripeLimits(perRack, Set.of());
  }

  /**
   * At most c blocks a rack, in R' target racks drawn at random among those with eligible nodes
   * (EAR section 3.4).
   *
   * @param targets R', at least n / c for a stripe of n blocks
   * @throws PlacementException when fewer racks have eligible nodes
   */
  public static StripeLimits randomTargets(
      EligibleNodes eligible, int targets, int perRack, RandomGenerator random) {
    return new StripeLimits(perRack, TargetRacks.random(eligible, targets, random));
  }

  /**
   * The smallest c for which the blocks of a stripe fit in all racks. With it the stripe survives
   * the most rack failures.
   *
   * <p>In a cluster of one rack c may be n, as nothing survives the loss of that rack. A cluster
   * has several racks even while only one of them has eligible nodes.
   *
   * @param code name of the code, for messages
   * @param n blocks of a stripe
   * @param m losses that the code survives whichever blocks are lost
   * @throws PlacementException when there are fewer than n eligible nodes, or when in a cluster of
   *     several racks the loss of one rack could lose data
   */
  public static StripeLimits smallest(String code, int n, int m, EligibleNodes eligible) {
    requireNodes(code, n, eligible.size());
    int c = 1;
    while (perRack(c).room(eligible) < n) {
      c++;
    }
    if (eligible.topology().racks() > 1 && c > m) {
      int room = m == 0 ? 0 : perRack(m).room(eligible);
      throw new PlacementException(
          "places",
          n,
          room,
          ("%s needs places for the %d blocks of a stripe with at most %d in a rack, so that the"
                  + " loss of a rack loses no data, the %d live nodes in %d racks give %d: add"
                  + " racks, add nodes to the small racks or choose a code with fewer blocks or"
                  + " more parities")
              .formatted(code, n, m, eligible.size(), eligible.racks(), room));
    }
    return perRack(c);
  }

  /**
   * Checks that a stripe of a code fits these limits: R' target racks with R' >= n / c, and enough
   * nodes in them.
   *
   * @throws PlacementException when it does not fit
   */
  public void check(String code, int n, EligibleNodes eligible) {
    Topology topology = eligible.topology();
    for (int rack : new TreeSet<>(targetRacks)) {
      if (rack < 0 || rack >= topology.racks()) {
        throw new IllegalArgumentException(
            "target rack " + rack + " is not among the " + topology.racks() + " racks");
      }
    }
    requireNodes(code, n, eligible.size());
    int racks = targetRacks.isEmpty() ? topology.racks() : targetRacks.size();
    int needed = (n + perRack - 1) / perRack;
    if (racks < needed) {
      throw new PlacementException(
          "racks",
          needed,
          racks,
          ("%s needs %d racks for the %d blocks of a stripe with at most %d in a rack, it may use"
                  + " %d: add target racks or allow more blocks a rack")
              .formatted(code, needed, n, perRack, racks));
    }
    requireRoom(code, n, eligible);
  }

  /** Number of rack failures that a stripe survives, whichever racks fail: floor(m / c). */
  public int toleratedRacks(int m) {
    return m / perRack;
  }

  /** Whether a rack may hold blocks. */
  public boolean allows(int rack) {
    return targetRacks.isEmpty() || targetRacks.contains(rack);
  }

  /** A largest set of blocks that keep one replica each within these limits. */
  public FlowMatching matching(Topology topology, List<int[]> replicas) {
    return FlowMatching.of(topology, replicas, rack -> allows(rack) ? perRack : 0);
  }

  @Override
  public FlowCheck after(EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
    return matching(eligible.topology(), replicas);
  }

  @Override
  public String text() {
    return "at most " + (perRack == 1 ? "1 block" : perRack + " blocks") + " of a stripe in a rack";
  }

  /**
   * Number of blocks of one stripe that fit on the eligible nodes. Any smaller set of nodes within
   * these limits can be extended to this size, because the limits are nested (nodes in racks) and
   * so form a matroid.
   */
  int room(EligibleNodes eligible) {
    int room = 0;
    for (int rack = 0; rack < eligible.topology().racks(); rack++) {
      if (allows(rack)) {
        room += Math.min(perRack, eligible.in(rack).length);
      }
    }
    return room;
  }

  void requireRoom(String subject, int n, EligibleNodes eligible) {
    int room = room(eligible);
    if (room < n) {
      throw new PlacementException(
          "places",
          n,
          room,
          ("%s needs places for the %d blocks of a stripe with at most %d in a rack, the %d live"
                  + " nodes in %d racks%s give %d: add nodes to the small racks or allow more"
                  + " blocks a rack")
              .formatted(
                  subject,
                  n,
                  perRack,
                  eligible.size(),
                  eligible.racks(),
                  targetRacks.isEmpty()
                      ? ""
                      : " (" + targetRacks.size() + " racks are targets of the stripe)",
                  room));
    }
  }

  private static void requireNodes(String code, int n, int nodes) {
    if (nodes < n) {
      throw new PlacementException(
          "nodes",
          n,
          nodes,
          "%s needs %d nodes for the %d blocks of a stripe, %d %s live: add nodes%s"
              .formatted(
                  code,
                  n,
                  n,
                  nodes,
                  nodes == 1 ? "is" : "are",
                  nodes < FEWEST ? "" : " or choose a code with n <= " + nodes));
    }
  }
}
