package org.braid.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.placement.StripePlacement.StripeLayout;

/** Blocks on distinct nodes, at most c in a rack, in target racks ({@link StripeLimits}). */
record SpreadRule(ErasureCode code, StripeLimits limits) implements StripeRule {
  @Override
  public int perRack() {
    return limits.perRack();
  }

  @Override
  public Set<Integer> targetRacks() {
    return limits.targetRacks();
  }

  @Override
  public String text() {
    return "at most "
        + (perRack() == 1 ? "1 block" : perRack() + " blocks")
        + " of a stripe in a rack";
  }

  @Override
  public void check(Topology topology, IntPredicate eligible) {
    limits.check(code.name(), code.n(), topology, eligible);
  }

  @Override
  public StripeLayout layout(
      Topology topology,
      IntPredicate eligible,
      List<int[]> replicas,
      NodeLoads loads,
      RandomGenerator random) {
    StripePlacement.requireData(code, replicas);
    return StripePlacement.layout(topology, eligible, replicas, code.m(), limits, loads, random);
  }

  @Override
  public boolean keeps(Topology topology, IntPredicate eligible, List<int[]> replicas, int blocks) {
    List<int[]> good =
        replicas.stream().map(nodes -> Arrays.stream(nodes).filter(eligible).toArray()).toList();
    return blocks <= Matching.of(topology, good, limits).size();
  }

  @Override
  public BlockPlacer replication(Topology topology, ReplicaLayout layout) {
    return new EncodingAwareReplication(
        topology, limits, layout, EncodingAwareReplication.DEFAULT_MAX_ATTEMPTS);
  }

  @Override
  public int[] destinations(
      Topology topology,
      IntPredicate eligible,
      int[] nodeOf,
      List<Integer> lost,
      RandomGenerator random) {
    return RepairPlacement.destinations(topology, eligible, nodeOf, lost, limits, random);
  }

  @Override
  public boolean fits(Topology topology, int[] nodeOf, int block, int node) {
    int rack = topology.rackOf(node);
    int inRack = 0;
    for (int other = 0; other < nodeOf.length; other++) {
      if (other != block && nodeOf[other] == node) {
        return false;
      }
      // One in an unknown rack may turn out to be in this one.
      if (other != block
          && nodeOf[other] != NOWHERE
          && (nodeOf[other] == UNKNOWN || topology.rackOf(nodeOf[other]) == rack)) {
        inRack++;
      }
    }
    return limits.allows(rack) && inRack < perRack();
  }

  @Override
  public Map<Integer, String> breaches(Topology topology, int[] nodeOf, List<Integer> claims) {
    int[] seats = new int[nodeOf.length];
    Arrays.fill(seats, NOWHERE);
    List<Integer> refused = new ArrayList<>();
    for (int block : claims) {
      if (!fits(topology, seats, block, nodeOf[block])) {
        refused.add(block);
      }
      // It takes up room all the same.
      seats[block] = nodeOf[block];
    }
    Map<Integer, String> breaches = new TreeMap<>();
    refused.forEach(block -> breaches.put(block, breach(topology, seats, nodeOf[block])));
    return breaches;
  }

  private String breach(Topology topology, int[] seats, int node) {
    int rack = topology.rackOf(node);
    String name = "rack " + topology.rackName(rack);
    long onNode = Arrays.stream(seats).filter(n -> n == node).count();
    if (onNode > 1) {
      return "node %s holds %d of its blocks, at most 1 is promised"
          .formatted(topology.nodeName(node), onNode);
    }
    if (!limits.allows(rack)) {
      return "%s holds one of its blocks and is none of its %d target racks"
          .formatted(name, targetRacks().size());
    }
    long held = Arrays.stream(seats).filter(n -> n >= 0 && topology.rackOf(n) == rack).count();
    return "%s holds %d of its blocks, at most %d are promised".formatted(name, held, perRack());
  }
}
