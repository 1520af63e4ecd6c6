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
 * How many lost blocks a code survives, whichever they are.
 *
 * @param proven any so many lost blocks can be decoded; all patterns were tried
 * @param atMost the most that may still be true: {@link #fatal} has one block more
 * @param fatal lost blocks that cannot be decoded, ascending; without any one of them they could
 * @param sample what speaks for {@link #atMost} where it is more than proven
 * @param racks the same for whole racks, for codes whose stripe is a grid of racks
 */
public record Tolerance(
    int proven,
    int atMost,
    List<Integer> fatal,
    Optional<Sample> sample,
    Optional<RackTolerance> racks) {
  /** Byte operations that {@link #spare} spends at most, some 0.1 seconds. */
  public static final long SPARE_WORK = 50_000_000L;

  private static final Map<String, Integer> COUNTED = new ConcurrentHashMap<>();

  public Tolerance {
    fatal = List.copyOf(fatal);
  }

  /**
   * How many whole racks may be lost; always exact.
   *
   * @param racks any so many
   * @param of racks of a stripe
   * @param fatal racks, one more, that cannot be decoded
   */
  public record RackTolerance(int racks, int of, List<Integer> fatal) {
    public RackTolerance {
      fatal = List.copyOf(fatal);
    }
  }

  /**
   * How hard to try.
   *
   * @param work byte operations for an exact answer; a thousand million take about a second
   * @param samples random patterns where there are too many for an exact one
   * @param seed of everything random
   */
  public record Effort(long work, int samples, long seed) {
    /** About a second at most. */
    public static final Effort DEFAULT = new Effort(500_000_000L, 20_000, 1);
  }

  /** The tolerance, with {@link Effort#DEFAULT}. */
  public static Tolerance of(ErasureCode code) {
    return of(code, Effort.DEFAULT);
  }

  /**
   * The tolerance.
   *
   * <p>A first fatal pattern is found by losing blocks in random orders; then all patterns with one
   * block less are tried, until none of them is fatal. As every part of a pattern that can be
   * decoded can be decoded too, smaller ones need not be tried.
   */
  public static Tolerance of(ErasureCode code, Effort effort) {
    return new Finder(code, effort).find();
  }

  /**
   * How many lost blocks, whichever they are, a placement may count on: what the code promises of
   * any blocks, else, or if copies of parity let it survive more, what is proven. Never more than
   * the code survives.
   */
  public static int counted(ErasureCode code) {
    // A name stands for one matrix for ever.
    return COUNTED.computeIfAbsent(
        code.name(),
        name -> {
          int any = code.promises().stream().mapToInt(Promise::anyBlocks).max().orElse(0);
          return any > 0 && ParityCopies.of(code) == 1 ? any : Math.max(any, of(code).proven());
        });
  }

  /**
   * How many more blocks, whichever they are, can be lost when some are lost already; -1 when these
   * cannot be decoded. Never more than is proven: what {@link #counted} leaves, and beyond that
   * what trying all patterns shows with {@link #SPARE_WORK}. Where that is not enough, as may be
   * for wide stripes with local groups, the stripe may survive more than is said here.
   *
   * @param limit the answer is not sought beyond this
   */
  public static int spare(ErasureCode code, List<Integer> lost, int limit) {
    return SpareSearch.find(code, lost, limit, SPARE_WORK).blocks();
  }

  /** Whether the answer is proven. */
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
      // Whoever loses everything has lost.
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
          return new Tolerance(feasible, most, fatal, Optional.of(new Sample(checked)), racks());
        }
      }
    }

    /** The largest size up to a limit of which all patterns can be tried. */
    private int feasible(int limit) {
      int size = limit;
      while (size > 0 && new Combinations(code.n(), size).count() * work(size) > effort.work()) {
        size--;
      }
      return size;
    }

    /** Byte operations that the last of so many losses takes, by what those tried so far took. */
    private double work(int count) {
      return Losses.work(code, count) * losses.density();
    }

    /** Loses blocks in random orders until that is fatal. */
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

    /** Cuts a fatal pattern down to what is needed, and keeps it when it is the smallest so far. */
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

    /** Tries all patterns of a size; whether one is fatal. */
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
     * A fatal pattern that adds up to so many blocks, from a position on, to those lost already.
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

    /** Tries random patterns of a size until one is fatal; returns how many were tried. */
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
