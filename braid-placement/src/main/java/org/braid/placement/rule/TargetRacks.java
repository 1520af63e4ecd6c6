package org.braid.placement.rule;

import java.util.ArrayList;
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
    Topology topology = eligible.topology();
    List<Integer> racks = new ArrayList<>(IntStream.range(0, topology.racks()).boxed().toList());
    racks.sort((a, b) -> topology.rackName(a).compareTo(topology.rackName(b)));
    RandomChoice.shuffle(racks, random);
    Set<Integer> chosen = new TreeSet<>();
    for (int rack : racks) {
      if (chosen.size() < targets && eligible.anyIn(rack)) {
        chosen.add(rack);
      }
    }
    require(targets, chosen.size());
    return chosen;
  }

  /**
   * The racks in which the most blocks keep a replica, chosen greedily: each adds the most blocks
   * that stay; of equals the one with the most eligible nodes.
   *
   * @param replicas for each data block the nodes with a good replica
   * @param targets R'
   * @param perRack c
   * @throws PlacementException when fewer racks have eligible nodes
   */
  public static Set<Integer> keeping(
      EligibleNodes eligible, List<int[]> replicas, int targets, int perRack) {
    require(targets, eligible.racks());
    Topology topology = eligible.topology();
    List<int[]> present = eligible.among(replicas);
    Set<Integer> chosen = new TreeSet<>();
    while (chosen.size() < targets) {
      int best = -1;
      int most = -1;
      for (int rack = 0; rack < topology.racks(); rack++) {
        if (eligible.in(rack).length == 0 || chosen.contains(rack)) {
          continue;
        }
        int added = rack;
        int kept =
            FlowMatching.of(topology, present, r -> r == added || chosen.contains(r) ? perRack : 0)
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
    if (targets < 1 || targets > racks) {
      throw new PlacementException(
          "racks",
          targets,
          racks,
          "%d target racks of %d racks with eligible nodes, needed are 1 or more and no more"
              .formatted(targets, racks));
    }
  }
}
