package org.braid.placement.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowMatching;

/** Chooses the target racks of a stripe (R' of EAR section 3.4). */
public final class TargetRacks {
  private TargetRacks() {}

  /**
   * Random racks; the same racks for the same seed as long as these have eligible nodes.
   *
   * @param targets R'
   * @throws PlacementException when fewer racks have eligible nodes
   */
  public static Set<Integer> random(EligibleNodes eligible, int targets, RandomGenerator random) {
    return random(eligible, targets, new Need(1, 0, false), random);
  }

  /**
   * What a stripe needs.
   *
   * @param perRack c
   * @param blocks of the stripe; those of whole columns for a grid
   * @param whole whether a rack with fewer than c nodes is of no use, as for columns of a grid
   */
  public record Need(int perRack, int blocks, boolean whole) {
    private int places(EligibleNodes eligible, int rack) {
      int nodes = eligible.in(rack).length;
      return whole && nodes < perRack ? 0 : Math.min(perRack, nodes);
    }
  }

  /**
   * Chooses random racks that the blocks of a stripe fit into, if there are enough. A rack with few
   * nodes is chosen only beside racks that make up for it.
   *
   * @param targets R'
   * @throws PlacementException when fewer racks have eligible nodes
   */
  public static Set<Integer> random(
      EligibleNodes eligible, int targets, Need need, RandomGenerator random) {
    Topology topology = eligible.topology();
    List<Integer> racks = new ArrayList<>(IntStream.range(0, topology.racks()).boxed().toList());
    racks.sort((a, b) -> topology.rackName(a).compareTo(topology.rackName(b)));
    RandomChoice.shuffle(racks, random);
    Set<Integer> chosen = new TreeSet<>();
    for (int i = 0; i < racks.size() && chosen.size() < targets; i++) {
      int rack = racks.get(i);
      List<Integer> open = racks.subList(i, racks.size());
      if (eligible.anyIn(rack)
          && (need.blocks == 0
              || need.places(eligible, rack) >= least(eligible, chosen, open, targets, need))) {
        chosen.add(rack);
      }
    }
    require(targets, chosen.size());
    return chosen;
  }

  /**
   * The fewest places that the next rack must have so that a stripe fits into it, those chosen and
   * the largest of the others; 0 where it does not fit into any.
   *
   * @param open racks that may be chosen still
   */
  private static int least(
      EligibleNodes eligible, Set<Integer> chosen, List<Integer> open, int targets, Need need) {
    int blocks = need.blocks;
    int taken = chosen.stream().mapToInt(rack -> need.places(eligible, rack)).sum();
    // Negative, so that the largest rack comes first.
    int[] less = open.stream().mapToInt(r -> -need.places(eligible, r)).sorted().toArray();
    int left = Math.min(less.length, targets - chosen.size());
    return left == 0 || taken - Arrays.stream(less, 0, left).sum() < blocks
        ? 0
        : blocks - taken + Arrays.stream(less, 0, left - 1).sum();
  }

  /**
   * The racks in which the most blocks keep a replica, chosen greedily: each adds the most blocks
   * that stay; of equals the one with the most eligible nodes. Racks with too few nodes for all
   * blocks of the stripe are not chosen as long as there are others.
   *
   * @param replicas for each data block the nodes with a good replica
   * @param targets R'
   * @throws PlacementException when fewer racks have eligible nodes
   */
  public static Set<Integer> keeping(
      EligibleNodes eligible, List<int[]> replicas, int targets, Need need) {
    require(targets, eligible.racks());
    Topology topology = eligible.topology();
    List<int[]> present = eligible.among(replicas);
    Set<Integer> chosen = new TreeSet<>();
    while (chosen.size() < targets) {
      int best = -1;
      int most = -1;
      List<Integer> open =
          IntStream.range(0, topology.racks()).filter(r -> !chosen.contains(r)).boxed().toList();
      int least = least(eligible, chosen, open, targets, need);
      for (int rack : open) {
        if (eligible.in(rack).length == 0 || need.places(eligible, rack) < least) {
          continue;
        }
        int added = rack;
        int kept =
            FlowMatching.of(
                    topology, present, r -> r == added || chosen.contains(r) ? need.perRack : 0)
                .size();
        if (kept > most || (kept == most && eligible.in(rack).length > eligible.in(best).length)) {
          best = rack;
          most = kept;
        }
      }
      chosen.add(best);
    }
    return chosen;
  }

  /**
   * The racks with the most eligible nodes: a stripe that fits into any {@code targets} racks fits
   * there.
   *
   * @param targets R'
   * @throws PlacementException when fewer racks have eligible nodes
   */
  public static Set<Integer> largest(EligibleNodes eligible, int targets) {
    require(targets, eligible.racks());
    return IntStream.range(0, eligible.topology().racks())
        .boxed()
        .sorted((a, b) -> Integer.compare(eligible.in(b).length, eligible.in(a).length))
        .limit(targets)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void require(int targets, int racks) {
    if (targets < 1) {
      throw new PlacementException("racks", 1, targets, targets + " target racks, needed is 1");
    }
    if (targets > racks) {
      throw new PlacementException(
          "racks",
          targets,
          racks,
          ("a stripe is to use %d target racks, the racks with nodes that may get blocks are %d:"
                  + " start nodes there, add racks or name fewer target racks")
              .formatted(targets, racks));
    }
  }
}
