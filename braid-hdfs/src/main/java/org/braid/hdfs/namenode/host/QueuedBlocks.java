package org.braid.hdfs.namenode.host;

import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.util.LightWeightLinkedSet;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's queue of blocks without a good replica. A change of the queue invalidates its iterators,
 * but not its links. So a walk over links continues in the next hold of the lock.
 */
final class QueuedBlocks implements ResumedWalk.Source<Object> {
  private final LightWeightLinkedSet<BlockInfo> queue;

  QueuedBlocks(BlockManager blocks) {
    this(HadoopInternals.unreadable(blocks));
  }

  QueuedBlocks(LightWeightLinkedSet<BlockInfo> queue) {
    this.queue = queue;
  }

  /** The block of a link. */
  static BlockInfo block(Object link) {
    return (BlockInfo) HadoopInternals.linked(link);
  }

  @Override
  public Iterator<Object> begin() {
    return new Links(HadoopInternals.firstLink(queue));
  }

  @Override
  public Optional<Iterator<Object>> behind(Collection<Object> last) {
    return last.stream()
        .filter(this::isQueued)
        .findFirst()
        .map(link -> new Links(HadoopInternals.linkAfter(link)));
  }

  /**
   * A link that was taken out leads on, but nothing leads to it; it is never put back. Those of a
   * queue that was emptied as a whole lead to each other still.
   */
  @SuppressWarnings("ReferenceEquality")
  private boolean isQueued(Object link) {
    Object before = HadoopInternals.linkBefore(link);
    Object to =
        before == null ? HadoopInternals.firstLink(queue) : HadoopInternals.linkAfter(before);
    return to == link && queue.contains(block(link));
  }

  private static final class Links implements Iterator<Object> {
    private @Nullable Object next;

    Links(@Nullable Object first) {
      next = first;
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Object next() {
      Object link = next;
      if (link == null) {
        throw new NoSuchElementException();
      }
      next = HadoopInternals.linkAfter(link);
      return link;
    }
  }
}
