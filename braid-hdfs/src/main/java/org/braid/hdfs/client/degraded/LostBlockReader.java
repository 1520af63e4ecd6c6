package org.braid.hdfs.client.degraded;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the lost blocks of one open file and remembers them, so that later reads do not try their
 * DataNodes first. Thread-safe.
 */
public final class LostBlockReader {
  private static final Logger LOG = LoggerFactory.getLogger(LostBlockReader.class);

  private final String path;
  private final LongSupplier length;
  private final DegradedReader degraded;
  private final UnreadableBlocks unreadable;
  private final ReadCounters counters;
  private final Set<Long> lostHere = ConcurrentHashMap.newKeySet();
  private volatile @Nullable RebuiltRange last;
  private volatile @Nullable ExtendedBlock inStripe;

  /** How a program reads. */
  public enum Access {
    /** Sequential access. */
    SEQUENTIAL,
    /** Random access. */
    RANDOM
  }

  /**
   * Creates a reader.
   *
   * @param path the file
   * @param length the present length of the file; in a snapshot the last block may be longer, if
   *     the file was appended to since
   * @param unreadable recently unreadable blocks of all files
   * @param counters count the work of degraded reads
   */
  public LostBlockReader(
      String path,
      LongSupplier length,
      DegradedReader degraded,
      UnreadableBlocks unreadable,
      ReadCounters counters) {
    this.path = path;
    this.length = length;
    this.degraded = degraded;
    this.unreadable = unreadable;
    this.counters = counters;
  }

  /** Whether a block was unreadable recently, for this or another reader. */
  public boolean isLost(LocatedBlock block) {
    if (!unreadable.contains(block.getBlock())) {
      return false;
    }
    lostHere.add(block.getStartOffset());
    return true;
  }

  /**
   * Whether a block was lost at this file's last read of it, and may be repaired by now on another
   * DataNode, so that its locations are outdated. Returns true once.
   */
  public boolean mayBeRepaired(LocatedBlock block) {
    return lostHere.remove(block.getStartOffset());
  }

  /**
   * Whether a block is in a stripe, so that it may be rebuilt. Asks the NameNode, except for the
   * block that was last found in a stripe.
   */
  public boolean mayBeRebuilt(LocatedBlock block) throws IOException {
    if (block.getBlock().equals(inStripe)) {
      return true;
    }
    if (!degraded.isInStripe(path, block)) {
      return false;
    }
    inStripe = block.getBlock();
    return true;
  }

  /** Forgets that a block is lost. */
  public void forget(LocatedBlock block) {
    lostHere.remove(block.getStartOffset());
    unreadable.remove(block.getBlock());
  }

  /**
   * Rebuilds bytes of a block and remembers that it is lost.
   *
   * @param block a block that no DataNode delivers
   * @param position position in the file
   * @param into buffer with at least one byte of room
   * @param why the previous failure
   * @return number of bytes; 0 when the block is in no stripe
   */
  public int readFirst(
      LocatedBlock block, Access access, long position, ByteBuffer into, IOException why)
      throws IOException {
    int read;
    try {
      read = read(block, access, position, into);
    } catch (IOException e) {
      e.addSuppressed(why);
      throw e;
    }
    if (read > 0) {
      if (unreadable.add(block.getBlock())) {
        LOG.info(
            "{} of {} is lost and read through its stripe: {}",
            block.getBlock(),
            path,
            why.getMessage());
      }
      lostHere.add(block.getStartOffset());
    }
    return read;
  }

  /**
   * Rebuilds bytes of a lost block, or returns bytes that were rebuilt before.
   *
   * @param position position in the file
   * @param into buffer with at least one byte of room
   * @return number of bytes; 0 when the block is in no stripe
   */
  public int read(LocatedBlock block, Access access, long position, ByteBuffer into)
      throws IOException {
    RebuiltRange known = last;
    if (known == null || !known.covers(block.getBlock(), position)) {
      byte[] bytes = new byte[size(known, block, access, position, into.remaining())];
      long offset = position - block.getStartOffset();
      int rebuilt = degraded.read(path, block, offset, ByteBuffer.wrap(bytes), counters);
      if (rebuilt == 0) {
        return 0;
      }
      known = new RebuiltRange(block.getBlock(), position, Arrays.copyOf(bytes, rebuilt));
      last = known;
    }
    return known.copy(position, into);
  }

  /** Sequential reads rebuild ever more ahead, random ones what is asked for. */
  private int size(
      @Nullable RebuiltRange before, LocatedBlock block, Access access, long position, int asked)
      throws EOFException {
    int most = degraded.settings().readAhead();
    long size = Math.min(asked, most);
    if (access == Access.SEQUENTIAL && before != null && before.end() == position) {
      size = Math.max(size, Math.min(2L * before.length(), most));
    } else if (access == Access.SEQUENTIAL) {
      size = Math.max(size, degraded.settings().firstRead());
    }
    long end = Math.min(block.getStartOffset() + block.getBlockSize(), length.getAsLong());
    if (end <= position) {
      throw new EOFException("%s ends at %d, before %d".formatted(path, end, position));
    }
    return (int) Math.min(size, end - position);
  }

  /** Drops rebuilt bytes that were not read yet. */
  public void clear() {
    last = null;
  }
}
