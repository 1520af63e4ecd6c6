package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockUnderConstructionFeature;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the inodes at the paths of a call, taken when the call arrives. A held call
 * compares it with the inodes when it runs: its client may have given up long ago, and the call
 * must not touch what others have written since. States are compared with each other, never with a
 * clock.
 */
public final class PathState {
  /** Files, directories and blocks looked at in one hold of the lock. */
  private static final int CHUNK = 1000;

  private final NameNodeHost host;
  private final Removal removal;
  private final Paths paths;

  /** The last number that was given to a file or directory when the call came. */
  private final long newest;

  /** Files that HDFS was cutting then, and closes by itself. */
  private final Set<Long> cut;

  /** Of what is below a directory; empty where it does not matter, or was not looked at. */
  private final Optional<Long> tree;

  private PathState(
      NameNodeHost host,
      Removal removal,
      Paths paths,
      long newest,
      Set<Long> cut,
      Optional<Long> tree) {
    this.host = host;
    this.removal = removal;
    this.paths = paths;
    this.newest = newest;
    this.cut = cut;
    this.tree = tree;
  }

  /**
   * A file or directory.
   *
   * @param length bytes of a file
   * @param generation of a file's last block: an append changes it before the length
   * @param open whether somebody writes to a file
   */
  private record Entry(
      long inode, long modified, long length, int blocks, long generation, boolean open) {
    private static final Entry NOTHING = new Entry(0, 0, 0, 0, 0, false);

    /**
     * The state of a file or directory. The lock is held.
     *
     * @param cut tells whether HDFS was cutting a file when the call arrived; then only its length,
     *     to which it is cut, counts
     */
    static Entry of(@Nullable INode inode, Predicate<INodeFile> cut) {
      if (inode == null) {
        return NOTHING;
      }
      long id = inode.getId();
      long modified = inode.getModificationTime();
      if (!inode.isFile()) {
        return new Entry(id, modified, 0, 0, 0, false);
      }
      INodeFile file = inode.asFile();
      BlockInfo last = file.getLastBlock();
      return cut.test(file)
          ? new Entry(id, 0, cutLength(file), file.numBlocks(), 0, false)
          : new Entry(
              id,
              modified,
              file.computeFileSize(),
              file.numBlocks(),
              last == null ? 0 : last.getGenerationStamp(),
              file.isUnderConstruction());
    }

    private static long cutLength(INodeFile file) {
      BlockInfo last = file.getLastBlock();
      BlockInfo rest = last == null ? null : rest(last);
      // Where a snapshot keeps the old block, the new one has its length already.
      return last == null || rest == null || rest.getBlockId() != last.getBlockId()
          ? file.computeFileSize()
          : file.computeFileSizeNotIncludingLastUcBlock() + rest.getNumBytes();
    }

    /** What HDFS makes, or has made, another block of; null where it cuts none. */
    private static @Nullable BlockInfo rest(BlockInfo block) {
      BlockUnderConstructionFeature writing = block.getUnderConstructionFeature();
      return writing == null ? null : writing.getTruncateBlock();
    }

    static boolean isBeingCut(INodeFile file) {
      BlockInfo last = file.getLastBlock();
      return file.isUnderConstruction() && last != null && rest(last) != null;
    }

    /** The digest of a sequence that ends with this entry. */
    long after(long digest) {
      long mixed = digest;
      long[] parts = {inode, modified, length, blocks, generation, open ? 1 : 0};
      for (long part : parts) {
        mixed = mix(mixed + part);
      }
      return mixed;
    }

    /** SplitMix64's output function. */
    private static long mix(long value) {
      long z = value + 0x9e3779b97f4a7c15L;
      z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
      z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
      return z ^ z >>> 31;
    }
  }

