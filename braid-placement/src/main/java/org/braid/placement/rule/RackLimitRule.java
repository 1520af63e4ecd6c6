package org.braid.placement.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowCheck;

/** Blocks on distinct nodes, at most c in a rack, in target racks ({@link StripeLimits}). */
record RackLimitRule(ErasureCode code, StripeLimits limits) implements StripeRule {
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
    return limits.text();
  }

  @Override
  public void check(EligibleNodes eligible) {
    limits.check(code.name(), code.n(), eligible);
  }

  @Override
  public EncodedStripe layout(
      EligibleNodes eligible, List<int[]> replicas, NodeLoads loads, RandomGenerator random) {
    StripePlacement.requireData(code, replicas);
    return StripePlacement.layout(eligible, replicas, code.m(), limits, loads, random);
  }

  @Override
  public boolean keeps(EligibleNodes eligible, List<int[]> replicas, int blocks) {
    return blocks <= limits.matching(eligible.topology(), eligible.among(replicas)).size();
  }

  @Override
  public FlowCheck after(EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
    return limits.after(eligible, replicas, random);
  }

  @Override
  public int[] destinations(
      EligibleNodes eligible, int[] nodeOf, List<Integer> lost, RandomGenerator random) {
    return RepairPlacement.destinations(eligible, nodeOf, lost, limits, random);
  }

  @Override
  public boolean fits(Topology topology, int[] nodeOf, int block, int node) {
    int rack = topology.rackOf(node);
    int inRack = 0;
    for (int other = 0; other < nodeOf.length; other++) {
      if (other != block && nodeOf[other] == node) {
        return false;
      }
      // A block in an unknown rack may be in this one.
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
      // A refused block takes room too.
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
