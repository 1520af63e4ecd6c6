package org.braid.placement.replication;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.rule.EncodedStripe;
import org.braid.placement.rule.StripeRule;

/** A policy that places the replicas of blocks which may be encoded later. */
public interface ReplicationPolicy {
  /** The name on command lines. */
  String name();

  /** The policy in one line. */
  String description();

  /** The paper and section that describe it. */
  String source();

  /**
   * The placer of the replicas of stripes under a rule.
   *
   * @param rule where the blocks of a stripe may be after encoding
   * @param layout how the replicas of a block are spread over racks
   * @throws PlacementException when the policy cannot keep its promises for the code
   */
  BlockPlacer placer(StripeRule rule, ReplicaLayout layout);

  /**
   * Lays out a stripe that this policy placed.
   *
   * @param rule where the blocks of a stripe may be after encoding
   * @param eligible nodes that may hold a block; replicas elsewhere are not kept
   * @param replicas for each data block the nodes with a good replica
   * @throws PlacementException when the blocks find no places
   */
  EncodedStripe encode(
      StripeRule rule, EligibleNodes eligible, List<int[]> replicas, RandomGenerator random);

  /** Why the policy is for studies only; empty for a policy that files can be written under. */
  default Optional<String> studiesOnly() {
    return Optional.empty();
  }
}
