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
 * What became of damaged stripes from one look at all of them to the next: how many there are, for
 * how long the oldest has been damaged, and how long repairs took. Its looks are made by one
 * thread; what came of them may be asked for by any.
 */
final class StripeWatch {
  /** From here on spares are not told apart. */
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
   * What a look has found.
   *
   * @param at when it ended; empty before the first one
   * @param spares how many stripes survive so many further losses, from -1 to {@link #MOST_SPARE}
   * @param oldest when the first of the damaged stripes became so
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
   * No look was made yet.
   *
   * @param millis a clock that never runs backwards
   * @param repairs how long stripes lacked blocks until they were rebuilt
   * @param most stripes whose age is known at most; of more only their number is
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
   * @param whole by the number of further losses that they survive as long as they are whole, the
   *     number of all stripes
   * @param unreadable stripes beside these that cannot be read
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
   * A stripe whose blocks are all there, and not all where they are to be. One that lacked some was
   * repaired, or not, when that is over: a repair gives a block its home when the block is there.
   * How long it stays misplaced counts as no time without blocks.
   *
   * @param inode of its parity file
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
   * A stripe that lacks blocks.
   *
   * @param inode of its parity file
   * @param whole further losses that it survives while it is whole
   * @param spare those that it survives now; -1: it cannot be decoded
   * @param costsData whether a data block can neither be read nor rebuilt
   * @param lost the homes of the blocks that it lacks, by position
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
   * Ends a look. Stripes that lack nothing any more were repaired if a block of theirs has another
   * home; otherwise their nodes are back.
   *
   * @param homes the homes of a stripe's blocks now, by position; empty when it is no more
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

  /** This NameNode decides nothing any more: what it knew is not so for long. */
  void forget() {
    damaged.clear();
    over.clear();
    figures = Figures.NONE;
  }

  /** What the last look has found. */
  Figures figures() {
    return figures;
  }

  /** Stripes that lacked blocks until their nodes were back. */
  long returned() {
    return returned.get();
  }

  /** Seconds for which the oldest of the damaged stripes has been so; 0 when there is none. */
  long oldestSeconds() {
    return figures.oldest().map(begun -> (millis.getAsLong() - begun) / 1000).orElse(0L);
  }

  /** Seconds since the last look; -1 when none was made. */
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
