package org.braid.hdfs.namenode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.ReplicaProto;

/**
 * One replica as the NameNode sees it; made under its lock.
 *
 * @param storage where it is
 * @param corrupt reported corrupt
 * @param excess scheduled for deletion
 */
record ReplicaView(DatanodeStorageInfo storage, boolean corrupt, boolean excess) {
  /** Missed heartbeats after which a node is suspect: nothing is deleted in favour of its copy. */
  private static final int SUSPECT_HEARTBEATS = 4;

  /** All replicas of a block. */
  static List<ReplicaView> of(BlockManager blocks, BlockInfo block) {
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
  static Optional<ReplicaView> on(List<ReplicaView> replicas, String uuid) {
    return replicas.stream().filter(r -> r.uuid().equals(uuid)).findFirst();
  }

  /** The block of an id that belongs to a file, or empty. */
  static Optional<BlockInfo> stored(BlockManager blocks, long id) {
    BlockInfo block = blocks.getStoredBlock(new Block(id));
    return block == null || block.isDeleted() ? Optional.empty() : Optional.of(block);
  }

  /** Whether a block still is the one that was recorded: id, generation stamp and length. */
  static boolean same(BlockInfo block, BlockProto recorded) {
    return block.getBlockId() == recorded.getId()
        && block.getGenerationStamp() == recorded.getGeneration()
        && block.getNumBytes() == recorded.getLength();
  }

  static BlockProto identity(Block block) {
    return BlockProto.newBuilder()
        .setId(block.getBlockId())
        .setGeneration(block.getGenerationStamp())
        .setLength(block.getNumBytes())
        .build();
  }

  /** A block and its replicas; those that are scheduled for deletion are only named. */
  static BlockStatusProto status(BlockManager blocks, BlockInfo block) {
    BlockStatusProto.Builder status =
        BlockStatusProto.newBuilder()
            .setBlock(identity(block))
            .setExpected(block.getReplication())
            .setComplete(block.isComplete());
    for (ReplicaView replica : of(blocks, block)) {
      if (replica.excess) {
        status.addGoing(replica.uuid());
      } else {
        status.addReplicas(
            ReplicaProto.newBuilder()
                .setNode(replica.uuid())
                .setStale(replica.stale())
                .setCorrupt(replica.corrupt)
                .setLive(replica.alive()));
      }
    }
    return status.build();
  }

  DatanodeDescriptor node() {
    return storage.getDatanodeDescriptor();
  }

  String uuid() {
    return node().getDatanodeUuid();
  }

  boolean stale() {
    return storage.areBlockContentsStale();
  }

  /** The node lives as far as the NameNode knows, and the storage is healthy. */
  boolean alive() {
    return node().isAlive() && healthy();
  }

  /** Alive, in service, not corrupt and to stay. */
  boolean good() {
    return alive() && node().isInService() && !corrupt && !excess;
  }

  /** Milliseconds since the node was last heard of. */
  long silence() {
    return silence(node());
  }

  static long silence(DatanodeDescriptor node) {
    return Math.max(0, Time.monotonicNow() - node.getLastUpdateMonotonic());
  }

  /** Whether the node is silent, so that its copy may not be relied on. */
  boolean suspect(NameNodeHost host) {
    return host.isSuspect(node());
  }

  /** Milliseconds without HDFS's heartbeats after which a node is suspect. */
  static long suspectAfter(NameNodeHost host) {
    return SUSPECT_HEARTBEATS * host.nodes().getHeartbeatInterval() * 1000;
  }

  private boolean healthy() {
    for (StorageReport report : node().getStorageReports()) {
      if (report.getStorage().getStorageID().equals(storage.getStorageID())) {
        return report.getStorage().getState() != DatanodeStorage.State.FAILED;
      }
    }
    return false;
  }
}
