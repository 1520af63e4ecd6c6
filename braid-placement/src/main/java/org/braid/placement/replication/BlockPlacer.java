package org.braid.placement.replication;

import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;

/** Places the replicas of the blocks of a stripe, one block after the other. */
@FunctionalInterface
public interface BlockPlacer {
  /**
   * Places the next block of a stripe.
   *
   * @param earlier the earlier blocks of the stripe, where they were placed or found
   * @param eligible nodes that may get a replica; earlier replicas may be elsewhere
   * @param writer node that writes the block, -1 when it is outside the cluster
   * @param replicas number of replicas, 1 or more
   * @throws PlacementException when what the policy promises cannot be kept
   */
  BlockPlacement place(
      ReplicatedStripe earlier,
      EligibleNodes eligible,
      int writer,
      int replicas,
      RandomGenerator random);

  /**
   * Places the blocks of a new stripe, written from outside the cluster.
   *
   * @param blocks number of data blocks
   * @param replicas number of replicas of each, 1 or more
   * @throws PlacementException when what the policy promises cannot be kept
   */
  default ReplicatedStripe placeStripe(
      int blocks, EligibleNodes eligible, int replicas, RandomGenerator random) {
    ReplicatedStripe stripe = ReplicatedStripe.EMPTY;
    for (int block = 0; block < blocks; block++) {
      stripe = stripe.plus(place(stripe, eligible, -1, replicas, random));
    }
    return stripe;
  }
}
