package org.braid.hdfs.namenode.calls;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts the pending removals of each block. Thread-safe; a caller that needs several answers from
 * one moment holds its monitor.
 */
final class BlockCounts {
  private final Map<Long, Integer> counts = new HashMap<>();

  /** Adds a removal of these blocks. */
  synchronized void add(Collection<Long> blocks) {
    blocks.forEach(id -> counts.merge(id, 1, Integer::sum));
  }

  /**
   * Ends a removal of these blocks.
   *
   * @return the blocks of this removal that no other removal names
   */
  synchronized Set<Long> remove(Collection<Long> blocks) {
    Set<Long> unnamed = new LinkedHashSet<>();
    for (long id : blocks) {
      if (counts.computeIfPresent(id, (i, count) -> count > 1 ? count - 1 : null) == null) {
        unnamed.add(id);
      }
    }
    return unnamed;
  }

  /** Whether any pending removal names a block. */
  synchronized boolean contains(long block) {
    return counts.containsKey(block);
  }
}
