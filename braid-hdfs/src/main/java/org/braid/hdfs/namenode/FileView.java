package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.XAttrStorage;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileWithSnapshotFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.proto.BraidProtos.FileProto;

/** One file as the NameNode sees it, and why it may not be converted; made under its lock. */
final class FileView {
  /** It is open for writing. */
  static final String UNDER_CONSTRUCTION = "UNDER_CONSTRUCTION";

  /** HDFS's own erasure coding stores it. */
  static final String STRIPED = "STRIPED";

  /** It stands in an encryption zone. */
  static final String ENCRYPTED = "ENCRYPTED";

  /** A snapshot would hold its blocks at the old replication. */
  static final String IN_SNAPSHOT = "IN_SNAPSHOT";

  /** It has no blocks. */
  static final String EMPTY = "EMPTY";

  /** A block is not complete. */
  static final String INCOMPLETE_BLOCK = "INCOMPLETE_BLOCK";

  /** A replica is in provided storage. */
  static final String PROVIDED = "PROVIDED";

  /** Its storage policy keeps replicas in memory. */
  static final String LAZY_PERSIST = "LAZY_PERSIST";

  private FileView() {}

  static FileProto describe(NameNodeHost host, INodeFile file, String path) throws IOException {
    FileProto.Builder described =
        FileProto.newBuilder()
            .setPath(path)
            .setInode(file.getId())
            .setLength(file.computeFileSize())
            .setBlockSize(file.getPreferredBlockSize())
            .setReplication(file.getFileReplication())
            .setReaders(Readers.of(host, file))
            .addAllObstacles(obstacles(host, file, path));
    EarSetting.of(host, path)
        .flatMap(found -> EarSetting.acrossFor(found.text()))
        .ifPresent(described::setAcross);
    if (!file.isStriped()) {
      for (BlockInfo block : file.getBlocks()) {
        described.addBlocks(ReplicaView.status(host.blocks(), block));
      }
    }
    return described.build();
  }

  private static List<String> obstacles(NameNodeHost host, INodeFile file, String path)
      throws IOException {
    List<String> obstacles = new ArrayList<>();
    if (file.isUnderConstruction()) {
      obstacles.add(UNDER_CONSTRUCTION);
    }
    if (file.isStriped()) {
      obstacles.add(STRIPED);
    }
    if (XAttrStorage.readINodeXAttrByPrefixedName(
            file, Snapshot.CURRENT_STATE_ID, HdfsServerConstants.CRYPTO_XATTR_FILE_ENCRYPTION_INFO)
        != null) {
      obstacles.add(ENCRYPTED);
    }
    if (heldBySnapshot(host.namesystem().getFSDirectory(), file, path)) {
      obstacles.add(IN_SNAPSHOT);
    }
    if (file.numBlocks() == 0) {
      obstacles.add(EMPTY);
    }
    if (file.getStoragePolicyID() == HdfsConstants.StoragePolicy.LAZY_PERSIST.value()) {
      obstacles.add(LAZY_PERSIST);
    }
    boolean incomplete = false;
    boolean provided = false;
    for (BlockInfo block : file.getBlocks()) {
      incomplete |= !block.isComplete();
      for (ReplicaView replica : ReplicaView.of(host.blocks(), block)) {
        provided |= replica.storage().getStorageType() == StorageType.PROVIDED;
      }
    }
    if (incomplete) {
      obstacles.add(INCOMPLETE_BLOCK);
    }
    if (provided) {
      obstacles.add(PROVIDED);
    }
    return obstacles;
  }

  /**
   * Whether replication 1 would not last: the blocks' replication is the greatest of the file's and
   * of all its states in snapshots, and a first change after a snapshot adds such a state.
   */
  static boolean heldBySnapshot(FSDirectory directory, INodeFile file, String path)
      throws IOException {
    FileWithSnapshotFeature past = file.getFileWithSnapshotFeature();
    if (past != null && past.getMaxBlockRepInDiffs(null) > 1) {
      return true;
    }
    return file.getFileReplication() > 1
        && file.isInLatestSnapshot(directory.unprotectedResolvePath(path).getLatestSnapshotId());
  }
}
