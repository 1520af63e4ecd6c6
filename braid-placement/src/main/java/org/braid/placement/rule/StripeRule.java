package org.braid.placement.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;

/**
 * Where the blocks of one stripe of a code may be. Encoding-aware replication, layout, repair, the
 * NameNode's guard and fsck ask the same rule, so that they agree. {@link StripeRules} makes the
 * rule of a code.
 *
 * <p>A parameter {@code nodeOf} gives the node of each of the n blocks of the code: {@link
 * #NOWHERE} for a block on no node, {@link #UNKNOWN} for a block on a node outside the topology.
 */
public interface StripeRule extends ReplicaConditions {
  /** In place of a node: the block is not stored. */
  int NOWHERE = EligibleNodes.NONE;

  /** In place of a node: the block is stored, but its rack is not known now. */
  int UNKNOWN = -2;

  ErasureCode code();

  /** The most blocks of a stripe in a rack. */
  int perRack();

  /** Racks that may hold blocks; empty means all racks. */
  Set<Integer> targetRacks();

  /**
   * The promise of a rule on sites.
   *
   * @param policy the name of the policy over sites
   * @param perSite the most blocks of a stripe at a site
   */
  record SitePromise(String policy, int perSite) {}

  /** The promise on sites; empty for a rule that knows racks only. */
  default Optional<SitePromise> sites() {
    return Optional.empty();
  }

  /**
   * Checks that a stripe fits.
   *
   * @throws PlacementException with the numbers when the stripe does not fit
   */
  void check(EligibleNodes eligible);

  /**
   * Lays out a stripe with few relocations.
   *
   * @param eligible nodes that may hold a block; replicas elsewhere are not kept
   * @param replicas for each data block the nodes with a good replica; fewer than k for a short
   *     stripe, whose other data blocks are zeros that are not stored
   * @throws PlacementException when the stripe does not fit
   */
  default EncodedStripe layout(
      EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
    return layout(eligible, replicas, NodeLoads.NONE, random);
  }

  /**
   * Lays out a stripe with few relocations and, as far as the rule leaves a choice, loads nodes
   * evenly. The columns of a grid leave no choice.
   *
   * @param loads the load of nodes before this stripe
   * @throws PlacementException when the stripe does not fit
   */
  EncodedStripe layout(
      EligibleNodes eligible, List<int[]> replicas, NodeLoads loads, RandomGenerator random);

  /**
   * Whether some layout lets at least {@code blocks} data blocks keep a replica.
   *
   * @param eligible nodes that may keep a block
   * @param replicas for each data block, of 1 to k, the nodes with a replica
   */
  boolean keeps(EligibleNodes eligible, List<int[]> replicas, int blocks);

  /**
   * Chooses a node for each lost block.
   *
   * @param nodeOf where the blocks are; the entries of lost blocks are ignored
   * @param lost blocks to rebuild or to move
   * @return nodes in the order of {@code lost}
   * @throws PlacementException when too few nodes are left under the rule
   */
  int[] destinations(
      EligibleNodes eligible, int[] nodeOf, List<Integer> lost, RandomGenerator random);

  /**
   * Whether a block may be on a node beside the other blocks. False if the answer depends on a
   * block whose rack is not known.
   *
   * @param nodeOf where the other blocks are; the entry of the block itself is ignored
   */
  boolean fits(Topology topology, int[] nodeOf, int block, int node);

  /**
   * How close a block on a node is to blocks that it should be apart from, beyond what the rule
   * demands. Of the nodes that fit, the lowest value is the best; 0 when no such block is near.
   *
   * @param nodeOf where the other blocks are; the entry of the block itself is ignored
   */
  default int crowding(Topology topology, int[] nodeOf, int block, int node) {
    return 0;
  }

  /**
   * The blocks that break the rule, each with the reason in words.
   *
   * @param claims all blocks that are on a node; of two blocks that cannot both stay the earlier
   *     one stays
   */
  Map<Integer, String> breaches(Topology topology, int[] nodeOf, List<Integer> claims);
}
