package org.braid.hdfs.namenode.host;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;

/**
 * The blocks of a file that HDFS is about to cut off. A space quota counts each block times the
 * replicas that the file wants. HDFS takes a block that it cuts off from the quota times the
 * replicas that the block itself aims at, which is another number for encoded blocks. So these
 * blocks aim at what the file wants while the cut is made. Only the number changes: HDFS is not
 * told to copy or drop anything.
 */
public final class CountedCut implements Closeable {
  private static final String OPERATION = "braidCut";

  /** What a block aimed at before, and aims at during the cut. */
  private record Aims(short before, short during) {}

  private final NameNodeHost host;
  private final Map<Long, Aims> changed = new HashMap<>();
  private Runnable end = () -> {};

  private CountedCut(NameNodeHost host) {
    this.host = host;
  }

  /**
   * A cut begins of a file that nobody converts meanwhile.
   *
   * @param inode the file; 0 for none
   * @param length to which it is cut
   */
  public static CountedCut begin(NameNodeHost host, long inode, long length) throws IOException {
    CountedCut cut = new CountedCut(host);
    // Most files have no such blocks: for them nobody has to wait for the write lock.
    if (host.reading(OPERATION, () -> !others(host, inode, length).isEmpty())) {
      boolean unused = host.writing(OPERATION, () -> cut.align(inode, length));
    }
    return cut;
  }

  /**
   * HDFS is about to delete a snapshot, where it counts blocks of the files that were changed since
   * in the same way, and has all of them aim at what their file wants.
   */
  public static CountedCut ofSnapshots(NameNodeHost host, OpenWrites writes) throws IOException {
    CountedCut cut = new CountedCut(host);
    Set<Long> files = new LinkedHashSet<>();
    cut.end = () -> files.forEach(writes::end);
    boolean begun = false;
    try {
      host.writingEach(
          OPERATION,
          writes.lowered(),
          inode -> {
            INode found = host.namesystem().getFSDirectory().getInode(inode);
            if (found == null || others(host, inode, -1).isEmpty()) {
              writes.forgetLowered(inode);
            } else if (found.asFile().getFileWithSnapshotFeature() != null && files.add(inode)) {
              writes.begin(inode); // nobody looks at what its blocks aim at meanwhile
              boolean unused = cut.align(inode, -1);
            }
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
    for (BlockInfo block : others(host, inode, length)) {
      short wanted = wanted(host, inode);
      changed.put(block.getBlockId(), new Aims(block.getReplication(), wanted));
      block.setReplication(wanted);
    }
    return true;
  }

  private static short wanted(NameNodeHost host, long inode) {
    INode file = host.namesystem().getFSDirectory().getInode(inode);
    return file.asFile().getPreferredBlockReplication();
  }

  /** Blocks that end behind a length and aim at other than the file wants. The lock is held. */
  private static List<BlockInfo> others(NameNodeHost host, long inode, long length) {
    INode found = host.namesystem().getFSDirectory().getInode(inode);
    if (found == null || !found.isFile() || found.asFile().isStriped()) {
      return List.of();
    }
    INodeFile file = found.asFile();
    short wanted = file.getPreferredBlockReplication();
    List<BlockInfo> others = new ArrayList<>();
    long end = 0;
    for (BlockInfo block : file.getBlocks()) {
      end += block.getNumBytes();
      if (end > length && block.getReplication() != wanted) {
        others.add(block);
      }
    }
    return others;
  }

  /** Blocks that are still there, as the cut failed or a snapshot has them, aim as before. */
  @Override
  public void close() {
    try {
      host.writingEach(OPERATION, changed.entrySet(), each -> undo(each.getKey(), each.getValue()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      end.run();
    }
  }

  private void undo(long id, Aims aims) {
    // A standby forgets what blocks aim at in its memory alone.
    if (host.nameNode().isActiveState()) {
      ReplicaView.stored(host.blocks(), id)
          .filter(block -> block.getReplication() == aims.during())
          .ifPresent(block -> block.setReplication(aims.before()));
    }
  }
}
