package org.braid.hdfs.datanode;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.braid.hdfs.proto.BraidProtos.BlockProto;

/**
 * Pins replicas, so that HDFS's Balancer and Mover leave them where they are. HDFS keeps a pin as
 * the sticky bit of the block's file, and has a call to set it but none to take it back.
 */
final class ReplicaPins {
  private final Replicas replicas;

  ReplicaPins(Replicas replicas) {
    this.replicas = replicas;
  }

  /** Whether this DataNode pins at all. */
  boolean enabled() {
    return replicas
        .node()
        .getConf()
        .getBoolean(
            DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED,
            DFSConfigKeys.DFS_DATANODE_BLOCK_PINNING_ENABLED_DEFAULT);
  }

  /**
   * Pins blocks.
   *
   * @throws IOException when a replica is missing or another one; those before it are pinned
   */
  void pin(List<BlockProto> blocks) throws IOException {
    for (BlockProto block : blocks) {
      ExtendedBlock wanted = replicas.block(block);
      replicas.require(wanted);
      replicas.node().getFSDataset().setPinning(wanted);
    }
  }

  /** Takes pins back; blocks that have none, or are not here, are passed over. */
  void unpin(List<BlockProto> blocks) throws IOException {
    LocalFileSystem local = FileSystem.getLocal(replicas.node().getConf());
    for (BlockProto block : blocks) {
      ExtendedBlock wanted = replicas.block(block);
      if (replicas.holds(wanted) && replicas.node().getFSDataset().getPinning(wanted)) {
        Path file =
            new Path(replicas.node().getFSDataset().getBlockLocalPathInfo(wanted).getBlockPath());
        FsPermission before = local.getFileStatus(file).getPermission();
        local.setPermission(
            file,
            new FsPermission(
                before.getUserAction(), before.getGroupAction(), before.getOtherAction(), false));
      }
    }
  }
}
