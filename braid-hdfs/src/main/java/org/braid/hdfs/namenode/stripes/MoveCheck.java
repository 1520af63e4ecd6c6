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
 * Whether a replica that HDFS's Balancer or Mover has copied elsewhere may be deleted at once where
 * it was. Balancer and Mover do not know stripes; the NameNode, which hears of the copy before
 * anything is deleted, does: one that breaks the rule of its stripe is not taken for the block's
 * new place, and one that keeps it is read from disk first.
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
   * lock, as soon as the copy was reported.
   *
   * @param inode the file that has the block
   * @param replicas the storages that hold the block, the source and its copy among them
   * @return whether the block is in no stripe; when it is in one, or it cannot be told which block
   *     it is, the guard decides
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
