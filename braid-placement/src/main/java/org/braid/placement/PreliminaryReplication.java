package org.braid.placement;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.placement.EncodingAwareReplication.BlockPlacement;
import org.braid.placement.EncodingAwareReplication.StripeState;

/**
 * The preliminary design of encoding-aware replication (EAR section 3.1): each block of a stripe
 * has its first replica in the core rack, the others are drawn as in random replication without a
 * flow test, so that encoding may have to move blocks (probability: {@link ViolationProbability}).
 */
public final class PreliminaryReplication implements BlockPlacer {
  private final Topology topology;
  private final ReplicaLayout layout;

  /** Preliminary encoding-aware replication with a layout of replicas. */
  public PreliminaryReplication(Topology topology, ReplicaLayout layout) {
    this.topology = topology;
    this.layout = layout;
  }

  /**
   * Places the next block of a stripe; the core rack is chosen as {@link EncodingAwareReplication}
   * does.
   *
   * @throws PlacementException when there are too few eligible nodes or racks for the layout, or no
   *     eligible node in the core rack
   */
  @Override
  public BlockPlacement place(
      StripeState earlier,
      IntPredicate eligible,
      int writer,
      int replicas,
      RandomGenerator random) {
    CoreRackDraw block =
        new CoreRackDraw(
            new Candidates(topology, eligible), earlier, writer, replicas, layout, random);
    return new BlockPlacement(block.core(), block.draw(), 1);
  }
}
