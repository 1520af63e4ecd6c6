package org.braid.cli.plan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.placement.PlacementException;

/**
 * A stripe on a grid of racks. One block a node; blocks go round the racks, so that no rack has
 * more than it must (the smallest c). Codes whose stripe is a grid of racks have each of its
 * columns in a rack.
 *
 * <p>A lost block's new home is a free node of its rack; where all nodes of the rack hold blocks of
 * the stripe, it is the block's own node, with the broken part replaced.
 */
final class StripeLayout {
  private final Grid grid;
  private final int[] nodeOf;

  private StripeLayout(Grid grid, int[] nodeOf) {
    this.grid = grid;
    this.nodeOf = nodeOf;
  }

  /**
   * Places a stripe.
   *
   * @throws PlacementException when there are too few racks or nodes
   */
  static StripeLayout of(ErasureCode code, Grid grid) {
    Optional<List<Integer>> columns = code.racks();
    int racks = columns.map(c -> c.stream().mapToInt(r -> r + 1).max().orElse(1)).orElse(1);
    if (racks > grid.racks()) {
      throw new PlacementException(
          "racks",
          racks,
          grid.racks(),
          "%s needs %d racks, one for each column of its stripe, %s has %d: add racks"
              .formatted(code.name(), racks, grid, grid.racks()));
    }
    int[] used = new int[grid.racks()];
    int[] nodeOf = new int[code.n()];
    for (int block = 0; block < code.n(); block++) {
      int turn = block % grid.racks();
      int at = block;
      int rack = columns.map(c -> c.get(at)).orElse(turn);
      nodeOf[block] = rack * grid.nodes() + used[rack]++;
    }
    int most = Arrays.stream(used).max().orElse(0);
    if (most > grid.nodes()) {
      throw new PlacementException(
          "nodes in a rack",
          most,
          grid.nodes(),
          ("%s needs a node for each of its %d blocks, which is %d in a rack, %s has %d: add nodes"
                  + " or racks")
              .formatted(code.name(), code.n(), most, grid, grid.nodes()));
    }
    return new StripeLayout(grid, nodeOf);
  }

  /** The node of a block. */
  int node(int block) {
    return nodeOf[block];
  }

  /** The nodes of some blocks, in order. */
  int[] nodes(int from, int to) {
    return Arrays.copyOfRange(nodeOf, from, to);
  }

  /** By lost block, its new home; no two have the same. */
  Map<Integer, Integer> roots(List<Integer> lost) {
    Map<Integer, Integer> roots = new HashMap<>();
    for (int block : lost) {
      int first = nodeOf[block] / grid.nodes() * grid.nodes();
      int home =
          IntStream.range(first, first + grid.nodes())
              .filter(node -> Arrays.stream(nodeOf).noneMatch(n -> n == node))
              .filter(node -> !roots.containsValue(node))
              .findFirst()
              .orElse(nodeOf[block]);
      roots.put(block, home);
    }
    return roots;
  }
}
