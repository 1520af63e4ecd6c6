package org.braid.code.derive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Promise;
import org.braid.code.Promises.Combinations;

/**
 * The number of lost blocks that a code survives, whichever they are.
 *
 * @param proven any that many lost blocks can be decoded; all patterns were tried
 * @param atMost an upper bound: {@link #fatal} has one block more
 * @param fatal a minimal set of lost blocks that cannot be decoded, ascending
 * @param sample the random sample that supports {@link #atMost}, when it is not proven
 * @param racks the tolerance of whole racks, for codes whose stripe is a grid of racks
 */
public record Tolerance(
    int proven,
    int atMost,
    List<Integer> fatal,
    Optional<PatternSample> sample,
    Optional<RackTolerance> racks) {
  /** The most byte operations of {@link #spare}, about 0.1 seconds. */
  public static final long SPARE_WORK = 50_000_000L;

  private static final Map<String, Integer> COUNTED = new ConcurrentHashMap<>();

  public Tolerance {
    fatal = List.copyOf(fatal);
  }

  /**
   * The number of whole racks that a code survives; always exact.
   *
   * @param racks the code survives the loss of any that many racks
   * @param of racks of a stripe
   * @param fatal a set of racks, one more, whose loss it does not survive
   */
  public record RackTolerance(int racks, int of, List<Integer> fatal) {
    public RackTolerance {
      fatal = List.copyOf(fatal);
    }
  }

  /**
   * The effort of a search.
   *
   * @param work byte operations for an exact answer; 10^9 take about a second
   * @param samples random patterns to try when an exact answer takes too much work
   * @param seed seed of all random choices
   */
  public record Effort(long work, int samples, long seed) {
    /** About a second at most. */
    public static final Effort DEFAULT = new Effort(500_000_000L, 20_000, 1);
  }

  /** The tolerance of a code, with {@link Effort#DEFAULT}. */
  public static Tolerance of(ErasureCode code) {
    return of(code, Effort.DEFAULT);
  }

  /**
   * The tolerance of a code.
   *
   * <p>Losing blocks in random orders finds a first fatal pattern. Then all patterns with one block
   * less are tried, until none of them is fatal. Every subset of a pattern that can be decoded can
   * be decoded too, so smaller patterns need not be tried.
   */
  public static Tolerance of(ErasureCode code, Effort effort) {
    return new Finder(code, effort).find();
  }

  /**
   * The number of lost blocks, whichever they are, that a placement may count on: the code's
   * promise about any blocks. Without such a promise, or with copies of parity, it is the proven
   * tolerance if that is more. Never more than the code survives.
   */
  public static int counted(ErasureCode code) {
    // The matrix of a name never changes.
    return COUNTED.computeIfAbsent(
        code.name(),
        name -> {
          int any = code.promises().stream().mapToInt(Promise::anyBlocks).max().orElse(0);
          return any > 0 && ParityCopies.of(code) == 1 ? any : Math.max(any, of(code).proven());
        });
  }

  /**
   * The number of further losses, whichever they are, that a stripe with lost blocks survives; -1
   * when it cannot be decoded now. The answer is proven: {@link #counted} less the lost blocks, or
   * more if trying all patterns within {@link #SPARE_WORK} shows it. A wide stripe with local
   * groups may survive more than that.
   *
   * @param limit the largest answer of interest
   */
  public static int spare(ErasureCode code, List<Integer> lost, int limit) {
    return SpareSearch.find(code, lost, limit, SPARE_WORK).blocks();
  }

  /** Whether the tolerance is exact. */
  public boolean isExact() {
    return proven == atMost;
  }

  /** For example {@code 4}, or {@code 2 to 55 (0 of ...)}. */
  public String text() {
    return isExact()
        ? String.valueOf(proven)
        : proven
            + " proven, "
            + atMost
            + " likely ("
            + sample.map(s -> s.text("patterns of " + atMost + " fatal")).orElse("not tried")
            + ")";
  }

  private static final class Finder {
    private final ErasureCode code;
    private final Effort effort;
    private final Losses losses;
    private final Random random;
    private List<Integer> fatal;

    Finder(ErasureCode code, Effort effort) {
      this.code = code;
      this.effort = effort;
      this.losses = new Losses(code);
      this.random = new Random(effort.seed());
      // Losing all blocks is fatal.
      this.fatal = IntStream.range(0, code.n()).boxed().toList();
    }

    Tolerance find() {
      guess();
      while (true) {
        int most = fatal.size() - 1;
        int feasible = feasible(most);
        if (tryAll(feasible)) {
          continue;
        }
        if (feasible == most) {
          return new Tolerance(most, most, fatal, Optional.empty(), racks());
        }
        long checked = trySome(most);
        if (fatal.size() - 1 == most) {
          return new Tolerance(
              feasible, most, fatal, Optional.of(new PatternSample(checked)), racks());
        }
      }
    }

    /** The largest size, up to a limit, of which all patterns can be tried within the effort. */
    private int feasible(int limit) {
      int size = limit;
      while (size > 0 && new Combinations(code.n(), size).count() * work(size) > effort.work()) {
        size--;
      }
      return size;
    }

    /** Estimated byte operations to add the last of a number of losses, from those tried so far. */
    private double work(int count) {
      return Losses.work(code, count) * losses.density();
    }

    /** Loses blocks in random orders until the loss is fatal. */
    private void guess() {
      List<Integer> order = new ArrayList<>(fatal);
      double once = Losses.work(code, code.m()) * code.m() * (code.m() + 1.0);
      double tries = Math.max(2, Math.min(300, effort.work() / 10.0 / once));
      for (int i = 0; i < tries; i++) {
        Collections.shuffle(order, random);
        int added = losses.addAll(order);
        adopt(order.subList(0, added + 1));
      }
    }

    /** Reduces a fatal pattern to a minimal one, and keeps it when it is the smallest so far. */
    private void adopt(List<Integer> pattern) {
      List<Integer> needed = new ArrayList<>(pattern);
      for (int i = needed.size() - 1; i >= 0; i--) {
        int block = needed.remove(i);
        if (losses.survives(needed)) {
          needed.add(i, block);
        }
      }
      if (needed.size() < fatal.size()) {
        fatal = needed.stream().sorted().toList();
      }
    }

    /** Tries all patterns of a size; returns whether one is fatal. */
    private boolean tryAll(int size) {
      losses.clear();
      List<Integer> found = search(0, size);
      if (found.isEmpty()) {
        return false;
      }
      adopt(found);
      return true;
    }

    /**
     * A fatal pattern of at most {@code size} blocks, from a position on, added to the lost ones.
     */
    private List<Integer> search(int from, int size) {
      if (size == 0) {
        return List.of();
      }
      for (int block = from; block <= code.n() - size; block++) {
        if (!losses.add(block)) {
          List<Integer> found = new ArrayList<>();
          found.add(block);
          return found;
        }
        List<Integer> found = search(block + 1, size - 1);
        if (!found.isEmpty()) {
          found.add(0, block);
          return found;
        }
        losses.undo();
      }
      return List.of();
    }

    /** Tries random patterns of a size until one is fatal; returns the number of patterns tried. */
    private long trySome(int size) {
      var all = new Combinations(code.n(), size);
      double most = effort.work() / (work(size) * size);
      long count = (long) Math.max(1, Math.min(effort.samples(), most));
      for (long i = 0; i < count; i++) {
        List<Integer> pattern = all.sample(random);
        int added = losses.addAll(pattern);
        if (added < size) {
          adopt(pattern.subList(0, added + 1));
          return i + 1;
        }
      }
      return count;
    }

    private Optional<RackTolerance> racks() {
      return code.racks().map(this::racks);
    }

    private RackTolerance racks(List<Integer> rackOf) {
      int count = rackOf.stream().mapToInt(r -> r + 1).max().orElse(0);
      List<Integer> lost = new ArrayList<>();
      for (int size = 1; size <= count && lost.isEmpty(); size++) {
        new Combinations(count, size)
            .each(
                racks -> {
                  List<Integer> blocks =
                      IntStream.range(0, code.n())
                          .filter(b -> racks.contains(rackOf.get(b)))
                          .boxed()
                          .toList();
                  if (!losses.survives(blocks)) {
                    lost.addAll(racks);
                  }
                  return lost.isEmpty();
                });
      }
      return new RackTolerance(lost.size() - 1, count, lost);
    }
  }
}
