package org.braid.hdfs.namenode.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.XAttrStorage;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileWithSnapshotFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.StorageView;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.setting.EarSetting;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;

/**
 * Describes a file as the NameNode knows it, with the reasons against its conversion; called under
 * the NameNode's lock.
 */
public final class FileView {
  /** It is open for writing. */
  public static final String UNDER_CONSTRUCTION = "UNDER_CONSTRUCTION";

  /** HDFS's own erasure coding stores it. */
  public static final String STRIPED = "STRIPED";

  /** The root directory is an encryption zone, so HDFS would encrypt parity, too. */
  public static final String ENCRYPTED_ROOT = "ENCRYPTED_ROOT";

  /** A snapshot would hold its blocks at the old replication. */
  public static final String IN_SNAPSHOT = "IN_SNAPSHOT";

  /**
   * Ordered snapshot deletion is on: HDFS deletes snapshots by itself, without calling Braid's
   * guards.
   */
  public static final String ORDERED_SNAPSHOTS = "ORDERED_SNAPSHOTS";

  /** It has no blocks. */
  public static final String EMPTY = "EMPTY";

  /** A block is not complete. */
  public static final String INCOMPLETE_BLOCK = "INCOMPLETE_BLOCK";

  /** A replica is in provided storage. */
  static final String PROVIDED = "PROVIDED";

  /** Its storage policy keeps replicas in memory. */
  public static final String LAZY_PERSIST = "LAZY_PERSIST";

  /** A file of more blocks is described in several holds of the lock. */
  private static final int MOST_AT_ONCE = 1000;

  /** A file whose blocks change so often while they are looked at is described in one hold. */
  private static final int ATTEMPTS = 5;

  private FileView() {}

  /** What is said of a file's blocks, as far as they were looked at. */
  private static final class Blocks {
    private final List<BlockStatus> status = new ArrayList<>();
    private boolean incomplete;
    private boolean provided;

    /** Looks at the next block; the lock is held. */
    void add(NameNodeHost host, INodeFile file, BlockInfo block) {
      incomplete |= !block.isComplete();
      for (ReplicaView replica : ReplicaView.of(host.blocks(), block)) {
        provided |= replica.storage().getStorageType() == StorageType.PROVIDED;
      }
      if (!file.isStriped()) {
        status.add(ReplicaView.status(host.blocks(), block));
      }
    }
  }

  /** Whether a file has so many blocks that its description takes several holds of the lock. */
  public static boolean isLarge(INodeFile file) {
    return file.numBlocks() > MOST_AT_ONCE;
  }

  /**
   * Describes a file in several short holds of the lock: first its blocks, then the rest in the
   * last hold. Starts again if blocks were added or removed meanwhile. No lock is held.
   *
   * @return empty when the file no longer exists
   */
  public static Optional<StoredFile> describeInParts(NameNodeHost host, INodeFile file, String path)
      throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      BlockInfo[] present = host.readingFiles("braidFiles", file::getBlocks);
      Blocks blocks = new Blocks();
      host.readingEach(
          "braidFiles", Arrays.asList(present), block -> blocks.add(host, file, block));
      Optional<StoredFile> described =
          host.reading(
              "braidFiles",
              () ->
                  Arrays.equals(present, file.getBlocks()) && isThere(host, file)
                      ? Optional.of(describe(host, file, path, blocks))
                      : Optional.empty());
      if (described.isPresent()) {
        return described;
      }
    }
    return host.reading(
        "braidFiles",
        () -> isThere(host, file) ? Optional.of(describe(host, file, path)) : Optional.empty());
  }

  /** Whether a file still exists; the lock is held. */
  public static boolean isThere(NameNodeHost host, INodeFile file) {
    return host.namesystem().getFSDirectory().getInode(file.getId()) != null;
  }

  /** Describes a file; the lock is held. */
  public static StoredFile describe(NameNodeHost host, INodeFile file, String path)
      throws IOException {
    Blocks blocks = new Blocks();
    for (BlockInfo block : file.getBlocks()) {
      blocks.add(host, file, block);
    }
    return describe(host, file, path, blocks);
  }

  private static StoredFile describe(NameNodeHost host, INodeFile file, String path, Blocks blocks)
      throws IOException {
    return new StoredFile(
        path,
        file.getId(),
        file.computeFileSize(),
        file.getPreferredBlockSize(),
        file.getFileReplication(),
        blocks.status,
        obstacles(host, file, blocks),
        Readers.of(host, file),
        EarLookup.of(host, path).flatMap(found -> EarSetting.acrossFor(found.text())),
        new StoredFile.Usage(
            file.getUserName(),
            file.getModificationTime(),
            Math.max(file.getAccessTime(), recordedRead(file)),
            file.isStriped() ? file.storagespaceConsumedStriped().getStorageSpace() : 0),
        StorageView.forParity(host, file));
  }

  /** When it was read last as audit logs show; 0 when none does. */
  private static long recordedRead(INodeFile file) {
    XAttr attribute =
        XAttrStorage.readINodeXAttrByPrefixedName(
            file, Snapshot.CURRENT_STATE_ID, BraidPaths.READ_XATTR);
    byte[] value = attribute == null ? null : attribute.getValue();
    return value == null || value.length != Long.BYTES ? 0 : ByteBuffer.wrap(value).getLong();
  }

  private static List<String> obstacles(NameNodeHost host, INodeFile file, Blocks blocks)
      throws IOException {
    List<String> obstacles = new ArrayList<>();
    if (file.isUnderConstruction()) {
      obstacles.add(UNDER_CONSTRUCTION);
    }
    if (file.isStriped()) {
      obstacles.add(STRIPED);
    }
    if (Readers.isZone(host.namesystem().getFSDirectory().getRoot())) {
      obstacles.add(ENCRYPTED_ROOT);
    }
    if (heldBySnapshot(host.namesystem().getFSDirectory(), file)) {
      obstacles.add(IN_SNAPSHOT);
    }
    if (host.namesystem().getSnapshotManager().isSnapshotDeletionOrdered()) {
      obstacles.add(ORDERED_SNAPSHOTS);
    }
    if (file.numBlocks() == 0) {
      obstacles.add(EMPTY);
    }
    if (file.getStoragePolicyID() == HdfsConstants.StoragePolicy.LAZY_PERSIST.value()) {
      obstacles.add(LAZY_PERSIST);
    }
    if (blocks.incomplete) {
      obstacles.add(INCOMPLETE_BLOCK);
    }
    if (blocks.provided) {
      obstacles.add(PROVIDED);
    }
    return obstacles;
  }

  /**
   * Whether a snapshot keeps the blocks of a file at more than one replica. The blocks' replication
   * is the maximum over the file and its states in snapshots, and the first change after a snapshot
   * adds such a state. A file that exists only in snapshots cannot be changed at all.
   */
  public static boolean heldBySnapshot(FSDirectory directory, INodeFile file) throws IOException {
    FileWithSnapshotFeature past = file.getFileWithSnapshotFeature();
    if (past != null && past.getMaxBlockRepInDiffs(null) > 1) {
      return true;
    }
    if (file.getFileReplication() == 1) {
      return false;
    }
    Optional<INodesInPath> found = Namespace.pathTo(directory, file);
    if (found.isEmpty()) {
      return true;
    }
    int latest = found.get().getLatestSnapshotId();
    return file.isInLatestSnapshot(latest) && file.getSnapshotINode(latest) == file;
  }
}
