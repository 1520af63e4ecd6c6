package org.braid.placement.grouping;

import java.util.function.IntPredicate;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;
import org.braid.placement.grouping.KeptReplicas.Cluster;

/** What it costs to encode some blocks together. Not thread-safe. */
public final class StripeCosts {
  private final Cluster cluster;

  /**
   * Costs on a cluster.
   *
   * @param eligible nodes that may keep a block of a stripe
   * @param rule where the blocks of a stripe may be after encoding
   */
  public StripeCosts(
      Topology topology, IntPredicate eligible, ReplicaTable table, StripeRule rule) {
    cluster = new Cluster(topology, table, eligible, rule);
  }

  /**
   * A stripe's costs.
   *
   * @param coreRack the rack that holds a replica of most blocks
   * @param downloads blocks of which it holds none
   * @param relocations blocks of which no replica can stay
   */
  public record Cost(int coreRack, int downloads, int relocations) {
    /** Whether nothing crosses racks but parity. */
    public boolean isFree() {
      return downloads == 0 && relocations == 0;
    }
  }

  /** The costs of a stripe of these blocks, at least one. */
  public Cost of(int... blocks) {
    KeptReplicas kept = new KeptReplicas(cluster, blocks.length);
    for (int block : blocks) {
      kept.add(block);
    }
    int rack = cluster.fullestRack(blocks);
    return new Cost(rack, cluster.downloads(blocks, rack), kept.relocations());
  }
}
