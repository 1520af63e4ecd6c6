package org.braid.placement.grouping;

import java.util.Arrays;

/**
 * The nodes that hold a replica of each block, in two arrays. Blocks are numbered from 0 in file
 * order.
 */
public final class ReplicaTable {
  private final int[] nodes;
  private final int[] ends;

  private ReplicaTable(int[] nodes, int[] ends) {
    this.nodes = nodes;
    this.ends = ends;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Number of blocks. */
  public int blocks() {
    return ends.length;
  }

  /** Number of replicas of a block. */
  public int replicas(int block) {
    return ends[block] - first(block);
  }

  /** The node of one replica. */
  public int node(int block, int replica) {
    return nodes[first(block) + replica];
  }

  /** The nodes of a block. */
  public int[] nodes(int block) {
    return Arrays.copyOfRange(nodes, first(block), ends[block]);
  }

  private int first(int block) {
    return block == 0 ? 0 : ends[block - 1];
  }

  /** Collects blocks in file order. */
  public static final class Builder {
    private int[] nodes = new int[64];
    private int[] ends = new int[16];
    private int blocks;
    private int size;

    private Builder() {}

    /**
     * Adds a block.
     *
     * @param replicas distinct nodes with a good replica, at least one
     */
    public Builder add(int... replicas) {
      if (replicas.length == 0) {
        throw new IllegalArgumentException("block " + blocks + " has no replica");
      }
      if (size + replicas.length > nodes.length) {
        nodes = Arrays.copyOf(nodes, 2 * (size + replicas.length));
      }
      if (blocks == ends.length) {
        ends = Arrays.copyOf(ends, 2 * blocks);
      }
      System.arraycopy(replicas, 0, nodes, size, replicas.length);
      size += replicas.length;
      ends[blocks++] = size;
      return this;
    }

    public ReplicaTable build() {
      return new ReplicaTable(Arrays.copyOf(nodes, size), Arrays.copyOf(ends, blocks));
    }
  }
}
