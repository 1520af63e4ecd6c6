package org.braid.placement;

import java.util.Arrays;

/** Whether a stripe with one more block still needs no relocation after encoding. */
interface FlowTest {
  /** Blocks so far that can keep a replica. */
  int size();

  /** Whether the next block can keep a replica on this node, and all earlier ones can keep one. */
  boolean accepts(int node);

  /** The same for a next block with replicas on all of these nodes. */
  default boolean acceptsAny(int[] nodes) {
    return Arrays.stream(nodes).anyMatch(this::accepts);
  }
}
