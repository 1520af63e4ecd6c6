package org.braid.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.api.view.PlacementView.Block;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;

/** Which node of the embedded cluster holds which block of a stripe. */
final class BlockLocations {
  private final PlacementView view;
  private final int[] nodeOf;
  private final Map<Integer, List<Block>> stripes = new TreeMap<>();

  /**
   * Reads a view.
   *
   * @param names the cluster's nodes, by index
   */
  BlockLocations(PlacementView view, List<String> names) {
    this.view = view;
    Map<String, Integer> indexes = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      indexes.put(names.get(i), i);
    }
    nodeOf = view.nodes().stream().mapToInt(n -> indexes.getOrDefault(n.name(), -1)).toArray();
    for (Block block : view.blocks()) {
      if (block.stripe() >= 0) {
        stripes.computeIfAbsent(block.stripe(), s -> new ArrayList<>()).add(block);
      }
    }
  }

  /** The blocks of each stripe, by its number. */
  Map<Integer, List<Block>> stripes() {
    return stripes;
  }

  /** The nodes that hold a block and pass a filter. */
  Set<Integer> holders(Block block, IntPredicate passes) {
    Set<Integer> holders = new HashSet<>();
    for (int node : block.nodes()) {
      if (nodeOf[node] >= 0 && passes.test(nodeOf[node])) {
        holders.add(nodeOf[node]);
      }
    }
    return holders;
  }

  /** The nodes that pass a filter, those with most blocks of stripes first. */
  List<Integer> heaviest(IntPredicate passes) {
    Map<Integer, Integer> held = new TreeMap<>();
    for (int node : nodeOf) {
      if (node >= 0 && passes.test(node)) {
        held.put(node, 0);
      }
    }
    stripes.values().stream()
        .flatMap(List::stream)
        .forEach(block -> holders(block, passes).forEach(n -> held.merge(n, 1, Integer::sum)));
    List<Integer> order = new ArrayList<>(held.keySet());
    order.sort(Comparator.comparing((Integer n) -> -held.getOrDefault(n, 0)));
    return order;
  }

  /** Blocks of stripes that no running node holds. */
  Set<Block> lost(IntPredicate running) {
    Set<Block> lost = new HashSet<>();
    for (List<Block> stripe : stripes.values()) {
      for (Block block : stripe) {
        if (holders(block, running).isEmpty()) {
          lost.add(block);
        }
      }
    }
    return lost;
  }

  /** Lost blocks that the rest of their stripes cannot rebuild. */
  Set<Block> beyondRepair(ErasureCode code, IntPredicate running) {
    Map<Integer, List<Block>> lost = new HashMap<>();
    lost(running).forEach(b -> lost.computeIfAbsent(b.stripe(), s -> new ArrayList<>()).add(b));
    Set<Block> beyond = new HashSet<>();
    for (List<Block> blocks : lost.values()) {
      Set<Integer> positions = new HashSet<>();
      blocks.forEach(block -> positions.add(block.position()));
      if (!Solver.decodable(code, positions)) {
        List<Integer> left =
            IntStream.range(0, code.n()).filter(i -> !positions.contains(i)).boxed().toList();
        blocks.stream()
            .filter(block -> Solver.solve(code, Set.of(block.position()), left).isEmpty())
            .forEach(beyond::add);
      }
    }
    return beyond;
  }

  /** Whether every block of a stripe has exactly one holder. */
  boolean settled(IntPredicate running) {
    return stripes.values().stream()
        .flatMap(List::stream)
        .allMatch(block -> block.nodes().size() == 1 && holders(block, running).size() == 1);
  }

  /** The stripes that break a rule, by number, with one breach of each. */
  Map<Integer, String> breaches(StripeRule rule, Topology topology) {
    Map<Integer, String> found = new TreeMap<>();
    stripes.forEach(
        (number, blocks) -> {
          int[] places = new int[rule.code().n()];
          Arrays.fill(places, StripeRule.NOWHERE);
          for (Block block : blocks) {
            holders(block, node -> true).stream()
                .findFirst()
                .ifPresent(node -> places[block.position()] = node);
          }
          List<Integer> stored =
              IntStream.range(0, places.length).filter(b -> places[b] >= 0).boxed().toList();
          rule.breaches(topology, places, stored).values().stream()
              .findFirst()
              .ifPresent(breach -> found.put(number, breach));
        });
    return found;
  }

  /** Most blocks of one stripe in a rack. */
  int mostInARack() {
    int most = 0;
    for (List<Block> stripe : stripes.values()) {
      Map<String, Integer> racks = new HashMap<>();
      for (Block block : stripe) {
        for (int node : block.nodes()) {
          most = Math.max(most, racks.merge(view.nodes().get(node).rack(), 1, Integer::sum));
        }
      }
    }
    return most;
  }

  /** Most blocks of one stripe on a node. */
  int mostOnANode() {
    int most = 0;
    for (List<Block> stripe : stripes.values()) {
      Map<Integer, Integer> nodes = new HashMap<>();
      for (Block block : stripe) {
        for (int node : block.nodes()) {
          most = Math.max(most, nodes.merge(node, 1, Integer::sum));
        }
      }
    }
    return most;
  }

  PlacementView view() {
    return view;
  }
}
