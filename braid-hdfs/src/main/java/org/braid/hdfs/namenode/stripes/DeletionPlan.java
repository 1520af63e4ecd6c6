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
 * Which replica of the block in hand stays: handed from a caller of the block manager to the
 * placement policy on the same thread, because the policy is not told which block it decides on.
 */
public final class DeletionPlan {
  /**
   * What the policy is to do.
   *
   * @param stock whether HDFS's own policy decides
   * @param keep else the only storage to keep; null when all stay
   */
  public record Decision(boolean stock, @Nullable DatanodeStorageInfo keep) {
    /** HDFS's own policy decides. */
    static final Decision STOCK = new Decision(true, null);

    /** All stay. */
    static final Decision ALL = new Decision(false, null);

    /** One stays. */
    static Decision keeping(DatanodeStorageInfo storage) {
      return new Decision(false, storage);
    }

    /**
     * Which of several replicas go; none when the one to keep is not among them.
     *
     * @throws IllegalStateException when the choice is left to HDFS's own policy
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

  /** A placement policy that does what the decision in force says. */
  public interface Follower {}

  private static final ThreadLocal<@Nullable Decision> PRESENT = new ThreadLocal<>();

  private DeletionPlan() {}

  /**
   * Why nothing may be dropped; empty when the placement policy in force keeps what it is told to.
   * HDFS reads that policy anew when it is told to at run time, and others keep the copy on the
   * node with the least free space.
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

  /** The decision in force on this thread, if any. */
  public static @Nullable Decision present() {
    return PRESENT.get();
  }

  /**
   * Aims at one replica, the one on a storage. The namesystem's write lock is held. Works for
   * blocks whose aim is one already, too: the old replication only tells how far it falls. All stay
   * where the placement policy would choose another one. Counts the copies that go.
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
   * Aims at one replica, and lets all stay that there are: whoever has looked at them, and at what
   * relies on them, drops the others. The namesystem's write lock is held.
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
   * Has a block of no stripe aim at as many replicas as its file wants, and lets HDFS's own policy
   * choose those that stay. The write lock is held.
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
