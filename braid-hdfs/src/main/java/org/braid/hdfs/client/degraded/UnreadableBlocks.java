package org.braid.hdfs.client.degraded;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * The blocks that were unreadable recently, so that not every reader has to find this out. They are
 * forgotten after a while, because they may be repaired. Thread-safe.
 */
public final class UnreadableBlocks {
  private final long nanos;
  private final LongSupplier clock;
  private final ConcurrentHashMap<ExtendedBlock, Long> since = new ConcurrentHashMap<>();

  /**
   * Starts without blocks.
   *
   * @param millis time for which a block is remembered
   * @param clock nanoseconds, from any origin
   */
  public UnreadableBlocks(long millis, LongSupplier clock) {
    this.clock = clock;
    this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Remembers a block; returns whether it was new. */
  public boolean add(ExtendedBlock block) {
    long now = clock.getAsLong();
    since.values().removeIf(when -> now - when > nanos); // nobody may ask for them again
    return since.put(block, now) == null;
  }

  /** Number of remembered blocks. */
  int count() {
    return since.size();
  }

  /** Forgets a block. */
  public void remove(ExtendedBlock block) {
    since.remove(block);
  }

  /** Whether a block was unreadable recently. */
  public boolean contains(ExtendedBlock block) {
    Long when = since.get(block);
    if (when == null) {
      return false;
    }
    if (clock.getAsLong() - when <= nanos) {
      return true;
    }
    since.remove(block, when);
    return false;
  }
}
