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
 * How the cluster looks to one piece of work. To look means to ask every DataNode, which takes
 * seconds when one of them is silent, so those who work on many stripes share a look for a while;
 * whoever met a failure looks anew. Thread-safe.
 */
public final class RecentClusterState {
  private static final Logger LOG = LoggerFactory.getLogger(RecentClusterState.class);
  private static final long FRESH_MILLIS = 1000;

  /** A look that took long is shared for so many times as long. */
  private static final int FRESH_SHARE = 4;

  /** Nodes that are silent for a moment are waited for so long. */
  private static final long SETTLE_MILLIS = 30_000;

  /**
   * The same before bad news is told, where a person or a monitor waits for it: one look with
   * several times the time for each answer.
   */
  private static final long JUDGE_MILLIS = 8_000;

  private static final long PAUSE_MILLIS = 500;

  private final Look look;
  private final Ticker ticker;

  /** Nodes that were waited for and did not answer. */
  private final Set<String> inVain = ConcurrentHashMap.newKeySet();

  /** The same of those that were waited for before bad news was told, and not for longer. */
  private final Set<String> silentWhenJudged = ConcurrentHashMap.newKeySet();

  private @Nullable ClusterState last;
  private long begun;
  private long freshUntil;

  /** How long the last look took in which nodes had the time that all have. */
  private long tookMillis;

  /** What a look asks for. */
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

  /** The cluster as it is. */
  public ClusterState now() throws IOException {
    return take(Kind.QUICK);
  }

  /** The cluster as it is, with the blocks that workers have in memory. */
  public ClusterState withCaches() throws IOException {
    return take(Kind.WITH_CACHES);
  }

  /** The cluster for what is decided once, see {@link #settled(ClusterState, Predicate)}. */
  public ClusterState settled() throws IOException {
    return settled(now(), state -> false);
  }

  /**
   * Waits for nodes that are silent for a moment, as all are on hosts that have too much to do.
   * They have half a minute to answer, and no more until they have answered.
   *
   * @param seen the cluster as it was seen last
   * @param enough whether no more nodes need to answer
   * @return the cluster as it is then; the same when nobody is waited for
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

  /** Something that is decided by how the cluster looks. */
  public interface Decision<T> {
    /**
     * Decides.
     *
     * @throws IOException when too few nodes answer for it, or for another reason
     */
    T on(ClusterState state) throws IOException;
  }

  /**
   * Decides on the cluster as it was seen; where that fails while nodes are silent for a moment,
   * once more when these have had time to answer.
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
   * Judges the cluster as it was seen; where that tells bad news while nodes are silent for a
   * moment, once more if some of these answer when they have had time to: some seconds, as one that
   * hangs never answers.
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
   * Asks those workers once more, with several times the time, that were late: what a busy host has
   * is not lost. One that is late again may hang, and is not waited for until it has answered.
   *
   * @return the cluster as it is then; the same when nobody is waited for
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

  /** What a first attempt relies on, and what a further one does. */
  public ClusterState forAttempt(int attempt) throws IOException {
    return attempt == 0 ? recent() : now();
  }
}
