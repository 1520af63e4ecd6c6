package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * How the cluster looks to one piece of work. To look means to ask every DataNode, which takes
 * seconds when one of them is silent, so those who work on many stripes share a look for a while;
 * whoever met a failure looks anew. Thread-safe.
 */
public final class RecentClusterState {
  private static final long FRESH_MILLIS = 1000;

  /** A look that took long is shared for so many times as long. */
  private static final int FRESH_SHARE = 4;

  private final Look look;
  private final Ticker ticker;
  private @Nullable ClusterState last;
  private long begun;
  private long freshUntil;

  /** Asks the cluster. */
  interface Look {
    ClusterState take(boolean withCaches) throws IOException;
  }

  public RecentClusterState(NameNodeCalls nameNode, Workers workers) {
    this(
        withCaches ->
            withCaches
                ? ClusterState.withCaches(nameNode, workers)
                : ClusterState.take(nameNode, workers),
        Ticker.SYSTEM);
  }

  RecentClusterState(Look look, Ticker ticker) {
    this.look = look;
    this.ticker = ticker;
  }

  /** The cluster as it is. */
  public ClusterState now() throws IOException {
    return take(false);
  }

  /** The cluster as it is, with the blocks that workers have in memory. */
  public ClusterState withCaches() throws IOException {
    return take(true);
  }

  private ClusterState take(boolean withCaches) throws IOException {
    long since = ticker.millis();
    ClusterState state = look.take(withCaches);
    long end = ticker.millis();
    synchronized (this) {
      if (last == null || since >= begun) {
        last = state;
        begun = since;
        freshUntil = end + Math.max(FRESH_MILLIS, FRESH_SHARE * (end - since));
      }
    }
    return state;
  }

  /** The cluster as it was a moment ago. */
  public synchronized ClusterState recent() throws IOException {
    ClusterState known = last;
    return known == null || ticker.millis() > freshUntil ? now() : known;
  }

  /** What a first attempt relies on, and what a further one does. */
  public ClusterState forAttempt(int attempt) throws IOException {
    return attempt == 0 ? recent() : now();
  }
}
