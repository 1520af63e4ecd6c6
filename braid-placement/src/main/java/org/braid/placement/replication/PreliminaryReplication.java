package org.braid.placement.replication;

import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;

/**
 * The preliminary design of encoding-aware replication (EAR section 3.1): each block of a stripe
 * has its first replica in the core rack, the others are drawn as in random replication. Encoding
 * may have to relocate blocks; equation (1) of the paper gives the probability.
 */
public final class PreliminaryReplication implements BlockPlacer {
  private final ReplicaLayout layout;

  /** Preliminary encoding-aware replication with a layout of replicas. */
  public PreliminaryReplication(ReplicaLayout layout) {
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
      ReplicatedStripe earlier,
      EligibleNodes eligible,
      int writer,
      int replicas,
      RandomGenerator random) {
    CoreRackDraw block = new CoreRackDraw(eligible, earlier, writer, replicas, layout, random);
    return new BlockPlacement(block.core(), block.draw(), 1);
  }
}
