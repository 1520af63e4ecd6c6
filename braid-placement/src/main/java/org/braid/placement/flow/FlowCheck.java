package org.braid.placement.flow;

/** Checks whether one more block can join a stripe so that encoding still relocates no block. */
public interface FlowCheck {
  /** Number of blocks of the stripe that can keep a replica. */
  int size();

  /** Whether all blocks can keep a replica when the next block has replicas on these nodes. */
  boolean acceptsAny(int[] nodes);

  /**
   * Whether all blocks can keep a replica when the next block has its only replica on this node.
   */
  default boolean accepts(int node) {
    return acceptsAny(new int[] {node});
  }
}
