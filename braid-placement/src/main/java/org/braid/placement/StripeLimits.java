package org.braid.placement;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * Where the blocks of one stripe may be: always on distinct nodes, at most {@code perRack} of them
 * in a rack, and only in target racks (the parameters c and R' of EAR sections 3.2 and 3.4).
 *
 * @param perRack c, blocks of a stripe that one rack may hold, 1 or more
 * @param targetRacks racks that may hold blocks; empty means all racks
 */
public record StripeLimits(int perRack, Set<Integer> targetRacks) {
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
      Topology topology, IntPredicate eligible, int targets, int perRack, RandomGenerator random) {
    return new StripeLimits(perRack, TargetRacks.random(topology, eligible, targets, random));
  }

  /**
   * The smallest c for which the blocks of a stripe fit, in all racks: the most rack failures that
   * the cluster can give the code.
   *
   * <p>A cluster of one rack cannot survive its loss in any case, there c = n is allowed. A cluster
   * of several racks counts as such even while only one of them has eligible nodes.
   *
   * @param code name of the code, for messages
   * @param n blocks of a stripe
   * @param m lost blocks of a stripe that the code survives whichever they are
   * @throws PlacementException when there are fewer than n eligible nodes, or when in a cluster of
   *     several racks the loss of one rack could lose data
   */
  public static StripeLimits smallest(
      String code, int n, int m, Topology topology, IntPredicate eligible) {
    Candidates candidates = new Candidates(topology, eligible);
    requireNodes(code, n, candidates.size());
    int c = 1;
    while (perRack(c).room(candidates) < n) {
      c++;
    }
    if (topology.racks() > 1 && c > m) {
      int room = m == 0 ? 0 : perRack(m).room(candidates);
      throw new PlacementException(
          "places",
          n,
          room,
          ("%s needs places for the %d blocks of a stripe with at most %d in a rack, so that the"
                  + " loss of a rack loses no data, the %d live nodes in %d racks give %d: add"
                  + " racks, add nodes to the small racks or choose a code with fewer blocks or"
                  + " more parities")
              .formatted(code, n, m, candidates.size(), candidates.racks(), room));
    }
    return perRack(c);
  }

  /**
   * Checks that a stripe of a code fits these limits: R' target racks with R' >= n / c, and enough
   * nodes in them.
   *
   * @throws PlacementException when it does not fit
   */
  public void check(String code, int n, Topology topology, IntPredicate eligible) {
    for (int rack : new TreeSet<>(targetRacks)) {
      if (rack < 0 || rack >= topology.racks()) {
        throw new IllegalArgumentException(
            "target rack " + rack + " is not among the " + topology.racks() + " racks");
      }
    }
    Candidates candidates = new Candidates(topology, eligible);
    requireNodes(code, n, candidates.size());
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
    requireRoom(code, n, candidates);
  }

  /** Rack failures that a stripe survives whichever they are: floor(m / c). */
  public int toleratedRacks(int m) {
    return m / perRack;
  }

  /** Whether a rack may hold blocks at all. */
  public boolean allows(int rack) {
    return targetRacks.isEmpty() || targetRacks.contains(rack);
  }

  /**
   * Blocks of one stripe that fit on the candidates. Any smaller set of places within these limits
   * can be grown to this size, because the limits are nested (nodes in racks) and so form a
   * matroid: places chosen so far are never a dead end.
   */
  int room(Candidates candidates) {
    int room = 0;
    for (int rack = 0; rack < candidates.topology().racks(); rack++) {
      if (allows(rack)) {
        room += Math.min(perRack, candidates.in(rack).length);
      }
    }
    return room;
  }

  void requireRoom(String subject, int n, Candidates candidates) {
    int room = room(candidates);
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
                  candidates.size(),
                  candidates.racks(),
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
          ("%s needs %d nodes for the %d blocks of a stripe, %d are live: add nodes or choose a"
                  + " code with n <= %d")
              .formatted(code, n, n, nodes, nodes));
    }
  }
}
