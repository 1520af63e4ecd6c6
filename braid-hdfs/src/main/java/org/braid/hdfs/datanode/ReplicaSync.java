package org.braid.hdfs.datanode;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.hdfs.protocol.BlockLocalPathInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.IOUtils;

/**
 * Forces finalised replicas to this node's disks: the files of the block and of its checksums, and
 * the directories that lead to them.
 */
final class ReplicaSync {
  private final Replicas replicas;

  ReplicaSync(Replicas replicas) {
    this.replicas = replicas;
  }

  /** Whether this DataNode is configured to force replicas to disk. */
  boolean enabled() {
    return replicas
        .node()
        .getConf()
        .getBoolean(BraidDataNodePlugin.SYNC_KEY, BraidDataNodePlugin.SYNC_DEFAULT);
  }

  /**
   * Forces a replica to disk; does nothing if this is turned off.
   *
   * @throws IOException when the replica is missing, has another generation or length, is on a
   *     storage without a disk, or the disk fails
   */
  void sync(ExtendedBlock block) throws IOException {
    replicas.require(block);
    if (!enabled()) {
      return;
    }
    FsVolumeSpi home = replicas.node().getFSDataset().getVolume(block);
    if (home == null) {
      throw new IOException("no replica of " + Replicas.describe(block) + " on " + replicas.name());
    }
    if (home.isTransientStorage()) {
      throw new IOException(
          "the replica of %s on %s is in memory, on %s: it outlives no power failure"
              .formatted(Replicas.describe(block), replicas.name(), home.getStorageType()));
    }
    try (FsVolumeReference unused = home.obtainReference()) {
      force(replicas.node().getFSDataset().getBlockLocalPathInfo(new ExtendedBlock(block)));
    } catch (IOException e) {
      replicas.node().checkDiskErrorAsync(home);
      throw e;
    }
    // The files may have been those of a changed replica.
    replicas.require(block);
  }

  private static void force(BlockLocalPathInfo paths) throws IOException {
    force(Path.of(paths.getBlockPath()));
    force(Path.of(paths.getMetaPath()));
    File directory = new File(paths.getBlockPath()).getParentFile();
    while (directory != null) {
      IOUtils.fsync(directory);
      directory =
          directory.getName().equals(DataStorage.STORAGE_DIR_FINALIZED)
              ? null
              : directory.getParentFile();
    }
  }

  private static void force(Path file) throws IOException {
    // Not for writing: that would make a file that was deleted meanwhile.
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
