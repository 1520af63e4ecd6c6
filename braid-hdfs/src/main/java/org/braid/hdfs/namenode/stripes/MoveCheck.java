package org.braid.hdfs.namenode.stripes;

import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether HDFS may delete the source of a replica at once that its Balancer or Mover has
 * copied. These tools do not know stripes, but the NameNode learns of the copy before the source is
 * deleted. A copy that breaks the rule of its stripe does not become the block's new home. A copy
 * that keeps the rule is first read from disk.
 */
public final class MoveCheck {
  private static final Logger LOG = LoggerFactory.getLogger(MoveCheck.class);

  private final NameNodeHost host;
  private final StripeIndex index;
  private final StripeNeighbours neighbours;
  private final ReplicaGuard guard;

  public MoveCheck(
      NameNodeHost host, StripeIndex index, StripeNeighbours neighbours, ReplicaGuard guard) {
    this.host = host;
    this.index = index;
    this.neighbours = neighbours;
    this.guard = guard;
  }

  /**
   * Whether a move may end with the deletion of its source now. Called under the namesystem's write
   * lock when the copy is reported.
   *
   * @param inode the block's file
   * @param replicas storages with a replica, including the source and the copy
   * @return true if the block is in no stripe; if it is in one, or the block is unknown, the guard
   *     decides later
   */
  public boolean allows(
      long inode, DatanodeStorageInfo source, Collection<DatanodeStorageInfo> replicas) {
    for (DatanodeStorageInfo target : replicas) {
      if (!ReplicaView.isSame(target, source) && !allows(inode, source, target, replicas)) {
        return false;
      }
    }
    return true;
  }

  private boolean allows(
      long inode,
      DatanodeStorageInfo source,
      DatanodeStorageInfo target,
      Collection<DatanodeStorageInfo> replicas) {
    Optional<BlockInfo> moved =
        newest(target)
            .filter(block -> block.getBlockCollectionId() == inode && isAt(block, replicas));
    if (moved.isEmpty() || !index.isRead() || index.isStaged(moved.get().getBlockId())) {
      return false;
    }
    long id = moved.get().getBlockId();
    Optional<Entry> entry = index.known(id);
    if (entry.isEmpty()) {
      return !index.hasUnknownBlocks(); // it may be in a stripe that cannot be read
    }
    if (neighbours.mayMove(entry.get(), id, target.getDatanodeDescriptor())) {
      guard.moved(id, target.getDatanodeDescriptor().getDatanodeUuid());
      return false;
    }
    LOG.info(
        "blk_{} of stripe {} stays on {}: a move to {} would break the stripe's rule",
        id,
        entry.get().id(),
        source.getDatanodeDescriptor().getHostName(),
        target.getDatanodeDescriptor().getHostName());
    return false;
  }

  /** The block that was reported last: HDFS puts it at the head of the storage's list. */
  private static Optional<BlockInfo> newest(DatanodeStorageInfo storage) {
    Iterator<BlockInfo> blocks = HadoopInternals.blocks(storage);
    return blocks.hasNext() ? Optional.of(blocks.next()) : Optional.empty();
  }

  private boolean isAt(BlockInfo block, Collection<DatanodeStorageInfo> storages) {
    return block.getReplication() == 1 && ReplicaView.staysOnAll(host.blocks(), block, storages);
  }
}
