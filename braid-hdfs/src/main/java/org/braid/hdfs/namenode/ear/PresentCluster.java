package org.braid.hdfs.namenode.ear;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.net.NetworkTopology;
import org.braid.code.LruCache;
import org.braid.hdfs.namenode.host.ClusterTopology;
import org.braid.hdfs.setting.EarSetting;
import org.braid.placement.EligibleNodes;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.rule.StripeRule;

/**
 * The nodes, at most a second old, and what EAR settings derive from them: scanning all nodes takes
 * longer than placing a block. A caller that finds them outdated scans again; meanwhile others use
 * the old ones. Before a node is chosen, its presence is checked again. Thread-safe.
 */
final class PresentCluster {
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int REMEMBERED = 1000;

  private record RuleKey(String setting, long stripe) {}

  /** The rule for the blocks of a stripe, and the placer that follows it. */
  record Prepared(StripeRule rule, BlockPlacer placer) {}

  /** The nodes at one moment. */
  static final class Snapshot {
    private final ClusterTopology cluster;
    private final BitSet inService;
    private final LruCache<RuleKey, Prepared> prepared;
    private final long since = System.nanoTime();

    private Snapshot(
        ClusterTopology cluster, BitSet inService, LruCache<RuleKey, Prepared> prepared) {
      this.cluster = cluster;
      this.inService = inService;
      this.prepared = prepared;
    }

    /** The nodes. */
    ClusterTopology cluster() {
      return cluster;
    }

    /**
     * The rule and placer of a stripe on the nodes in service.
     *
     * @param text text of the setting
     * @param stripe number that selects the stripe's target racks, if the setting has any
     */
    Prepared prepared(EarSetting setting, String text, long stripe) {
      return prepared.get(
          new RuleKey(text, setting.targetRacks().isEmpty() ? 0 : stripe),
          asked -> {
            EligibleNodes nodes = EligibleNodes.of(cluster.topology(), inService::get);
            StripeRule rule = setting.rule(nodes, stripe);
            return new Prepared(rule, setting.placer(rule));
          });
    }
  }

  private final ReentrantLock looking = new ReentrantLock();
  private volatile Snapshot last =
      new Snapshot(ClusterTopology.of(java.util.List.of()), new BitSet(), new LruCache<>(1));

  /** The nodes now, or up to a second ago, or before while another thread scans. */
  Snapshot now(NetworkTopology map) {
    Snapshot known = last;
    boolean old =
        map.getNumOfLeaves() != known.cluster.nodes().size()
            || System.nanoTime() - known.since > NANOS;
    if (!old) {
      return known;
    }
    if (known.cluster.nodes().isEmpty()) {
      looking.lock();
    } else if (!looking.tryLock()) {
      return known;
    }
    try {
      Snapshot fresh = look(map, last);
      last = fresh;
      return fresh;
    } finally {
      looking.unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality") // a topology that does not change stays the same object
  private static Snapshot look(NetworkTopology map, Snapshot before) {
    ClusterTopology cluster = ClusterTopology.of(map, before.cluster);
    BitSet inService = new BitSet();
    for (int node = 0; node < cluster.nodes().size(); node++) {
      inService.set(node, cluster.nodes().get(node).isInService());
    }
    boolean same =
        cluster.topology() == before.cluster.topology() && inService.equals(before.inService);
    return new Snapshot(cluster, inService, same ? before.prepared : new LruCache<>(REMEMBERED));
  }
}
