package org.braid.hdfs.namenode.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.braid.hdfs.metrics.TimeHistogram;

/**
 * Follows damaged stripes from one look to the next: their number, the age of the oldest damage,
 * and the time that repairs took. One thread makes the looks; any thread may read the results.
 */
final class StripeWatch {
  /** Larger numbers of survivable losses count as this one. */
  static final int MOST_SPARE = 4;

  private final LongSupplier millis;
  private final TimeHistogram repairs;
  private final int most;
  private final Map<Long, Since> damaged = new HashMap<>();

  /** What was over before the stripe lost blocks again, which the end of the look counts. */
  private final List<Since> over = new ArrayList<>();

  private final EnumMap<StripeState, Long> states = new EnumMap<>(StripeState.class);
  private final long[] spares = new long[MOST_SPARE + 2];
  private int look;
  private volatile Figures figures = Figures.NONE;
  private final AtomicLong returned = new AtomicLong();

  /**
   * A stripe that lacks blocks.
   *
   * @param begun when that was first seen
   * @param whole when it was first seen to lack nothing any more; empty while it lacks blocks
   * @param lost the homes of the blocks that it lacked last, by position
   */
  private record Since(
      long begun, int look, Optional<Long> whole, String id, Map<Integer, String> lost) {
    boolean lacks() {
      return whole.isEmpty();
    }
  }

  /**
   * The result of a look.
   *
   * @param at end of the look; empty before the first one
   * @param spares number of stripes by the further losses that they survive, from -1 to {@link
   *     #MOST_SPARE}
   * @param oldest when the oldest damage began
   */
  record Figures(
      Optional<Long> at, Map<StripeState, Long> states, List<Long> spares, Optional<Long> oldest) {
    static final Figures NONE =
        new Figures(Optional.empty(), Map.of(), List.of(), Optional.empty());

    long of(StripeState state) {
      return states.getOrDefault(state, 0L);
    }

    long ofSpare(int spare) {
      return spares.isEmpty() ? 0 : spares.get(index(spare));
    }
  }

  /**
   * Starts before the first look.
   *
   * @param millis a clock that never runs backwards
   * @param repairs records how long stripes lacked blocks until they were rebuilt
   * @param most maximum number of stripes whose age is kept; further ones are only counted
   */
  StripeWatch(LongSupplier millis, TimeHistogram repairs, int most) {
    this.millis = millis;
    this.repairs = repairs;
    this.most = most;
  }

  private static int index(int spare) {
    return 1 + Math.max(-1, Math.min(MOST_SPARE, spare));
  }

  /**
   * Begins a look.
   *
   * @param whole number of all stripes, by the losses that they survive while whole
   * @param unreadable number of further stripes, which are unreadable
   */
  void begin(Map<Integer, Long> whole, long unreadable) {
    look++;
    states.clear();
    Arrays.fill(spares, 0);
    whole.forEach(
        (spare, count) -> {
          spares[index(spare)] += count;
          states.merge(StripeState.HEALTHY, count, Long::sum);
        });
    states.merge(StripeState.UNREADABLE, unreadable, Long::sum);
  }

  /**
   * Adds a stripe that has all blocks, some of them in wrong places. If it lacked blocks before,
   * whether it was repaired shows when it is no longer misplaced, because a repair first restores
   * the block and then records its home. The misplaced time does not count as time without blocks.
   *
   * @param inode inode of its parity file
   */
  void misplaced(long inode) {
    move(StripeState.MISPLACED);
    damaged.computeIfPresent(
        inode,
        (file, since) ->
            new Since(
                since.begun(),
                look,
                since.whole().or(() -> Optional.of(millis.getAsLong())),
                since.id(),
                since.lost()));
  }

  private void move(StripeState to) {
    states.merge(StripeState.HEALTHY, -1L, Long::sum);
    states.merge(to, 1L, Long::sum);
  }

  /**
   * Adds a stripe that lacks blocks.
   *
   * @param inode inode of its parity file
   * @param whole number of losses that it survives while whole
   * @param spare number of further losses that it survives now; -1 when it cannot be decoded
   * @param costsData whether a data block can neither be read nor rebuilt
   * @param lost homes of the missing blocks, by position
   */
  void lacking(
      long inode, String id, int whole, int spare, boolean costsData, Map<Integer, String> lost) {
    move(StripeState.withLost(spare, costsData));
    spares[index(whole)]--;
    spares[index(spare)]++;
    Since before = damaged.get(inode);
    if (before != null && !before.lacks()) {
      over.add(before);
      damaged.remove(inode);
      before = null; // this is another loss
    }
    if (before != null || damaged.size() < most) {
      long begun = before == null ? millis.getAsLong() : before.begun();
      damaged.put(inode, new Since(begun, look, Optional.empty(), id, Map.copyOf(lost)));
    }
  }

  /**
   * Ends a look. A stripe that no longer lacks blocks was repaired if one of them has a new home;
   * otherwise its nodes have returned.
   *
   * @param homes the present homes of a stripe's blocks, by position; empty when it no longer
   *     exists
   */
  void end(Function<String, Optional<Map<Integer, String>>> homes) {
    long now = millis.getAsLong();
    long oldest = Long.MAX_VALUE;
    for (Iterator<Since> i = damaged.values().iterator(); i.hasNext(); ) {
      Since since = i.next();
      if (since.look() == look) {
        oldest = since.lacks() ? Math.min(oldest, since.begun()) : oldest;
        continue;
      }
      i.remove();
      over.add(since);
    }
    for (Since since : over) {
      homes.apply(since.id()).ifPresent(present -> ended(since, present, now));
    }
    over.clear();
    figures =
        new Figures(
            Optional.of(now),
            Map.copyOf(states),
            Arrays.stream(spares).boxed().toList(),
            oldest == Long.MAX_VALUE ? Optional.empty() : Optional.of(oldest));
  }

  private void ended(Since since, Map<Integer, String> present, long now) {
    boolean rebuilt =
        since.lost().entrySet().stream()
            .anyMatch(lost -> !lost.getValue().equals(present.get(lost.getKey())));
    if (rebuilt) {
      repairs.add(since.whole().orElse(now) - since.begun());
    } else {
      returned.incrementAndGet();
    }
  }

  /**
   * Forgets everything: this NameNode makes no more decisions, and its state soon becomes outdated.
   */
  void forget() {
    damaged.clear();
    over.clear();
    figures = Figures.NONE;
  }

  /** The result of the last look. */
  Figures figures() {
    return figures;
  }

  /** Number of stripes that lacked blocks until their nodes returned. */
  long returned() {
    return returned.get();
  }

  /** Age of the oldest damage in seconds; 0 when no stripe is damaged. */
  long oldestSeconds() {
    return figures.oldest().map(begun -> (millis.getAsLong() - begun) / 1000).orElse(0L);
  }

  /** Seconds since the last look; -1 before the first one. */
  long ageSeconds() {
    return figures.at().map(at -> (millis.getAsLong() - at) / 1000).orElse(-1L);
  }

  /** The spares by their names in labels. */
  static Map<Integer, String> spareWords() {
    Map<Integer, String> words = new TreeMap<>();
    words.put(-1, "none");
    for (int spare = 0; spare < MOST_SPARE; spare++) {
      words.put(spare, Integer.toString(spare));
    }
    words.put(MOST_SPARE, MOST_SPARE + "_or_more");
    return words;
  }
}
