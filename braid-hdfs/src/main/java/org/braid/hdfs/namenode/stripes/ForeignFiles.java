package org.braid.hdfs.namenode.stripes;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileWithSnapshotFeature;
import org.jspecify.annotations.Nullable;

/**
 * Tells which files Braid has nothing to do with: those of HDFS's own erasure coding, and those
 * none of whose blocks is in a stripe or about to be. HDFS alone decides about their replicas.
 * Answers under the namesystem's write lock, at once.
 */
public final class ForeignFiles {
  /** What is known of stripes; an implementation answers from memory. */
  interface Stripes {
    /** Whether all stripes are known. */
    boolean isRead();

    /** Grows whenever a block comes to be in a stripe. */
    long changes();

    /** Whether a block is in a stripe, or about to be, or may be for all that is known. */
    boolean concerns(long block);
  }

  /** The answer for the file that was asked about last: HDFS asks once for each of its blocks. */
  private record Answer(Object blocks, long changes, boolean foreign) {}

  private final Stripes stripes;
  private @Nullable Answer last;

  public ForeignFiles(StripeIndex index) {
    this((Stripes) index);
  }

  ForeignFiles(Stripes stripes) {
    this.stripes = stripes;
  }

  /**
   * Whether Braid has nothing to do with a file. The namesystem's write lock is held.
   *
   * @param file null when it is not known: it may be anyone's
   */
  public boolean contains(@Nullable INodeFile file) {
    if (file == null) {
      return false;
    }
    if (file.isStriped()) {
      return true;
    }
    BlockInfo[] blocks = file.getBlocks();
    return file.getFileWithSnapshotFeature() == null
        ? isForeign(blocks, ids(blocks))
        : isForeign(new Object(), all(file));
  }

  /**
   * The same for blocks.
   *
   * @param key that which stays the same object as long as the blocks are the same
   */
  boolean isForeign(Object key, LongStream blocks) {
    if (!stripes.isRead()) {
      return false;
    }
    long changes = stripes.changes();
    Answer present = last;
    if (present == null || present.blocks != key || present.changes != changes) {
      present = new Answer(key, changes, blocks.noneMatch(stripes::concerns));
      last = present;
    }
    return present.foreign;
  }

  private static LongStream ids(Block[] blocks) {
    return Arrays.stream(blocks).mapToLong(Block::getBlockId);
  }

  /** The blocks of a file, and those that only snapshots of it have. */
  public static LongStream all(INodeFile file) {
    LongStream ids = ids(file.getBlocks());
    FileWithSnapshotFeature past = file.getFileWithSnapshotFeature();
    if (past != null) {
      for (FileDiff diff : past.getDiffs()) {
        BlockInfo[] kept = diff.getBlocks();
        ids = kept == null ? ids : LongStream.concat(ids, ids(kept));
      }
    }
    return ids;
  }
}
