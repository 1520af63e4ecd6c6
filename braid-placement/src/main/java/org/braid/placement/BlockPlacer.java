package org.braid.placement;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.placement.EncodingAwareReplication.BlockPlacement;
import org.braid.placement.EncodingAwareReplication.StripeState;

/** A policy on a cluster: places the replicas of one block after the other. */
@FunctionalInterface
public interface BlockPlacer {
  /**
   * Places the next block of a stripe.
   *
   * @param earlier blocks of the stripe as they are, chosen here or found
   * @param eligible nodes that may get a replica; earlier replicas may be elsewhere
   * @param writer node that writes the block, -1 when it is outside the cluster
   * @param replicas number of replicas, 1 or more
   * @throws PlacementException when what the policy promises cannot be kept
   */
  BlockPlacement place(
      StripeState earlier, IntPredicate eligible, int writer, int replicas, RandomGenerator random);
}
