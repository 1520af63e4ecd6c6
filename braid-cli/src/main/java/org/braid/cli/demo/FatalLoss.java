package org.braid.cli.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import org.braid.code.ErasureCode;
import org.braid.code.Promises.Combinations;
import org.braid.code.Solver;
import org.braid.code.derive.Tolerance;
import org.braid.hdfs.api.view.PlacementView.Block;

/**
 * A set of nodes whose loss exceeds the tolerance of a stripe by one.
 *
 * @param nodes the nodes, one more than the code tolerates
 * @param stripes stripes that then have blocks beyond repair
 * @param blocks the blocks beyond repair, data among them
 */
record FatalLoss(List<Integer> nodes, long stripes, Set<Block> blocks) {
  /** Most patterns of a stripe that are tried. */
  private static final int PATTERNS = 2_000;

  /** Most fatal patterns that are compared. */
  private static final int CANDIDATES = 2_000;

  /**
   * The loss that breaks the fewest stripes, among a bounded number of candidates; empty when no
   * stripe has enough blocks on distinct nodes.
   */
  static Optional<FatalLoss> smallest(
      BlockLocations locations, ErasureCode code, Tolerance tolerance, IntPredicate runs) {
    Optional<FatalLoss> best = Optional.empty();
    int candidates = 0;
    for (List<Block> stripe : locations.stripes().values()) {
      for (List<Integer> nodes : patterns(locations, stripe, code, tolerance, runs)) {
        FatalLoss loss = of(locations, code, nodes, runs);
        boolean data = loss.blocks.stream().anyMatch(block -> !block.parity());
        if (data && (best.isEmpty() || loss.stripes < best.get().stripes)) {
          best = Optional.of(loss);
        }
        if (++candidates > CANDIDATES || (best.isPresent() && best.get().stripes == 1)) {
          return best;
        }
      }
    }
    return best;
  }

  /** Sets of nodes whose loss a stripe does not survive. */
  private static List<List<Integer>> patterns(
      BlockLocations locations,
      List<Block> stripe,
      ErasureCode code,
      Tolerance tolerance,
      IntPredicate runs) {
    Map<Integer, Integer> nodeOf = new HashMap<>();
    for (Block block : stripe) {
      locations.holders(block, runs).stream()
          .findFirst()
          .ifPresent(node -> nodeOf.put(block.position(), node));
    }
    List<Integer> stored = nodeOf.keySet().stream().sorted().toList();
    List<List<Integer>> found = new ArrayList<>();
    if (nodeOf.keySet().containsAll(tolerance.fatal())) {
      found.add(nodes(tolerance.fatal(), nodeOf));
    }
    int size = tolerance.atMost() + 1;
    if (stored.size() < size) {
      return found;
    }
    int[] tried = new int[1];
    new Combinations(stored.size(), size)
        .each(
            places -> {
              List<Integer> positions = places.stream().map(stored::get).toList();
              if (!Solver.decodable(code, positions)) {
                found.add(nodes(positions, nodeOf));
              }
              return ++tried[0] < PATTERNS;
            });
    return found;
  }

  private static List<Integer> nodes(List<Integer> positions, Map<Integer, Integer> nodeOf) {
    return positions.stream().map(i -> nodeOf.getOrDefault(i, -1)).distinct().toList();
  }

  private static FatalLoss of(
      BlockLocations locations, ErasureCode code, List<Integer> nodes, IntPredicate runs) {
    Set<Block> blocks =
        new HashSet<>(locations.beyondRepair(code, n -> runs.test(n) && !nodes.contains(n)));
    long stripes = blocks.stream().map(Block::stripe).distinct().count();
    return new FatalLoss(nodes, stripes, blocks);
  }
}
