package org.braid.hdfs.namenode;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.jspecify.annotations.Nullable;

/**
 * Which replica of the block in hand stays: handed from a caller of the block manager to the
 * placement policy on the same thread, because the policy is not told which block it decides on.
 */
final class DeletionPlan {
  /**
   * What the policy is to do.
   *
   * @param keep the only storage to keep; null to let HDFS's own policy decide
   */
  record Decision(@Nullable DatanodeStorageInfo keep) {}

  private static final ThreadLocal<@Nullable Decision> PRESENT = new ThreadLocal<>();

  private DeletionPlan() {}

  /** The decision in force on this thread, if any. */
  static @Nullable Decision present() {
    return PRESENT.get();
  }

  /**
   * Aims at one replica, the one on a storage. The namesystem's write lock is held. Works for
   * blocks whose aim is one already, too: the old replication only tells how far it falls.
   */
  static void keepOnly(BlockManager blocks, BlockInfo block, DatanodeStorageInfo keep) {
    reduce(blocks, block, new Decision(keep));
  }

  /** Lets HDFS's own policy choose the one replica that stays. The write lock is held. */
  static void stock(BlockManager blocks, BlockInfo block) {
    reduce(blocks, block, new Decision(null));
  }

  private static void reduce(BlockManager blocks, BlockInfo block, Decision decision) {
    PRESENT.set(decision);
    try {
      short from = (short) Math.max(2, block.getReplication());
      blocks.setReplication(from, (short) 1, block);
    } finally {
      PRESENT.remove();
    }
  }
}
