package org.braid.hdfs.namenode.writes;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileWithSnapshotFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;

/**
 * Keeps quotas right when HDFS cuts blocks off a file. A space quota counts each block times the
 * file's replication. When HDFS cuts a block off, it subtracts the block times the block's own
 * number of replicas, which differs for encoded blocks. So these blocks get the file's replication
 * for the duration of the cut. Only the number changes: HDFS neither copies nor drops replicas.
 */
public final class CountedCut implements Closeable {
  private static final String OPERATION = "braidCut";

  /** No length: all blocks of a file, with those that only snapshots of it have. */
  private static final long ALL = -1;

  private final NameNodeHost host;
  private final Set<Long> changed = new LinkedHashSet<>();
  private Runnable end = () -> {};

  private CountedCut(NameNodeHost host) {
    this.host = host;
  }

  /**
   * Begins a cut of a file that no conversion changes meanwhile.
   *
   * @param inode the file; 0 for none
   * @param length new length of the file
   */
  public static CountedCut begin(NameNodeHost host, long inode, long length) throws IOException {
    CountedCut cut = new CountedCut(host);
    // Most files have no such blocks: for them nobody has to wait for the write lock.
    if (host.reading(OPERATION, () -> !cut.others(inode, length).isEmpty())) {
      boolean unused = host.writing(OPERATION, () -> cut.align(inode, length));
    }
    return cut;
  }

  /**
   * Begins the deletion of a snapshot. HDFS counts the blocks of files that were changed since the
   * snapshot in the same way, and sets the replication of all of them to their file's.
   *
   * @param root the snapshot's directory
   */
  public static CountedCut ofSnapshot(
      NameNodeHost host, OpenWrites writes, String root, String name) throws IOException {
    CountedCut cut = new CountedCut(host);
    int snapshot = host.readingFiles(OPERATION, () -> snapshot(host, root, name));
    if (snapshot == Snapshot.NO_SNAPSHOT_ID) {
      return cut; // HDFS says so
    }
    List<Long> past = new ArrayList<>();
    Set<Long> files = new LinkedHashSet<>();
    cut.end = () -> files.forEach(writes::end);
    boolean begun = false;
    try {
      // There may be many, of which the snapshot has few: for the others nobody waits.
      host.readingEach(
          OPERATION,
          writes.lowered(),
          inode -> {
            if (cut.others(inode, ALL).isEmpty()) {
              writes.forgetLowered(inode);
            } else if (cut.isIn(snapshot, inode)) {
              past.add(inode);
            }
          });
      host.writingEach(
          OPERATION,
          past,
          inode -> {
            writes.begin(inode); // nobody looks at what its blocks aim at meanwhile
            files.add(inode);
            boolean unused = cut.align(inode, ALL);
          });
      begun = true;
      return cut;
    } finally {
      if (!begun) {
        cut.close();
      }
    }
  }

  private boolean align(long inode, long length) {
    for (BlockInfo block : others(inode, length)) {
      short wanted = wanted(inode);
      host.aims().beginCut(block, wanted);
      changed.add(block.getBlockId());
    }
    return true;
  }

  private short wanted(long inode) {
    INode file = host.namesystem().getFSDirectory().getInode(inode);
    return file.asFile().getPreferredBlockReplication();
  }

  /** The number of a snapshot. The lock is held. */
  private static int snapshot(NameNodeHost host, String root, String name) {
    try {
      return Namespace.snapshot(host.inode(root), name);
    } catch (IOException | RuntimeException e) {
      return Snapshot.NO_SNAPSHOT_ID; // HDFS says what is wrong with the path
    }
  }

  /** Whether a snapshot has a state of a file that it has no more. The lock is held. */
  private boolean isIn(int snapshot, long inode) {
    INodeFile file = host.namesystem().getFSDirectory().getInode(inode).asFile();
    FileWithSnapshotFeature past = file.getFileWithSnapshotFeature();
    return past != null && past.getDiffs().getSnapshotById(snapshot) == snapshot;
  }

  /**
   * Blocks that end behind a length and aim at other than the file wants, or would if no other cut
   * was under way. The lock is held.
   */
  private Collection<BlockInfo> others(long inode, long length) {
    INode found = host.namesystem().getFSDirectory().getInode(inode);
    if (found == null || !found.isFile() || found.asFile().isStriped()) {
      return List.of();
    }
    INodeFile file = found.asFile();
    Set<BlockInfo> others = new LinkedHashSet<>();
    long end = 0;
    for (BlockInfo block : file.getBlocks()) {
      end += block.getNumBytes();
      if (end > length) {
        others.add(block);
      }
    }
    FileWithSnapshotFeature past = file.getFileWithSnapshotFeature();
    if (length == ALL && past != null) {
      for (FileDiff diff : past.getDiffs()) {
        BlockInfo[] kept = diff.getBlocks();
        others.addAll(kept == null ? List.of() : List.of(kept));
      }
    }
    short wanted = file.getPreferredBlockReplication();
    others.removeIf(
        block ->
            block.isDeleted() || (block.getReplication() == wanted && !host.aims().isCut(block)));
    return others;
  }

  /**
   * Gives the blocks that still exist their previous number of replicas: the cut failed, or a
   * snapshot holds them.
   */
  @Override
  public void close() {
    try {
      host.writingEach(OPERATION, changed, this::undo);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      end.run();
    }
  }

  private void undo(long id) {
    Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
    block.ifPresentOrElse(host.aims()::endCut, () -> host.aims().endCut(id));
  }
}
