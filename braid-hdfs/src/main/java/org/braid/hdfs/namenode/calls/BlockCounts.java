package org.braid.hdfs.namenode.calls;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * How many pending removals name each block. Thread-safe; whoever needs several answers of one
 * moment holds its monitor meanwhile.
 */
final class BlockCounts {
  private final Map<Long, Integer> counts = new HashMap<>();

  /** One more removal names these blocks. */
  synchronized void add(Collection<Long> blocks) {
    blocks.forEach(id -> counts.merge(id, 1, Integer::sum));
  }

  /**
   * A removal that named these blocks does so no longer.
   *
   * @return those of them that none names now
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

  /** Whether a removal names a block. */
  synchronized boolean contains(long block) {
    return counts.containsKey(block);
  }
}
