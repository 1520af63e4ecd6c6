package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.time.Ticker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of the cluster for one piece of work. A look asks every DataNode, which takes seconds
 * when one is silent. So work on many stripes shares a look for a while; after a failure there is a
 * new look. Thread-safe.
 */
public final class RecentClusterState {
  private static final Logger LOG = LoggerFactory.getLogger(RecentClusterState.class);
  private static final long FRESH_MILLIS = 1000;

  /** A slow look is shared for this multiple of its duration. */
  private static final int FRESH_SHARE = 4;

  /** Time to wait for nodes that just fell silent. */
  private static final long SETTLE_MILLIS = 30_000;

  /**
   * The same before bad news is reported to a waiting operator or monitor: one look with several
   * times the usual time for each answer.
   */
  private static final long JUDGE_MILLIS = 8_000;

  private static final long PAUSE_MILLIS = 500;

  private final Look look;
  private final Ticker ticker;

  /** Nodes that were awaited in vain. */
  private final Set<String> inVain = ConcurrentHashMap.newKeySet();

  /** Nodes that were awaited in vain for the shorter time before bad news. */
  private final Set<String> silentWhenJudged = ConcurrentHashMap.newKeySet();

  private @Nullable ClusterState last;
  private long begun;
  private long freshUntil;

  /** Duration of the last look with the usual time for answers. */
  private long tookMillis;

  /** The kinds of looks. */
  enum Kind {
    QUICK,
    /** With the blocks that workers have in memory. */
    WITH_CACHES,
    /** The same with several times the time for each answer. */
    PATIENT
  }

  /** Asks the cluster. */
  interface Look {
    ClusterState take(Kind kind) throws IOException;
  }

  public RecentClusterState(NameNodeCalls nameNode, Workers workers) {
    this(
        kind ->
            switch (kind) {
              case QUICK -> ClusterState.take(nameNode, workers);
              case WITH_CACHES -> ClusterState.withCaches(nameNode, workers);
              case PATIENT -> ClusterState.patiently(nameNode, workers);
            },
        Ticker.SYSTEM);
  }

  RecentClusterState(Look look, Ticker ticker) {
    this.look = look;
    this.ticker = ticker;
  }

  /** Looks at the cluster. */
  public ClusterState now() throws IOException {
    return take(Kind.QUICK);
  }

  /** Looks at the cluster and the blocks that workers cache. */
  public ClusterState withCaches() throws IOException {
    return take(Kind.WITH_CACHES);
  }

  /** Looks at the cluster for a single decision, see {@link #settled(ClusterState, Predicate)}. */
  public ClusterState settled() throws IOException {
    return settled(now(), state -> false);
  }

  /**
   * Waits for nodes that just fell silent, for example on overloaded hosts. A node gets half a
   * minute, and no further wait until it has answered.
   *
   * @param seen the last look at the cluster
   * @param enough whether no more nodes need to answer
   * @return the cluster after the wait; {@code seen} when there was none
   */
  public ClusterState settled(ClusterState seen, Predicate<ClusterState> enough)
      throws IOException {
    return settled(seen, enough, SETTLE_MILLIS, inVain);
  }

  private ClusterState settled(
      ClusterState seen, Predicate<ClusterState> enough, long millis, Set<String> known)
      throws IOException {
    long end = ticker.millis() + millis;
    ClusterState state = seen;
    while (!enough.test(state) && isAwaited(state, known)) {
      if (ticker.millis() >= end) {
        known.addAll(state.silentForAMoment());
        break;
      }
      try {
        ticker.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        throw Workers.interrupted();
      }
      state = take(Kind.PATIENT);
    }
    return state;
  }

  private boolean isAwaited(ClusterState state, Set<String> known) {
    return state.silentForAMoment().stream()
        .anyMatch(uuid -> !inVain.contains(uuid) && !known.contains(uuid));
  }

  /** A decision by the state of the cluster. */
  public interface Decision<T> {
    /**
     * Decides.
     *
     * @throws IOException when too few nodes answer for it, or for another reason
     */
    T on(ClusterState state) throws IOException;
  }

  /**
   * Decides by the last look. If that fails while nodes just fell silent, decides once more after
   * they had time to answer.
   */
  public <T> T decided(ClusterState seen, Decision<T> decision) throws IOException {
    try {
      return decision.on(seen);
    } catch (IOException e) {
      ClusterState settled = settled(seen, state -> false);
      if (settled == seen) {
        throw e;
      }
      LOG.info("nodes were waited for: {}", e.getMessage());
      return decision.on(settled);
    }
  }

  /**
   * Judges by the last look. If the result is bad news while nodes just fell silent, gives these
   * some seconds and judges once more if any answers. The time is short, as a node that hangs never
   * answers.
   */
  public <T> T judged(ClusterState seen, Decision<T> judgement, Predicate<T> bad)
      throws IOException {
    T first = judgement.on(seen);
    if (!bad.test(first)) {
      return first;
    }
    ClusterState settled = settled(seen, state -> false, JUDGE_MILLIS, silentWhenJudged);
    boolean news = seen.silentForAMoment().stream().anyMatch(uuid -> answers(uuid, settled));
    return news ? judgement.on(settled) : first;
  }

  /**
   * Asks late workers once more, with several times the usual time: blocks on a busy host are not
   * lost. A worker that is late again may hang, and is not awaited until it has answered.
   *
   * @return the cluster after the wait; {@code seen} when there was none
   */
  public ClusterState patiently(ClusterState seen) throws IOException {
    if (seen.late().stream()
        .allMatch(uuid -> inVain.contains(uuid) || silentWhenJudged.contains(uuid))) {
      return seen;
    }
    ClusterState state = take(Kind.PATIENT);
    silentWhenJudged.addAll(state.late());
    return state;
  }

  private static boolean answers(String uuid, ClusterState state) {
    return state.indexOf(uuid).stream().anyMatch(state::answers);
  }

  private ClusterState take(Kind kind) throws IOException {
    long since = ticker.millis();
    ClusterState state = look.take(kind);
    inVain.removeIf(uuid -> answers(uuid, state));
    silentWhenJudged.removeIf(uuid -> answers(uuid, state));
    long end = ticker.millis();
    synchronized (this) {
      if (last == null || since >= begun) {
        last = state;
        begun = since;
        // A patient look is shared no longer than the one before it, and not for less: in the next
        // one those that were late are silent again, for all who rely on what was seen here.
        tookMillis = kind == Kind.PATIENT ? Math.min(tookMillis, end - since) : end - since;
        freshUntil = end + Math.max(FRESH_MILLIS, FRESH_SHARE * tookMillis);
      }
    }
    return state;
  }

  /** The cluster as it was a moment ago. */
  public synchronized ClusterState recent() throws IOException {
    ClusterState known = last;
    return known == null || ticker.millis() > freshUntil ? now() : known;
  }

  /** The state for an attempt: a recent look for the first, a new look for further ones. */
  public ClusterState forAttempt(int attempt) throws IOException {
    return attempt == 0 ? recent() : now();
  }
}
