package org.braid.hdfs.coordinator;

import java.io.IOException;
import org.braid.hdfs.dispatch.Workers;
import org.jspecify.annotations.Nullable;

/**
 * How the cluster looks to one piece of work. To look means to ask every DataNode, so those who
 * work on many stripes share a look for a second; whoever met a failure looks anew. Thread-safe.
 */
final class Sight {
  private static final long FRESH_NANOS = 1_000_000_000L;

  private final NameNodeCalls nameNode;
  private final Workers workers;
  private @Nullable ClusterState last;
  private long seen;

  Sight(NameNodeCalls nameNode, Workers workers) {
    this.nameNode = nameNode;
    this.workers = workers;
  }

  /** The cluster as it is. */
  ClusterState now() throws IOException {
    long begun = System.nanoTime();
    ClusterState state = ClusterState.take(nameNode, workers);
    synchronized (this) {
      if (last == null || begun - seen > 0) {
        last = state;
        seen = begun;
      }
    }
    return state;
  }

  /** The cluster as it was at most a second ago. */
  synchronized ClusterState lately() throws IOException {
    ClusterState known = last;
    return known == null || System.nanoTime() - seen > FRESH_NANOS ? now() : known;
  }

  /** What a first attempt relies on, and what a further one does. */
  ClusterState forAttempt(int attempt) throws IOException {
    return attempt == 0 ? lately() : now();
  }
}
