package org.braid.placement.replication;

import java.util.List;
import java.util.stream.Stream;

/**
 * A stripe before encoding: the replicas of its blocks so far.
 *
 * @param coreRack the core rack, -1 while none is chosen
 * @param replicas for each block so far the nodes that hold a replica
 */
public record ReplicatedStripe(int coreRack, List<int[]> replicas) {
  /** A stripe without blocks. */
  public static final ReplicatedStripe EMPTY = new ReplicatedStripe(-1, List.of());

  /** Copies the list. */
  public ReplicatedStripe {
    replicas = List.copyOf(replicas);
  }

  /** The stripe after one more block. */
  public ReplicatedStripe plus(BlockPlacement block) {
    return new ReplicatedStripe(
        block.coreRack(), Stream.concat(replicas.stream(), Stream.of(block.nodes())).toList());
  }
}
