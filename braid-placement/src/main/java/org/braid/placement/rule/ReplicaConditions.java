package org.braid.placement.rule;

import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.flow.FlowCheck;

/**
 * The conditions that encoding-aware replication keeps while it places the replicas of a stripe:
 * all blocks can keep a replica where the blocks may be after encoding.
 */
public interface ReplicaConditions {
  /**
   * The check of the next block.
   *
   * @param eligible nodes that may get a replica; earlier replicas may be elsewhere
   * @param replicas for each block so far the nodes that hold a replica
   */
  FlowCheck after(EligibleNodes eligible, List<int[]> replicas, RandomGenerator random);

  /** The conditions in words, for example {@code at most 2 blocks of a stripe in a rack}. */
  String text();
}
