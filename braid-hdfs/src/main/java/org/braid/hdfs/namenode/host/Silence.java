package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects silent nodes. If a node that sent heartbeats stops sending them, or its calls to HDFS are
 * overdue, this class asks the node directly. A node that does not answer is suspect until it
 * answers again. Heartbeats are not authenticated: a heartbeat can neither make a node suspect nor
 * clear it. Thread-safe.
 */
public final class Silence {
  private static final Logger LOG = LoggerFactory.getLogger(Silence.class);

  /** Time without a heartbeat after which a node is asked. */
  static final long QUIET_MILLIS = 1100;

  /** Time-out of an answer. */
  public static final long ANSWER_MILLIS = 600;

  /** Interval at which a look asks a suspect or overdue node although its heartbeats arrive. */
  public static final long AGAIN_MILLIS = 1000;

  /**
   * A longer interval between two looks means that this process itself was paused; a failed
   * question is then excused.
   */
  static final long PAUSE_MILLIS = 300;

  /**
   * Maximum number of failed questions in a row to a node that are excused by pauses of this
   * process.
   */
  private static final int MOST_EXCUSED = 2;

  /** Number of answers in a row without a heartbeat after which a node is no longer watched. */
  private static final int UNHEARD = 30;

  /**
   * A registered node.
   *
   * @param uuid the node's UUID
   * @param overdue whether the node's heartbeats to HDFS are late
   */
  public record Node(String uuid, boolean overdue) {}

  /** Asks a node; fails when it does not answer in {@link #ANSWER_MILLIS}. */
  @FunctionalInterface
  public interface Question {
    /**
     * Asks a node.
     *
     * @throws NoWorkerException when the node answers, but no longer runs Braid's plugin
     */
    void ask(String uuid) throws IOException;
  }

  /** The DataNode answers, but runs without Braid's plugin. */
  public static final class NoWorkerException extends IOException {
    private static final long serialVersionUID = 1;

    public NoWorkerException(IOException cause) {
      super("it runs without Braid's plugin", cause);
    }
  }

  /** The state of a node that sent heartbeats. */
  static final class State {
    private long heard;
    private long asked;
    private boolean asking;
    private int unheard;
    private int excused;

    /** The number of the last look that found it registered. */
    private long seen;

    State(long now) {
      heard = now;
      asked = now - AGAIN_MILLIS;
    }
  }

  /**
   * Nodes that sent heartbeats, and the suspect ones among them.
   *
   * @param <K> names of nodes, which tests make to count how often they are compared
   */
  static final class Watched<K> {
    private final Map<K, State> states = new HashMap<>();
    private final Set<K> suspects = ConcurrentHashMap.newKeySet();
    private long looks;

    /** A node sent a heartbeat. */
    State heard(K node, long now) {
      return states.computeIfAbsent(node, name -> new State(now));
    }

    /** Visits each registered node that sent heartbeats, and forgets those not registered. */
    <N> void look(Collection<N> registered, Function<N, K> name, BiConsumer<N, State> visit) {
      looks++;
      for (N node : registered) {
        State state = states.get(name.apply(node));
        if (state != null) {
          state.seen = looks;
          visit.accept(node, state);
        }
      }
      states.values().removeIf(state -> state.seen != looks);
      suspects.retainAll(states.keySet());
    }
  }

  private final LongSupplier clock;
  private final Question question;
  private final Executor threads;
  private final Watched<String> watched = new Watched<>();

  /** When it was looked last. */
  private long looked;

  /** When a pause of this process was noticed last. */
  private long paused = Long.MIN_VALUE;

  /** Whether it was said that nodes cannot be asked, and none could be since. */
  private boolean unasked;

  /**
   * Starts without known or suspect nodes.
   *
   * @param clock milliseconds that never run backwards
   * @param threads run the questions
   */
  public Silence(LongSupplier clock, Question question, Executor threads) {
    this.clock = clock;
    this.question = question;
    this.threads = threads;
    looked = clock.getAsLong();
  }

  /** Whether a node is suspect. */
  public boolean isSuspect(String uuid) {
    return watched.suspects.contains(uuid);
  }

  /** The nodes that are suspect. */
  public Set<String> suspects() {
    return Set.copyOf(watched.suspects);
  }

  /** Handles a heartbeat that claims to come from a node. */
  public synchronized void heard(String uuid) {
    long now = clock.getAsLong();
    State state = watched.heard(uuid, now);
    state.heard = now;
    state.unheard = 0;
    if (watched.suspects.contains(uuid)) {
      ask(uuid, state, now);
    }
  }

  /** Asks the nodes that are silent or overdue; called several times a second. */
  public synchronized void look(Collection<Node> registered) {
    long now = clock.getAsLong();
    if (now - looked > PAUSE_MILLIS) {
      paused = now;
    }
    looked = now;
    watched.look(
        registered,
        Node::uuid,
        (node, state) -> {
          boolean due = watched.suspects.contains(node.uuid) || node.overdue;
          if (now - state.heard >= QUIET_MILLIS || (due && now - state.asked >= AGAIN_MILLIS)) {
            ask(node.uuid, state, now);
          } else if (!due) {
            state.excused = 0; // it is heard: the next silence is another one
          }
        });
  }

  private void ask(String uuid, State state, long now) {
    if (state.asking) {
      return;
    }
    state.asking = true;
    state.asked = now;
    try {
      threads.execute(() -> ask(uuid));
    } catch (RuntimeException | Error e) {
      notAsked(uuid, e); // the others are asked, whatever becomes of one
    }
  }

  private void ask(String uuid) {
    try {
      question.ask(uuid);
      answered(uuid, true);
    } catch (NoWorkerException e) {
      answered(uuid, false);
    } catch (IOException | RuntimeException e) {
      silent(uuid, String.valueOf(e.getMessage()));
    } catch (Error e) {
      // That says nothing of the node.
      notAsked(uuid, e);
    }
  }

  private synchronized void notAsked(String uuid, Throwable failure) {
    State state = watched.states.get(uuid);
    if (state != null) {
      state.asking = false;
    }
    if (!unasked) {
      unasked = true;
      LOG.warn("DataNode {} could not be asked, it is soon", uuid, failure);
    }
  }

  private synchronized void silent(String uuid, String failure) {
    unasked = false;
    State state = watched.states.get(uuid);
    if (state == null) {
      return;
    }
    state.asking = false;
    long now = clock.getAsLong();
    boolean stoodStill = now - looked > PAUSE_MILLIS || paused > state.asked;
    if (stoodStill && !watched.suspects.contains(uuid) && state.excused < MOST_EXCUSED) {
      state.excused++; // the answer may have come while nobody could take it: it is asked again
      return;
    }
    state.excused = 0;
    if (watched.suspects.add(uuid)) {
      LOG.warn(
          "DataNode {} is suspect: silent for {} ms and does not answer: {}",
          uuid,
          now - state.heard,
          failure);
    }
  }

  private synchronized void answered(String uuid, boolean worker) {
    unasked = false;
    State state = watched.states.get(uuid);
    if (state == null) {
      return;
    }
    state.asking = false;
    state.heard = clock.getAsLong();
    state.excused = 0;
    boolean suspect = watched.suspects.remove(uuid);
    if (!worker) {
      LOG.warn("DataNode {} runs without Braid's plugin now: not watched", uuid);
      watched.states.remove(uuid);
    } else if (suspect) {
      LOG.info("DataNode {} answers again", uuid);
    } else if (++state.unheard == UNHEARD) {
      LOG.warn("DataNode {} answers, but its heartbeats do not arrive: not watched", uuid);
      watched.states.remove(uuid);
    }
  }
}
