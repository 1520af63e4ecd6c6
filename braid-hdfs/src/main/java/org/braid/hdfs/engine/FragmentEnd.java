package org.braid.hdfs.engine;

import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.dispatch.WorkerException;
import org.jspecify.annotations.Nullable;

/**
 * The end of the fragment of one node.
 *
 * @param failure why it failed; null when it did not
 */
record FragmentEnd(int node, @Nullable WorkerException failure) {
  boolean failed() {
    return failure != null;
  }

  /** Whether a broken stream ended it, so that another node may be the cause. */
  boolean mayFollow() {
    return failure != null && failure.kind() == WorkerException.Kind.STREAM;
  }

  /**
   * Whether the node is at fault: not when it is busy, nor for a quota, which any node would
   * exceed.
   */
  boolean blamesNode() {
    return failure != null
        && failure.kind() != WorkerException.Kind.BUSY
        && failure.kind() != WorkerException.Kind.QUOTA;
  }

  /**
   * Finds the cause of a first failure. Both ends of a stream fail together, and the node with the
   * full disk or the bad replica may report later.
   *
   * @param first the first failure
   * @param open the nodes that have not ended; nodes that end meanwhile are removed
   * @param millis how long to wait for other nodes
   * @return the cause, or the first failure if no other node reports one in time
   */
  static FragmentEnd cause(
      FragmentEnd first, BlockingQueue<FragmentEnd> ends, Set<Integer> open, long millis)
      throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    FragmentEnd next = first;
    while (next.mayFollow() || !next.failed()) {
      FragmentEnd other =
          open.isEmpty() ? null : ends.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (other == null) {
        return first;
      }
      open.remove(other.node());
      next = other;
    }
    return next;
  }
}
