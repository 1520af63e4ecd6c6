package org.braid.placement;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.placement.StripePlacement.StripeLayout;

/**
 * Where the blocks of one stripe of a code may be. Whoever lays a stripe out, repairs it or checks
 * it asks the same rule, so that what one of them does is right for the others. {@link StripeRules}
 * makes the rule of a code.
 *
 * <p>Places are given as {@code nodeOf}: the node of each of the code's n blocks, {@link #NOWHERE}
 * for a block that has none, {@link #UNKNOWN} for one that is on a node which the topology does not
 * know.
 */
public interface StripeRule {
  /** In place of a node: the block is not stored. */
  int NOWHERE = Candidates.NONE;

  /** In place of a node: the block is stored, in a rack that is not known now. */
  int UNKNOWN = -2;

  ErasureCode code();

  /** Blocks of a stripe that a rack holds at most. */
  int perRack();

  /** Racks that may hold blocks; empty means all racks. */
  Set<Integer> targetRacks();

  /**
   * What a rule promises of sites.
   *
   * @param policy the name of the policy over sites
   * @param perSite blocks of a stripe that a site holds at most
   */
  record SitePromise(String policy, int perSite) {}

  /** What is promised of sites; empty for a rule that knows racks only. */
  default Optional<SitePromise> sites() {
    return Optional.empty();
  }

  /** The rule in words, for example {@code at most 2 blocks of a stripe in a rack}. */
  String text();

  /**
   * Checks that a stripe finds places.
   *
   * @throws PlacementException with the numbers when it does not
   */
  void check(Topology topology, IntPredicate eligible);

  /**
   * Lays out a stripe with few relocations.
   *
   * @param eligible nodes that may hold a block; replicas elsewhere are not kept
   * @param replicas for each data block the nodes with a good replica; of a short stripe fewer than
   *     k, the blocks beyond are zeros that are not stored
   * @throws PlacementException when the blocks find no places
   */
  default StripeLayout layout(
      Topology topology, IntPredicate eligible, List<int[]> replicas, RandomGenerator random) {
    return layout(topology, eligible, replicas, NodeLoads.NONE, random);
  }

  /**
   * Lays out a stripe as above, and as far as the rule leaves a choice so that it loads nodes
   * evenly; grids leave none.
   *
   * @param loads what nodes serve and store before this stripe
   * @throws PlacementException when the blocks find no places
   */
  StripeLayout layout(
      Topology topology,
      IntPredicate eligible,
      List<int[]> replicas,
      NodeLoads loads,
      RandomGenerator random);

  /**
   * Whether some layout of a stripe leaves so many of its data blocks where they have a replica.
   *
   * @param eligible nodes that may keep a block
   * @param replicas for each data block, of 1 to k, the nodes with a replica
   */
  boolean keeps(Topology topology, IntPredicate eligible, List<int[]> replicas, int blocks);

  /** Encoding-aware replication under which a stripe of this rule needs no relocation. */
  BlockPlacer replication(Topology topology, ReplicaLayout layout);

  /**
   * Chooses a node for each lost block.
   *
   * @param nodeOf where the blocks are; what it says of lost ones does not count
   * @param lost blocks to rebuild or to move
   * @return nodes in the order of {@code lost}
   * @throws PlacementException when there are not enough nodes in the right places
   */
  int[] destinations(
      Topology topology,
      IntPredicate eligible,
      int[] nodeOf,
      List<Integer> lost,
      RandomGenerator random);

  /**
   * Whether a block may be on a node while all others are where they are. Where that depends on a
   * block whose rack is not known, it may not.
   *
   * @param nodeOf where the others are; what it says of the block itself does not count
   */
  boolean fits(Topology topology, int[] nodeOf, int block, int node);

  /**
   * How near a block would be to those that it had better be apart from, though the rule lets it;
   * of nodes that fit the lower is the better. 0 where nothing is near.
   *
   * @param nodeOf where the others are; what it says of the block itself does not count
   */
  default int crowding(Topology topology, int[] nodeOf, int block, int node) {
    return 0;
  }

  /**
   * The blocks that break the rule where they are, and how, in words.
   *
   * @param claims all blocks that are on a node; where two cannot both stay, the earlier one does
   */
  Map<Integer, String> breaches(Topology topology, int[] nodeOf, List<Integer> claims);
}
