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
 * One replica as the NameNode knows it; created under the NameNode's lock.
 *
 * @param storage the storage that holds the replica
 * @param corrupt whether it was reported corrupt
 * @param excess whether it is scheduled for deletion
 */
public record ReplicaView(DatanodeStorageInfo storage, boolean corrupt, boolean excess) {
  /**
   * Number of missed heartbeats after which a node is suspect: Braid deletes no replica in favour
   * of one on a suspect node.
   */
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

  /** The block with an id; empty if it belongs to no file. */
  public static Optional<BlockInfo> stored(BlockManager blocks, long id) {
    BlockInfo block = blocks.getStoredBlock(new Block(id));
    return block == null || block.isDeleted() ? Optional.empty() : Optional.of(block);
  }

  /** Whether a block has the recorded id, generation stamp and length. */
  public static boolean same(BlockInfo block, BlockIdentity recorded) {
    return block.getBlockId() == recorded.id()
        && block.getGenerationStamp() == recorded.generation()
        && block.getNumBytes() == recorded.length();
  }

  /**
   * Whether two storages are the same storage of the same DataNode. HDFS compares storages by their
   * id alone. But a DataNode that returns under another UUID keeps its storage ids, and copied
   * disks have the ids of their originals.
   */
  public static boolean isSame(DatanodeStorageInfo one, DatanodeStorageInfo other) {
    return one.equals(other) && one.getDatanodeDescriptor().equals(other.getDatanodeDescriptor());
  }

  /** Whether a collection contains a storage, by {@link #isSame}. */
  public static boolean isAmong(
      Collection<DatanodeStorageInfo> storages, DatanodeStorageInfo storage) {
    return storages.stream().anyMatch(other -> isSame(storage, other));
  }

  /** All storages except one. */
  public static List<DatanodeStorageInfo> without(
      Collection<DatanodeStorageInfo> storages, DatanodeStorageInfo one) {
    return storages.stream().filter(storage -> !isSame(storage, one)).toList();
  }

  /**
   * Whether each of the storages has a replica of the block that is not scheduled for deletion;
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

  /** A block and its replicas; of replicas that are scheduled for deletion only the nodes. */
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

  /** Whether a block's only replica is good and on the DataNode; under the lock. */
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

  /** Whether a block has a replica on storage of the type; under the lock. */
  public static boolean isOn(BlockInfo block, StorageType type) {
    for (Iterator<DatanodeStorageInfo> i = block.getStorageInfos(); i.hasNext(); ) {
      DatanodeStorageInfo storage = i.next();
      if (storage != null && storage.getStorageType() == type) {
        return true;
      }
    }
    return false;
  }

  /** Whether a block has a replica on a live node that answers; under the lock. */
  public static boolean readable(NameNodeHost host, BlockInfo block) {
    return of(host.blocks(), block).stream().anyMatch(r -> r.usable() && !r.suspect(host));
  }

  /**
   * Whether HDFS returns clients a location of the block on a node that answers. HDFS never returns
   * nodes in maintenance, even if they are healthy. Under the lock.
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

  /** Whether the NameNode believes the node alive and the storage healthy. */
  public boolean alive() {
    return node().isAlive() && healthy();
  }

  /**
   * Whether the replica is alive, on a node in service, not corrupt and not scheduled for deletion.
   */
  public boolean good() {
    return alive() && inService(node()) && !corrupt && !excess;
  }

  /**
   * Whether the replica is alive, not corrupt and not scheduled for deletion: readable if its node
   * answers.
   */
  public boolean usable() {
    return alive() && !corrupt && !excess;
  }

  /** Milliseconds since the node's last heartbeat. */
  public long silence() {
    return silence(node());
  }

  /**
   * Whether a node may hold blocks: it is neither out of service nor being taken out, and it is in
   * the list of allowed hosts ({@code dfs.hosts}). HDFS keeps a node that was removed from this
   * list, as one in service, until the NameNode restarts.
   */
  public static boolean inService(DatanodeDescriptor node) {
    return node.isInService() && !node.isDisallowed();
  }

  public static long silence(DatanodeDescriptor node) {
    return Math.max(0, Time.monotonicNow() - node.getLastUpdateMonotonic());
  }

  /** Whether the node is suspect, so that Braid does not rely on this replica. */
  public boolean suspect(NameNodeHost host) {
    return host.isSuspect(node());
  }

  /** Milliseconds without HDFS's heartbeats after which a node is suspect. */
  public static long suspectAfter(NameNodeHost host) {
    return SUSPECT_HEARTBEATS * host.nodes().getHeartbeatInterval() * 1000;
  }

  /** Marks this replica of a block as corrupt in HDFS; the write lock is held. */
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
