package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.jspecify.annotations.Nullable;

/**
 * The decision which replica of a block stays. A caller of the block manager passes it to the
 * placement policy on the same thread, because HDFS does not tell the policy which block it decides
 * on.
 */
public final class DeletionPlan {
  /**
   * A decision for the policy.
   *
   * @param stock whether HDFS's own policy decides
   * @param keep otherwise the only storage that keeps its replica; null when all replicas stay
   */
  public record Decision(boolean stock, @Nullable DatanodeStorageInfo keep) {
    /** HDFS's own policy decides. */
    static final Decision STOCK = new Decision(true, null);

    /** All replicas stay. */
    static final Decision ALL = new Decision(false, null);

    /** Only the replica on this storage stays. */
    static Decision keeping(DatanodeStorageInfo storage) {
      return new Decision(false, storage);
    }

    /**
     * The replicas to drop; none when the storage to keep is not among the replicas.
     *
     * @throws IllegalStateException when the decision is left to HDFS's own policy
     */
    public List<DatanodeStorageInfo> surplus(Collection<DatanodeStorageInfo> replicas) {
      if (stock) {
        throw new IllegalStateException("HDFS's own policy decides");
      }
      return keep != null && ReplicaView.isAmong(replicas, keep)
          ? ReplicaView.without(replicas, keep)
          : List.of();
    }
  }

  /** A placement policy that obeys the decision on its thread. */
  public interface Follower {}

  private static final ThreadLocal<@Nullable Decision> PRESENT = new ThreadLocal<>();

  private DeletionPlan() {}

  /**
   * The reason why nothing may be dropped; empty when the current placement policy obeys decisions.
   * An administrator can change the policy at run time, and other policies do not know which
   * replica must stay. HDFS's default policy deletes the replica on the node whose heartbeat is
   * most overdue, or, if none is overdue, the one on the storage with the least free space.
   */
  static Optional<String> against(BlockManager blocks) {
    BlockPlacementPolicy policy = blocks.getBlockPlacementPolicy();
    return policy instanceof Follower
        ? Optional.empty()
        : Optional.of(
            "the NameNode's placement policy is %s, which does not know stripes: set %s as Braid's documentation says"
                .formatted(
                    policy.getClass().getName(), DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY));
  }

  /** The decision on this thread, if any. */
  public static @Nullable Decision present() {
    return PRESENT.get();
  }

  /**
   * Sets a block's aim to one replica and keeps that on the storage. The namesystem's write lock is
   * held. Works also if the aim is one already, because the old aim only tells how far it falls.
   * All replicas stay if the current placement policy does not obey decisions. Counts the dropped
   * replicas.
   */
  static void keepOnly(NameNodeHost host, BlockInfo block, DatanodeStorageInfo keep)
      throws IOException {
    if (against(host.blocks()).isPresent()) {
      return;
    }
    int before = host.blocks().countNodes(block).liveReplicas();
    reduce(host, block, Decision.keeping(keep));
    int dropped = before - host.blocks().countNodes(block).liveReplicas();
    host.metrics().count(Count.REPLICAS_DROPPED, dropped);
    host.metrics().count(Count.BYTES_DROPPED, dropped * block.getNumBytes());
    dropCorrupt(host, block, keep);
  }

  /**
   * Sets a block's aim to one replica, but keeps all present replicas. They are dropped by code
   * that has checked them and the blocks that rely on them. The namesystem's write lock is held.
   */
  static void lower(NameNodeHost host, BlockInfo block) {
    if (against(host.blocks()).isEmpty()) {
      reduce(host, block, Decision.ALL);
    }
  }

  /**
   * HDFS looks whether it can do without a corrupt replica when it learns of it or gets another
   * one, not when fewer replicas are wanted: it has to be told of it once more.
   */
  private static void dropCorrupt(NameNodeHost host, BlockInfo block, DatanodeStorageInfo keep)
      throws IOException {
    for (ReplicaView replica : ReplicaView.of(host.blocks(), block)) {
      if (replica.corrupt() && !ReplicaView.isSame(replica.storage(), keep)) {
        replica.markCorrupt(
            host, ReplicaView.identity(block), "another replica is verified and stays");
      }
    }
  }

  /**
   * Sets the aim of a block in no stripe to its file's replication, and lets HDFS's own policy
   * choose the replicas that stay. The write lock is held.
   */
  public static void stock(NameNodeHost host, BlockInfo block) {
    INodeFile file = host.namesystem().getBlockCollection(block.getBlockCollectionId());
    short wanted = file == null ? 1 : file.getPreferredBlockReplication();
    if (wanted > 1) {
      host.aims().set(block, wanted);
    } else if (host.blocks().countNodes(block).liveReplicas() > 1) {
      reduce(host, block, Decision.STOCK);
    }
  }

  private static void reduce(NameNodeHost host, BlockInfo block, Decision decision) {
    PRESENT.set(decision);
    try {
      host.aims().setOne(block);
    } finally {
      PRESENT.remove();
    }
  }
}
