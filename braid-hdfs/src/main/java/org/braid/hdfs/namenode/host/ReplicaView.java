package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;

/**
 * One replica as the NameNode sees it; made under its lock.
 *
 * @param storage where it is
 * @param corrupt reported corrupt
 * @param excess scheduled for deletion
 */
public record ReplicaView(DatanodeStorageInfo storage, boolean corrupt, boolean excess) {
  /** Missed heartbeats after which a node is suspect: nothing is deleted in favour of its copy. */
  private static final int SUSPECT_HEARTBEATS = 4;

  /** All replicas of a block. */
  public static List<ReplicaView> of(BlockManager blocks, BlockInfo block) {
    Collection<DatanodeDescriptor> corrupt = blocks.getCorruptReplicas(block);
    List<ReplicaView> replicas = new ArrayList<>();
    for (Iterator<DatanodeStorageInfo> i = block.getStorageInfos(); i.hasNext(); ) {
      DatanodeStorageInfo storage = i.next();
      if (storage == null) {
        continue;
      }
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      replicas.add(
          new ReplicaView(
              storage, corrupt != null && corrupt.contains(node), blocks.isExcess(node, block)));
    }
    return replicas;
  }

  /** The replica on a DataNode. */
  public static Optional<ReplicaView> on(List<ReplicaView> replicas, String uuid) {
    return replicas.stream().filter(r -> r.uuid().equals(uuid)).findFirst();
  }

  /** The block of an id that belongs to a file, or empty. */
  public static Optional<BlockInfo> stored(BlockManager blocks, long id) {
    BlockInfo block = blocks.getStoredBlock(new Block(id));
    return block == null || block.isDeleted() ? Optional.empty() : Optional.of(block);
  }

  /** Whether a block still is the one that was recorded: id, generation stamp and length. */
  public static boolean same(BlockInfo block, BlockIdentity recorded) {
    return block.getBlockId() == recorded.id()
        && block.getGenerationStamp() == recorded.generation()
        && block.getNumBytes() == recorded.length();
  }

  /**
   * Whether two are the same storage of the same DataNode. HDFS calls two storages equal by their
   * id alone, which a DataNode that comes back under another name has in common with the one that
   * it was, and one with copied disks with the one that these were copied from.
   */
  public static boolean isSame(DatanodeStorageInfo one, DatanodeStorageInfo other) {
    return one.equals(other) && one.getDatanodeDescriptor().equals(other.getDatanodeDescriptor());
  }

  /** Whether a storage is among others. */
  public static boolean isAmong(
      Collection<DatanodeStorageInfo> storages, DatanodeStorageInfo storage) {
    return storages.stream().anyMatch(other -> isSame(storage, other));
  }

  /** All storages but one. */
  public static List<DatanodeStorageInfo> without(
      Collection<DatanodeStorageInfo> storages, DatanodeStorageInfo one) {
    return storages.stream().filter(storage -> !isSame(storage, one)).toList();
  }

  /**
   * Whether a block has a replica that is not scheduled for deletion on each of some storages;
   * under the lock.
   */
  public static boolean staysOnAll(
      BlockManager blocks, BlockInfo block, Collection<DatanodeStorageInfo> storages) {
    List<DatanodeStorageInfo> holding =
        of(blocks, block).stream().filter(r -> !r.excess).map(r -> r.storage).toList();
    return storages.stream().allMatch(storage -> isAmong(holding, storage));
  }

