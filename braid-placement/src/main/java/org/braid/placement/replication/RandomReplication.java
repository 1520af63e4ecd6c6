package org.braid.placement.replication;

import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;

/**
 * Random replication, the baseline of EAR (section 2.1), with the rules of HDFS's default placement
 * policy.
 */
public final class RandomReplication implements BlockPlacer {
  private final ReplicaLayout layout;

  /** Random replication with a layout of replicas. */
  public RandomReplication(ReplicaLayout layout) {
    this.layout = layout;
  }

  /**
   * Chooses the nodes of a block: the first on the writer, or in its rack if the writer is not
   * eligible, or on a random node without a writer; the second in another rack; the third in the
   * rack of the second; further ones on random nodes, at most (replicas - 1) / racks + 2 in a rack.
   * Layouts other than HDFS's draw the replicas after the first among the nodes that the layout
   * allows.
   *
   * <p>If a rack has too few nodes, the choice widens as HDFS's does: to the other chosen rack,
   * then to all racks. If the bound for a rack leaves too few nodes, it is lifted, so that the
   * block gets all its replicas; HDFS writes fewer.
   *
   * @param writer node that writes the block, -1 when it is outside the cluster
   * @param replicas number of replicas, 1 or more
   * @return distinct eligible nodes in the order chosen
   * @throws PlacementException when there are too few eligible nodes or racks for the layout
   */
  public static int[] place(
      EligibleNodes eligible,
      int writer,
      int replicas,
      ReplicaLayout layout,
      RandomGenerator random) {
    ReplicaDraw draw = new ReplicaDraw(eligible, replicas, layout, random);
    draw.takeFirst(writer);
    return draw.finish();
  }

  @Override
  public BlockPlacement place(
      ReplicatedStripe earlier,
      EligibleNodes eligible,
      int writer,
      int replicas,
      RandomGenerator random) {
    return new BlockPlacement(-1, place(eligible, writer, replicas, layout, random), 1);
  }
}
