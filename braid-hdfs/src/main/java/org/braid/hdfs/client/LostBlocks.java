package org.braid.hdfs.client;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * The blocks that could not be read lately, so that no reader pays for finding that out again. They
 * are forgotten after a while: by then they may be repaired. Thread-safe.
 */
final class LostBlocks {
  private final long nanos;
  private final ConcurrentHashMap<ExtendedBlock, Long> since = new ConcurrentHashMap<>();

  LostBlocks(long millis) {
    this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Remembers a block; says whether that is news. */
  boolean add(ExtendedBlock block) {
    return since.put(block, System.nanoTime()) == null;
  }

  void remove(ExtendedBlock block) {
    since.remove(block);
  }

  boolean contains(ExtendedBlock block) {
    Long when = since.get(block);
    if (when == null) {
      return false;
    }
    if (System.nanoTime() - when <= nanos) {
      return true;
    }
    since.remove(block, when);
    return false;
  }

  boolean isEmpty() {
    return since.isEmpty();
  }
}
