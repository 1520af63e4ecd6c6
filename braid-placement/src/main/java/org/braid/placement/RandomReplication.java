package org.braid.placement;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * Random replication, the baseline of EAR (section 2.1), with the rules of HDFS's default placement
 * policy.
 */
public final class RandomReplication {
  private RandomReplication() {}

  /**
   * Chooses the nodes of a block: first the writer (if it is not eligible a node of its rack),
   * without a writer a random node; second a node of another rack; third another node of the
   * second's rack; further ones at random, at most (replicas - 1) / racks + 2 a rack.
   *
   * <p>Where a rack has too few nodes the choice widens as HDFS's does: to the other chosen rack,
   * then to all. Where even the bound a rack leaves too few nodes it is lifted, so that the answer
   * always has all replicas; HDFS would write fewer.
   *
   * @param writer node that writes the block, -1 when it is outside the cluster
   * @param replicas number of replicas, 1 or more
   * @return distinct eligible nodes in the order chosen
   * @throws PlacementException when there are fewer eligible nodes than replicas
   */
  public static int[] place(
      Topology topology, IntPredicate eligible, int writer, int replicas, RandomGenerator random) {
    return place(topology, eligible, writer, replicas, ReplicaLayout.HDFS, random);
  }

  /**
   * Chooses the nodes of a block as another layout has it: the first replica as above, the others
   * at random among the nodes that the layout allows.
   *
   * @throws PlacementException when there are too few eligible nodes or racks for the layout
   */
  public static int[] place(
      Topology topology,
      IntPredicate eligible,
      int writer,
      int replicas,
      ReplicaLayout layout,
      RandomGenerator random) {
    return place(new Candidates(topology, eligible), writer, replicas, layout, random);
  }

  static int[] place(
      Candidates candidates,
      int writer,
      int replicas,
      ReplicaLayout layout,
      RandomGenerator random) {
    ReplicaDraw draw = new ReplicaDraw(candidates, replicas, layout, random);
    draw.takeFirst(writer);
    return draw.finish();
  }
}
