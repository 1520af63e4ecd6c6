package org.braid.hdfs.namenode.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.braid.placement.Topology;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.rule.StripeRule;
import org.braid.thread.Turn;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open stripes of one directory, read back from the locations of its replicas. Reading happens
 * in the background; writers do not wait for it. A NameNode that has just started or become active
 * does not know all replicas. A block that cannot be assigned to its stripe moves the borders of
 * all later stripes of its rack. So {@link #known} tells writers whether to wait, and stripes that
 * were read too early are read again. Thread-safe.
 */
final class OpenStripes {
  private static final Logger LOG = LoggerFactory.getLogger(OpenStripes.class);

  /** The position of a block in its file, known before HDFS assigns a block id. */
  record Ordinal(long inode, int index) {}

  /**
   * A block in no encoded stripe.
   *
   * @param replicas wanted number of replicas
   * @param nodes UUIDs of the nodes with known replicas
   */
  record Written(Ordinal ordinal, long id, int replicas, List<String> nodes) {
    Written {
      nodes = List.copyOf(nodes);
    }

    boolean late() {
      return nodes.size() < replicas;
    }
  }

  /** The NameNode's knowledge of the directory. */
  interface Source {
    /** All blocks of the directory that are in no encoded stripe. */
    List<Written> blocks() throws IOException;

    /** The blocks among {@code blocks} without all of their replicas; omits deleted blocks. */
    List<Written> late(List<Written> blocks) throws IOException;
  }

  private final Source source;
  private final int k;
  private final Executor reader;
  private @Nullable List<Written> awaited;
  private @Nullable PreEncodingStore<Ordinal> store;

  /** Maximum number of remembered placements; earlier blocks are found in block reports. */
  static final int MOST_PLACED = 100_000;

  private static final long LONGEST_PAUSE_MILLIS = 600_000;

  /** Blocks placed while the stripes may still be read again, which that may miss. */
  private final Map<Ordinal, List<String>> placed =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Ordinal, List<String>> eldest) {
          return size() > MOST_PLACED;
        }
      };

  private boolean reading;
  private boolean missed;
  private boolean complete;
  private long next = Long.MIN_VALUE;
  private long pause;

  /**
   * Starts without stripes.
   *
   * @param k data blocks of a stripe
   * @param pause milliseconds until stripes that were read too early are read again; doubles each
   *     time
   * @param reader reads in the background; a rejected read is requested again with the next block
   */
  OpenStripes(Source source, int k, long pause, Executor reader) {
    this.source = source;
    this.k = k;
    this.pause = pause;
    this.reader = reader;
  }

  /** Whether all replicas are known, or the stripes have been read. */
  synchronized boolean known() throws IOException {
    if (store != null) {
      return true;
    }
    if (awaited == null && !reading) {
      begin(this::look);
    }
    List<Written> late = awaited;
    if (late == null) {
      return false;
    }
    late = source.late(late);
    awaited = late;
    return late.isEmpty();
  }

  private void begin(Runnable task) {
    reading = true;
    try {
      reader.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      reading = false; // of the latter, for want of threads
      LOG.debug("open stripes are not read now: {}", e.getMessage());
    }
  }

  private void look() {
    List<Written> late = new ArrayList<>();
    boolean looked =
        Turn.take(
            () -> source.blocks().stream().filter(Written::late).forEach(late::add),
            e -> LOG.warn("the blocks of stripes across files cannot be read: {}", e.toString()));
    synchronized (this) {
      awaited = looked ? late : null;
      reading = false;
    }
  }

  /**
   * The open stripes, for callers that hold this object's monitor while they use them. Empty until
   * the first read ends; HDFS then places the caller's block.
   *
   * @param now milliseconds that never run backwards
   * @param rules the rule for the blocks of a stripe after encoding, by the name of its core rack
   */
  synchronized Optional<PreEncodingStore<Ordinal>> at(
      long now, Topology topology, Function<String, StripeRule> rules) {
    if (!reading && (store == null || !complete) && now >= next) {
      begin(() -> read(now, topology, rules));
    }
    return Optional.ofNullable(store);
  }

  /** Whether the stripes have been read. */
  synchronized boolean read() {
    return store != null;
  }

  /** Whether the stripes are being read, or are queued for it. */
  synchronized boolean isReading() {
    return reading;
  }

  /** Notes a block that was placed outside of the open stripes, which a running read may miss. */
  synchronized void missed() {
    missed |= store == null;
  }

  /** Notes a block that was placed in the open stripes. */
  synchronized void placed(Ordinal block, List<String> nodes) {
    if (!complete) {
      placed.put(block, List.copyOf(nodes));
    }
  }

  /** The remembered placements. */
  synchronized Map<Ordinal, List<String>> placed() {
    return Map.copyOf(placed);
  }

  /** What was read. */
  private static final class Reading {
    private final PreEncodingStore<Ordinal> store;
    private final Set<Ordinal> known = new HashSet<>();
    private final Set<Ordinal> reported = new HashSet<>();
    private boolean late;

    Reading(int k) {
      store = new PreEncodingStore<>(k);
    }
  }

  private void read(long now, Topology topology, Function<String, StripeRule> rules) {
    Reading fresh = new Reading(k);
    boolean failed =
        !Turn.take(
            () -> read(fresh, topology, rules),
            e -> LOG.warn("the open stripes across files cannot be read: {}", e.toString()));
    synchronized (this) {
      reading = false;
      next = now + pause;
      pause = Math.max(pause, Math.min(2 * pause, LONGEST_PAUSE_MILLIS));
      if (failed) {
        return;
      }
      placed.forEach(
          (block, nodes) -> {
            if (!fresh.known.contains(block)) {
              fresh.store.restore(block, nodes, topology, rules);
            }
          });
      placed.keySet().removeAll(fresh.reported);
      complete = !fresh.late && !missed;
      missed = false;
      if (complete) {
        placed.clear();
      }
      awaited = null;
      store = fresh.store;
    }
  }

  private void read(Reading fresh, Topology topology, Function<String, StripeRule> rules)
      throws IOException {
    List<Written> blocks = new ArrayList<>(source.blocks());
    blocks.sort(Comparator.comparingLong(Written::id));
    // What was placed here is known better than by reports that have yet to come.
    Map<Ordinal, List<String>> own = placed();
    for (Written block : blocks) {
      List<String> nodes =
          block.late() ? own.getOrDefault(block.ordinal(), block.nodes()) : block.nodes();
      fresh.store.restore(block.ordinal(), nodes, topology, rules);
      fresh.known.add(block.ordinal());
      if (!block.late()) {
        fresh.reported.add(block.ordinal());
      }
    }
    fresh.late =
        blocks.stream().anyMatch(block -> block.late() && !own.containsKey(block.ordinal()));
  }
}
