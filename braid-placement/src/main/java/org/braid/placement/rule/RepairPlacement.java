package org.braid.placement.rule;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;

/** Chooses the nodes of rebuilt blocks. */
public final class RepairPlacement {
  private RepairPlacement() {}

  /**
   * Chooses distinct eligible nodes without a surviving block, in target racks, so that no rack
   * gets more than c blocks of the stripe. Racks with the fewest blocks are preferred, ties are
   * random. A rack in which survivors exceed the limit already gets no more.
   *
   * @param nodeOf node of each block of the stripe, negative for a block that is on no known node
   * @param lost blocks to rebuild; their entries in {@code nodeOf} are ignored
   * @return nodes in the order of {@code lost}
   * @throws PlacementException when there are not enough such nodes
   */
  public static int[] destinations(
      EligibleNodes eligible,
      int[] nodeOf,
      List<Integer> lost,
      StripeLimits limits,
      RandomGenerator random) {
    Set<Integer> rebuilt = new HashSet<>();
    for (int block : lost) {
      if (block < 0 || block >= nodeOf.length || !rebuilt.add(block)) {
        throw new IllegalArgumentException(
            "lost blocks " + lost + " must be distinct blocks of a stripe of " + nodeOf.length);
      }
    }
    StripeCompletion fill = new StripeCompletion(eligible, limits, random);
    int survivors = 0;
    for (int block = 0; block < nodeOf.length; block++) {
      if (nodeOf[block] >= 0 && !rebuilt.contains(block)) {
        fill.take(nodeOf[block]);
        survivors++;
      }
    }
    int[] destinations = new int[lost.size()];
    for (int i = 0; i < destinations.length; i++) {
      destinations[i] = fill.takeLeast();
      if (destinations[i] == EligibleNodes.NONE) {
        throw new PlacementException(
            "nodes",
            destinations.length,
            i,
            ("no node left for a rebuilt block: %d are to be placed, %d find a node beside the %d"
                    + " surviving blocks with at most %d in a rack (%d eligible nodes in %d racks):"
                    + " add nodes or racks or allow more blocks a rack")
                .formatted(
                    destinations.length,
                    i,
                    survivors,
                    limits.perRack(),
                    eligible.size(),
                    eligible.racks()));
      }
    }
    return destinations;
  }

  /**
   * Chooses a node for each block whose place is given up while replicas of it are left: one with a
   * replica, as far as the rule lets, so that nothing is copied.
   *
   * @param eligible nodes that may get a copy
   * @param nodeOf node of each block of the code; the entries of homeless blocks are ignored
   * @param homeless blocks that get a node
   * @param replicas of each of these, in their order, the nodes whose replica may stay
   * @return nodes in the order of {@code homeless}
   * @throws PlacementException when too few nodes are left under the rule
   */
  public static int[] atReplicas(
      StripeRule rule,
      EligibleNodes eligible,
      int[] nodeOf,
      List<Integer> homeless,
      List<int[]> replicas,
      RandomGenerator random) {
    int[] places = nodeOf.clone();
    homeless.forEach(block -> places[block] = StripeRule.NOWHERE);
    Stays stays = new Stays(rule, eligible, homeless, replicas, random);
    return stays.place(places, 0)
        ? homeless.stream().mapToInt(block -> places[block]).toArray()
        : rule.destinations(eligible, nodeOf, homeless, random);
  }

  /**
   * Chooses which replicas stay: first each at its best place beside those before it, then at
   * others, as one may stand where the only replica of another block is, or where blocks without
   * one have room. After some choices it gives up.
   */
  private static final class Stays {
    private static final int MOST_TRIES = 200;

    private final StripeRule rule;
    private final EligibleNodes eligible;
    private final List<Integer> homeless;
    private final List<int[]> replicas;
    private final RandomGenerator random;
    private int tries;

    Stays(
        StripeRule rule,
        EligibleNodes eligible,
        List<Integer> homeless,
        List<int[]> replicas,
        RandomGenerator random) {
      this.rule = rule;
      this.eligible = eligible;
      this.homeless = homeless;
      this.replicas = replicas;
      this.random = random;
    }

    /** Places the homeless blocks from one on; says whether that was possible. */
    boolean place(int[] places, int from) {
      if (from == homeless.size()) {
        return placeOthers(places);
      }
      if (tries >= MOST_TRIES) {
        return false;
      }
      int block = homeless.get(from);
      Topology topology = eligible.topology();
      List<Integer> fitting =
          Arrays.stream(replicas.get(from))
              .filter(node -> rule.fits(topology, places, block, node))
              .boxed()
              .sorted(Comparator.comparingInt(node -> rule.crowding(topology, places, block, node)))
              .toList();
      for (int node : fitting) {
        places[block] = node;
        if (place(places, from + 1)) {
          return true;
        }
        places[block] = StripeRule.NOWHERE;
      }
      return place(places, from + 1);
    }

    /** Places those that stay at no replica. */
    private boolean placeOthers(int[] places) {
      List<Integer> others =
          homeless.stream().filter(block -> places[block] == StripeRule.NOWHERE).toList();
      if (others.isEmpty()) {
        return true;
      }
      if (others.size() == homeless.size()) {
        return false; // the caller places all
      }
      tries++;
      try {
        int[] chosen = rule.destinations(eligible, places, others, random);
        for (int i = 0; i < chosen.length; i++) {
          places[others.get(i)] = chosen[i];
        }
        return true;
      } catch (PlacementException e) {
        return false;
      }
    }
  }
}
