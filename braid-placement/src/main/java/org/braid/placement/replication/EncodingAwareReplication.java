package org.braid.placement.replication;

import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.flow.FlowCheck;
import org.braid.placement.rule.ReplicaConditions;
import org.jspecify.annotations.Nullable;

/**
 * Encoding-aware replication (EAR sections 3.1 - 3.4): each block of a stripe has a replica in the
 * core rack of the stripe, where encoding needs no cross-rack downloads. The other replicas are
 * drawn as in random replication until every block so far can keep one replica under the conditions
 * of the stripe, so that encoding relocates no block.
 */
public final class EncodingAwareReplication implements BlockPlacer {
  /** Draws of a block's layout before a layout is constructed. */
  public static final int DEFAULT_MAX_ATTEMPTS = 1000;

  private final ReplicaConditions conditions;
  private final ReplicaLayout layout;
  private final int maxAttempts;

  /** Encoding-aware replication with {@link #DEFAULT_MAX_ATTEMPTS}. */
  public EncodingAwareReplication(ReplicaConditions conditions, ReplicaLayout layout) {
    this(conditions, layout, DEFAULT_MAX_ATTEMPTS);
  }

  /**
   * Encoding-aware replication.
   *
   * @param conditions under which a stripe needs no relocation
   * @param layout how the replicas of a block are spread
   * @param maxAttempts draws of a block's layout before a layout is constructed, 0 to construct at
   *     once
   */
  public EncodingAwareReplication(
      ReplicaConditions conditions, ReplicaLayout layout, int maxAttempts) {
    if (maxAttempts < 0) {
      throw new IllegalArgumentException("maxAttempts is " + maxAttempts + ", needed is 0 or more");
    }
    this.conditions = conditions;
    this.layout = layout;
    this.maxAttempts = maxAttempts;
  }

  /**
   * Places the next block of a stripe.
   *
   * <p>A stripe without a core rack gets one: of the racks with eligible nodes the one with
   * replicas of the most earlier blocks; for the first block the writer's rack, or the rack of a
   * random node if the writer is not eligible. The first replica is on the writer if the writer is
   * in the core rack. A block of one replica goes to the core rack while the conditions allow it,
   * then to any rack that they allow.
   *
   * @param earlier the earlier blocks of the stripe, where they were placed or found
   * @param eligible nodes that may get a replica; earlier replicas may be elsewhere
   * @param writer node that writes the block, -1 when it is outside the cluster
   * @throws PlacementException when there are too few eligible nodes, none in the core rack, or
   *     none on which the block can keep a replica
   */
  @Override
  public BlockPlacement place(
      ReplicatedStripe earlier,
      EligibleNodes eligible,
      int writer,
      int replicas,
      RandomGenerator random) {
    CoreRackDraw block = new CoreRackDraw(eligible, earlier, writer, replicas, layout, random);
    FlowCheck test = conditions.after(eligible, earlier.replicas(), random);
    if (replicas == 1) {
      int node = single(eligible, block.core(), writer, test, random);
      if (node == EligibleNodes.NONE) {
        throw noPlace(earlier, test, eligible);
      }
      return new BlockPlacement(block.core(), new int[] {node}, 1);
    }
    for (int attempt = 1; attempt <= maxAttempts; attempt++) {
      int[] nodes = block.draw();
      if (test.acceptsAny(nodes)) {
        return new BlockPlacement(block.core(), nodes, attempt);
      }
    }
    ReplicaDraw constructed = construct(eligible, block, test, random);
    if (constructed == null) {
      throw noPlace(earlier, test, eligible);
    }
    return new BlockPlacement(block.core(), constructed.finish(), maxAttempts + 1);
  }

  /** The first replicas of a layout that passes the check; null when no layout does. */
  private @Nullable ReplicaDraw construct(
      EligibleNodes eligible, CoreRackDraw block, FlowCheck test, RandomGenerator random) {
    ReplicaDraw draw = block.first();
    int kept = eligible.pick(node -> draw.allowsSecond(node) && test.accepts(node), random);
    if (kept != EligibleNodes.NONE) {
      draw.take(kept);
      return draw;
    }
    int inCore = eligible.pickIn(block.core(), test::accepts, random);
    if (inCore == EligibleNodes.NONE) {
      return null;
    }
    ReplicaDraw only = block.empty();
    only.take(inCore);
    return only;
  }

  /** The node of a block of one replica, in the core rack if the check allows; -1 for none. */
  private int single(
      EligibleNodes eligible, int core, int writer, FlowCheck test, RandomGenerator random) {
    boolean local = eligible.contains(writer) && test.accepts(writer);
    if (local && eligible.topology().rackOf(writer) == core) {
      return writer;
    }
    int node = eligible.pickIn(core, test::accepts, random);
    if (node != EligibleNodes.NONE) {
      return node;
    }
    return local ? writer : eligible.pick(test::accepts, random);
  }

  private PlacementException noPlace(
      ReplicatedStripe earlier, FlowCheck test, EligibleNodes eligible) {
    return new PlacementException(
        "blocks that keep a replica",
        test.size() + 1,
        test.size(),
        ("block %d of the stripe needs a node that lets %d blocks keep a replica on distinct nodes"
                + " with %s, %d do without it and none of the %d eligible nodes adds one: allow more"
                + " blocks a rack, add target racks or nodes, or start another stripe")
            .formatted(
                earlier.replicas().size() + 1,
                test.size() + 1,
                conditions.text(),
                test.size(),
                eligible.size()));
  }
}
