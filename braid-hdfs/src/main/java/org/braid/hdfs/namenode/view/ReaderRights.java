package org.braid.hdfs.namenode.view;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.namenode.host.CallerRights;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;

/**
 * Checks what the present caller may read, by HDFS's present permissions. Who decodes a stripe
 * learns the content of all its blocks: parity and the blocks of some files determine those of the
 * others.
 */
final class ReaderRights {
  private final NameNodeHost host;

  ReaderRights(NameNodeHost host) {
    this.host = host;
  }

  /**
   * Refuses a reader that may not read a file, or that asks for blocks of other files. Resolves the
   * path once, in one hold of the lock, because the caller may rename files.
   *
   * @return the blocks of the file at the path; for a path in a snapshot, those at the time of the
   *     snapshot
   * @throws AccessControlException when permission is missing
   */
  Set<Long> check(String path, List<Long> blockIds) throws IOException {
    if (blockIds.isEmpty()) {
      throw new AccessControlException("a reader of " + path + " must name the blocks it reads");
    }
    CallerRights caller = CallerRights.of(host);
    List<Long> blocks =
        host.readingFiles(
            "braidReader",
            () -> {
              INodesInPath found = caller.checkReading(path);
              INode inode = found.getLastINode();
              if (inode == null || !inode.isFile()) {
                throw new FileNotFoundException("File does not exist: " + path);
              }
              return blocks(inode.asFile(), found);
            });
    Set<Long> owned = new HashSet<>(blocks);
    for (long id : blockIds) {
      if (!owned.contains(id)) {
        throw new AccessControlException("block blk_" + id + " is not a block of " + path);
      }
    }
    return owned;
  }

  /** The blocks that HDFS names of a file: it has those of a snapshot cut by length only. */
  private static List<Long> blocks(INodeFile file, INodesInPath found) {
    int snapshot = found.getPathSnapshotId();
    long length =
        snapshot == Snapshot.CURRENT_STATE_ID ? Long.MAX_VALUE : file.computeFileSize(snapshot);
    List<Long> blocks = new ArrayList<>();
    long start = 0;
    for (BlockInfo block : file.getBlocks(snapshot)) {
      if (start < length) {
        blocks.add(block.getBlockId());
      }
      start += block.getNumBytes();
    }
    return blocks;
  }

  /**
   * Whether the caller may read every file with a block of a stripe, by its permissions in the
   * namespace. A block that was deleted or changed since encoding is still known to its parity, but
   * its readers are unknown: only a superuser may decode it. The same holds for a block of a
   * deleted or truncated file that only snapshots hold, because they have old permissions. Files
   * that HDFS hides from superusers hide the stripe from superusers.
   *
   * @param own all blocks of a file that the caller may read; if the file grew since a snapshot,
   *     the present file has other blocks, which a reader of the snapshot may have no permission
   *     for
   */
  boolean mayDecode(Entry entry, Set<Long> own) throws IOException {
    boolean superuser = isSuperuser();
    CallerRights caller = CallerRights.of(host);
    return host.reading(
        "braidReader",
        () -> superuser ? !isHidden(entry, own, caller) : mayDecode(entry, own, caller));
  }

  /** Whether HDFS has the caller, a superuser, not read a file with another block of a stripe. */
  private boolean isHidden(Entry entry, Set<Long> own, CallerRights caller) throws IOException {
    for (Member member : entry.stripe().members()) {
      Optional<Held> held = StripeReader.owned(host, member);
      if (held.isPresent()
          && !own.contains(member.block().id())
          && held.get().file().getId() != entry.inode()
          && caller.isHidden(held.get().file())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the caller is a superuser, who may see all names. */
  boolean isSuperuser() throws IOException {
    return host.isSuperuser(NameNode.getRemoteUser());
  }

  /** The lock is held. */
  private boolean mayDecode(Entry entry, Set<Long> own, CallerRights caller) throws IOException {
    Set<Long> readable = new HashSet<>();
    for (Member member : entry.stripe().members()) {
      if (member.isVirtual()) {
        continue;
      }
      Optional<Held> held = StripeReader.owned(host, member);
      if (held.isEmpty()) {
        return false;
      }
      INodeFile file = held.get().file();
      boolean parity = file.getId() == entry.inode();
      if (!parity && !own.contains(member.block().id())) {
        if (!Namespace.has(file.getBlocks(), held.get().block())
            || (readable.add(file.getId()) && !mayRead(file, caller))) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean mayRead(INodeFile file, CallerRights caller) throws IOException {
    try {
      INode found = caller.check(BraidPaths.inode(file.getId()), FsAction.READ).getLastINode();
      // HDFS looks the number's path up: after a deletion that may be another file.
      return found != null && found.getId() == file.getId();
    } catch (AccessControlException | FileNotFoundException e) {
      return false;
    }
  }
}
