package org.braid.plan.cost;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.Step;

/**
 * What a plan moves, in blocks, and how long that takes. A sub-block is 1/alpha of a block.
 *
 * @param shape the plan's shape
 * @param steps logical time steps, in each of which a node sends at most one block and receives at
 *     most one (ppr, section 4.2), the plan's transfers placed as early as they can be, in order;
 *     part of a step counts as one
 * @param busiestLink blocks on the busiest link of a node, in one direction
 * @param total blocks that move between nodes
 * @param crossRack blocks that move between racks; a node outside the topology is in a rack of its
 *     own
 * @param inRack blocks that move between nodes of a rack
 * @param crossSite blocks that move between sites; part of {@code crossRack}
 * @param seconds predicted time, see {@link PlanTime}
 * @param edges blocks that move between each two nodes, in order of first use
 */
public record PlanCost(
    String shape,
    int steps,
    double busiestLink,
    double total,
    double crossRack,
    double inRack,
    double crossSite,
    double seconds,
    List<Edge> edges) {

  /** The blocks that move from one node to another. */
  public record Edge(int from, int to, double blocks) {}

  public PlanCost {
    edges = List.copyOf(edges);
  }

  /** The cost of a plan on a topology with default rates and volume. */
  public static PlanCost of(Plan plan, int alpha, Topology topology) {
    return of(plan, alpha, Network.of(topology));
  }

  /**
   * The cost of a plan.
   *
   * @param alpha sub-blocks of a block of the plan's code
   */
  public static PlanCost of(Plan plan, int alpha, Network network) {
    if (alpha < 1) {
      throw new IllegalArgumentException("a block has at least 1 sub-block, not " + alpha);
    }
    Map<List<Integer>, Integer> moved = new LinkedHashMap<>();
    Map<Integer, Integer> in = new HashMap<>();
    Map<Integer, Integer> out = new HashMap<>();
    int total = 0;
    int cross = 0;
    for (Step step : plan.steps()) {
      if (step instanceof Step.Send send) {
        moved.merge(List.of(send.from(), send.node()), 1, Integer::sum);
        out.merge(send.from(), 1, Integer::sum);
        in.merge(send.node(), 1, Integer::sum);
        total++;
        cross += network.sameRack(send.from(), send.node()) ? 0 : 1;
      }
    }
    int busiest =
        IntStream.concat(
                in.values().stream().mapToInt(Integer::intValue),
                out.values().stream().mapToInt(Integer::intValue))
            .max()
            .orElse(0);
    double unit = alpha;
    return new PlanCost(
        plan.shape(),
        (valueSteps(plan) + alpha - 1) / alpha,
        busiest / unit,
        total / unit,
        cross / unit,
        (total - cross) / unit,
        siteCrossings(plan, network) / unit,
        PlanTime.seconds(plan, network),
        moved.entrySet().stream()
            .map(e -> new Edge(e.getKey().get(0), e.getKey().get(1), e.getValue() / unit))
            .toList());
  }

  /** The number of values that a plan sends. */
  public static long sends(Plan plan) {
    return plan.steps().stream().filter(Step.Send.class::isInstance).count();
  }

  /** The number of values that a plan sends from one rack to another. */
  public static long crossings(Plan plan, Network network) {
    return plan.steps().stream()
        .filter(
            step -> step instanceof Step.Send send && !network.sameRack(send.from(), send.node()))
        .count();
  }

  /** The number of values that a plan sends from one site to another. */
  public static long siteCrossings(Plan plan, Network network) {
    return plan.steps().stream()
        .filter(
            step ->
                step instanceof Step.Send send
                    && network.siteOf(send.from()) != network.siteOf(send.node()))
        .count();
  }

  /**
   * The number of time steps, in each of which a node sends at most one value and receives at most
   * one.
   */
  private static int valueSteps(Plan plan) {
    Map<Integer, Integer> readyAt = new HashMap<>();
    Map<Integer, BitSet> sending = new HashMap<>();
    Map<Integer, BitSet> receiving = new HashMap<>();
    int end = 0;
    for (Step step : plan.steps()) {
      int ready = 0;
      if (step instanceof Step.Combine combine) {
        for (Step.Input input : combine.inputs()) {
          ready = Math.max(ready, readyAt.getOrDefault(input.value(), 0));
        }
      } else if (step instanceof Step.Send send) {
        BitSet out = sending.computeIfAbsent(send.from(), node -> new BitSet());
        BitSet in = receiving.computeIfAbsent(send.node(), node -> new BitSet());
        int slot = readyAt.getOrDefault(send.value(), 0);
        while (out.get(slot) || in.get(slot)) {
          slot++;
        }
        out.set(slot);
        in.set(slot);
        ready = slot + 1;
        end = Math.max(end, ready);
      }
      readyAt.put(step.id(), ready);
    }
    return end;
  }
}
