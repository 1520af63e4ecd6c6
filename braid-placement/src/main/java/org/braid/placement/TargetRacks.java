package org.braid.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The racks to which one stripe is limited (R' of EAR section 3.4). */
public final class TargetRacks {
  private TargetRacks() {}

  /**
   * Racks at random, but always the same for a seed as long as racks have nodes.
   *
   * @param targets R'
   * @throws PlacementException when fewer racks have eligible nodes
   */
  public static Set<Integer> random(
      Topology topology, IntPredicate eligible, int targets, RandomGenerator random) {
    List<Integer> racks = new ArrayList<>(IntStream.range(0, topology.racks()).boxed().toList());
    racks.sort((a, b) -> topology.rackName(a).compareTo(topology.rackName(b)));
    for (int i = racks.size() - 1; i > 0; i--) {
      racks.set(i, racks.set(random.nextInt(i + 1), racks.get(i)));
    }
    Set<Integer> chosen = new TreeSet<>();
    for (int rack : racks) {
      if (chosen.size() < targets
          && topology.nodesIn(rack).stream().anyMatch(node -> eligible.test(node))) {
        chosen.add(rack);
      }
    }
    require(targets, chosen.size());
    return chosen;
  }

  /**
   * The racks in which blocks that are there keep most replicas: one rack after the other, each the
   * one that lets most more blocks stay; of equals one with most eligible nodes.
   *
   * @param replicas for each data block the nodes with a good replica
   * @param targets R'
   * @param perRack c
   * @throws PlacementException when fewer racks have eligible nodes
   */
  public static Set<Integer> keeping(
      Topology topology, IntPredicate eligible, List<int[]> replicas, int targets, int perRack) {
    Candidates candidates = new Candidates(topology, eligible);
    require(targets, candidates.racks());
    List<int[]> present =
        replicas.stream().map(r -> IntStream.of(r).filter(candidates::contains).toArray()).toList();
    Set<Integer> chosen = new TreeSet<>();
    while (chosen.size() < targets) {
      int best = -1;
      int most = -1;
      for (int rack = 0; rack < topology.racks(); rack++) {
        if (candidates.in(rack).length == 0 || chosen.contains(rack)) {
          continue;
        }
        int added = rack;
        int kept =
            Matching.of(topology, present, r -> r == added || chosen.contains(r) ? perRack : 0)
                .size();
        if (kept > most
            || (kept == most && candidates.in(rack).length > candidates.in(best).length)) {
          best = rack;
          most = kept;
        }
      }
      chosen.add(best);
    }
    return chosen;
  }

  /**
   * The racks with most eligible nodes: if a stripe fits into any so many racks, it fits there.
   *
   * @param targets R'
   * @throws PlacementException when fewer racks have eligible nodes
   */
  public static Set<Integer> largest(Topology topology, IntPredicate eligible, int targets) {
    Candidates candidates = new Candidates(topology, eligible);
    require(targets, candidates.racks());
    return IntStream.range(0, topology.racks())
        .boxed()
        .sorted((a, b) -> Integer.compare(candidates.in(b).length, candidates.in(a).length))
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