  public static BlockIdentity identity(Block block) {
    return new BlockIdentity(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
  }

  /** A block and its replicas; those that are scheduled for deletion are only named. */
  public static BlockStatus status(BlockManager blocks, BlockInfo block) {
    List<Replica> replicas = new ArrayList<>();
    List<String> going = new ArrayList<>();
    for (ReplicaView replica : of(blocks, block)) {
      if (replica.excess) {
        going.add(replica.uuid());
      } else {
        replicas.add(
            new Replica(
                replica.uuid(),
                replica.stale(),
                replica.corrupt,
                replica.alive(),
                replica.storage.getStorageType().name()));
      }
    }
    return new BlockStatus(
        identity(block), replicas, block.getReplication(), block.isComplete(), going);
  }

  /** Whether a block has one replica, which is good and on a DataNode; under the lock. */
  public static boolean isOnlyAt(BlockManager blocks, BlockInfo block, String uuid) {
    DatanodeStorageInfo only = null;
    for (Iterator<DatanodeStorageInfo> i = block.getStorageInfos(); i.hasNext(); ) {
      DatanodeStorageInfo storage = i.next();
      if (storage != null && only != null) {
        return false;
      }
      only = storage == null ? only : storage;
    }
    return only != null
        && only.getDatanodeDescriptor().getDatanodeUuid().equals(uuid)
        && blocks.numCorruptReplicas(block) == 0
        && new ReplicaView(only, false, blocks.isExcess(only.getDatanodeDescriptor(), block))
            .good();
  }

  /** Whether a replica of a block is on storage of a type; under the lock. */
  public static boolean isOn(BlockInfo block, StorageType type) {
    for (Iterator<DatanodeStorageInfo> i = block.getStorageInfos(); i.hasNext(); ) {
      DatanodeStorageInfo storage = i.next();
      if (storage != null && storage.getStorageType() == type) {
        return true;
      }
    }
    return false;
  }

  /** Whether a copy of a block is on a node that lives and answers; under the lock. */
  public static boolean readable(NameNodeHost host, BlockInfo block) {
    return of(host.blocks(), block).stream().anyMatch(r -> r.usable() && !r.suspect(host));
  }

  /**
   * Whether HDFS tells clients of a copy of a block, on a node that answers: it keeps quiet about
   * nodes in maintenance, however well they are; under the lock.
   */
  public static boolean offered(NameNodeHost host, BlockInfo block) {
    return of(host.blocks(), block).stream()
        .anyMatch(r -> r.usable() && !r.node().isInMaintenance() && !r.suspect(host));
  }

  public DatanodeDescriptor node() {
    return storage.getDatanodeDescriptor();
  }

  public String uuid() {
    return node().getDatanodeUuid();
  }

  public boolean stale() {
    return storage.areBlockContentsStale();
  }

  /** The node lives as far as the NameNode knows, and the storage is healthy. */
  public boolean alive() {
    return node().isAlive() && healthy();
  }

  /** Alive, on a node in service, not corrupt and to stay. */
  public boolean good() {
    return alive() && inService(node()) && !corrupt && !excess;
  }

  /** Alive, not corrupt and to stay: it can be read, if its node answers. */
  public boolean usable() {
    return alive() && !corrupt && !excess;
  }

  /** Milliseconds since the node was last heard of. */
  public long silence() {
    return silence(node());
  }

  /**
   * Whether a node is to hold blocks: it is neither taken out of service nor missing from the list
   * of hosts that may register ({@code dfs.hosts}). HDFS remembers one that was taken off that list
   * until it is restarted, and calls it in service.
   */
  public static boolean inService(DatanodeDescriptor node) {
    return node.isInService() && !node.isDisallowed();
  }

  public static long silence(DatanodeDescriptor node) {
    return Math.max(0, Time.monotonicNow() - node.getLastUpdateMonotonic());
  }

  /** Whether the node is silent, so that its copy may not be relied on. */
  public boolean suspect(NameNodeHost host) {
    return host.isSuspect(node());
  }

  /** Milliseconds without HDFS's heartbeats after which a node is suspect. */
  public static long suspectAfter(NameNodeHost host) {
    return SUSPECT_HEARTBEATS * host.nodes().getHeartbeatInterval() * 1000;
  }

  /** Has HDFS take this replica of a block for corrupt; the write lock is held. */
  public void markCorrupt(NameNodeHost host, BlockIdentity block, String reason)
      throws IOException {
    host.blocks()
        .findAndMarkBlockAsCorrupt(
            new ExtendedBlock(
                host.namesystem().getBlockPoolId(), block.id(), block.length(), block.generation()),
            node(),
            storage.getStorageID(),
            reason);
  }

  private boolean healthy() {
    DatanodeStorageInfo known = node().getStorageInfo(storage.getStorageID());
    return known != null && !HadoopInternals.isFailed(known);
  }
}
