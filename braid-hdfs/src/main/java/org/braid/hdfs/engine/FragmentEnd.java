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

  /** Whether a stream that broke ended it: the cause may be another node's. */
  boolean mayFollow() {
    return failure != null && failure.kind() == WorkerException.Kind.STREAM;
  }

  /** Whether another node may do what this one failed at: a quota is exceeded at any. */
  boolean blamesNode() {
    return failure != null
        && failure.kind() != WorkerException.Kind.BUSY
        && failure.kind() != WorkerException.Kind.QUOTA;
  }

  /**
   * The failure that is the cause of a first one. Both ends of a stream fail together, and the one
   * whose disk is full or whose replica is bad may be the later one to say so.
   *
   * @param first that failed
   * @param open the nodes that have not ended; those that do meanwhile are taken out
   * @param millis how long others are waited for
   * @return the first one where no other has a cause of its own in time
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