  /**
   * What the paths themselves lead to.
   *
   * @param top what is removed, or written to
   * @param source what takes its place
   * @param snapshot the number of a snapshot, of which names are given anew
   */
  private record Paths(Entry top, Entry source, int snapshot) {
    /** The lock is held. */
    static Paths of(NameNodeHost host, Removal removal, Predicate<INodeFile> cut)
        throws IOException {
      INode top = host.inode(removal.path());
      int none = Snapshot.NO_SNAPSHOT_ID;
      return switch (removal.kind()) {
        case TREE, FILE, CONTENT, TAIL -> new Paths(Entry.of(top, cut), Entry.NOTHING, none);
        case REPLACED ->
            new Paths(Entry.of(top, cut), Entry.of(host.inode(removal.other()), cut), none);
        case SNAPSHOT ->
            // What stands in the directory now is none of the snapshot's business.
            new Paths(
                new Entry(top == null ? 0 : top.getId(), 0, 0, 0, 0, false),
                Entry.NOTHING,
                Namespace.snapshot(top, removal.other()));
      };
    }
  }

  /** The state of a removal's paths now, without the contents of directories. */
  public static PathState of(NameNodeHost host, Removal removal) throws IOException {
    Set<Long> cut = new HashSet<>();
    return host.reading(
        "braidRemoval",
        () ->
            new PathState(
                host,
                removal,
                Paths.of(host, removal, file -> note(file, cut)),
                host.namesystem().getFSDirectory().getLastInodeId(),
                cut,
                Optional.empty()));
  }

  /** Whether HDFS is cutting a file, which is noted. */
  private static boolean note(INodeFile file, Set<Long> cut) {
    boolean beingCut = Entry.isBeingCut(file);
    if (beingCut) {
      cut.add(file.getId());
    }
    return beingCut;
  }

  /**
   * The state with all contents of directories, for a call that will be held.
   *
   * @throws IOException when a file or directory below is newer than the call
   */
  public PathState whole() throws IOException {
    if (removal.kind() != Removal.Kind.TREE) {
      return this;
    }
    Set<Long> cutNow = new HashSet<>(cut);
    Tree below = below(file -> note(file, cutNow));
    if (below.newest > newest) {
      throw changed();
    }
    return new PathState(host, removal, paths, newest, cutNow, Optional.of(below.digest));
  }

  /**
   * Whether the paths lead to the same inodes, unchanged; does not look at the contents of
   * directories.
   */
  boolean leadsToTheSame() throws IOException {
    return host.reading("braidRemoval", () -> Paths.of(host, removal, this::wasCut)).equals(paths);
  }

  /** Whether the whole recorded state is unchanged. */
  public boolean isUnchanged() throws IOException {
    return leadsToTheSame() && (tree.isEmpty() || tree.get() == below(this::wasCut).digest);
  }

  /** Whether a file was being cut when the call came, and nobody has written to it since. */
  private boolean wasCut(INodeFile file) {
    return cut.contains(file.getId()) && (Entry.isBeingCut(file) || !file.isUnderConstruction());
  }

  /** The refusal of a call whose paths have changed. */
  IOException changed() {
    return new IOException(
        "%s is not what it was when this call came: nothing is done; call again"
            .formatted(removal.path()));
  }

  private Tree below(Predicate<INodeFile> wasCut) throws IOException {
    Tree below = new Tree(wasCut);
    boolean more = true;
    while (more) {
      more = host.reading("braidRemoval", below::step);
    }
    return below;
  }

  /** A look at all below a directory, in short holds of the lock. */
  private final class Tree {
    private final Predicate<INodeFile> wasCut;
    private @Nullable TreeCursor inodes;
    private long digest;
    private long newest;

    Tree(Predicate<INodeFile> wasCut) {
      this.wasCut = wasCut;
    }

    /** Looks at some more; false at the end. The lock is held. */
    boolean step() throws IOException {
      TreeCursor cursor = inodes;
      if (cursor == null) {
        INode top = host.inode(removal.path());
        if (top == null) {
          return false;
        }
        cursor = new TreeCursor(host.namesystem().getFSDirectory(), top);
        inodes = cursor;
      }
      for (int i = 0; i < CHUNK; ) {
        Optional<INode> inode = cursor.next();
        if (inode.isEmpty()) {
          return false;
        }
        Entry entry = Entry.of(inode.get(), wasCut);
        digest = entry.after(digest);
        newest = Math.max(newest, entry.inode());
        i += 1 + entry.blocks();
      }
      return true;
    }
  }
}
