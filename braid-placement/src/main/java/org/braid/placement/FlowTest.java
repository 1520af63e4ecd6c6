package org.braid.placement;

/** Whether a stripe with one more block still needs no relocation after encoding. */
public interface FlowTest {
  /** Blocks so far that can keep a replica. */
  int size();

  /**
   * Whether the next block, with replicas on all of these nodes, can keep one, and all earlier
   * blocks can keep one too.
   */
  boolean acceptsAny(int[] nodes);

  /** The same for a next block with one replica. */
  default boolean accepts(int node) {
    return acceptsAny(new int[] {node});
  }
}
