package org.braid.hdfs.api.view;

import java.util.List;

/**
 * The present nodes of the blocks of some files.
 *
 * @param nodes in the order of their racks
 * @param blocks data blocks in file order, then the parity blocks of their stripes
 */
public record PlacementView(List<Node> nodes, List<Block> blocks) {
  public PlacementView {
    nodes = List.copyOf(nodes);
    blocks = List.copyOf(blocks);
  }

  /** A DataNode. */
  public record Node(String name, String rack, boolean live) {}

  /**
   * A block.
   *
   * @param label for example {@code modules#12} or {@code parity 1}
   * @param stripe number of its stripe in this view, -1 without one
   * @param position its position in the stripe, -1 without one
   * @param parity whether it is a parity block
   * @param nodes indexes of the nodes that hold a replica
   */
  public record Block(
      String label, int stripe, int position, boolean parity, long bytes, List<Integer> nodes) {
    public Block {
      nodes = List.copyOf(nodes);
    }
  }
}
