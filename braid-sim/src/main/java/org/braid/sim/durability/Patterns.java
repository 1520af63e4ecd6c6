package org.braid.sim.durability;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Promise;
import org.braid.code.Promises.Combinations;
import org.braid.code.Solver;
import org.jspecify.annotations.Nullable;

/**
 * Which lost blocks are fatal, asked of the code's own matrix and remembered. Thread-safe.
 *
 * <p>Nothing is asked where it is proven: a code that promises as many losses as it has parities,
 * whichever they are, survives a pattern exactly when it has no more.
 */
public final class Patterns {
  /** Patterns that are remembered at most. */
  private static final int KEPT = 200_000;

  private static final int SAMPLES = 4_000;

  /** Patterns that are tried at most for the smallest fatal ones. */
  private static final long TRIED = 60_000;

  /**
   * Losses beyond the promised ones that are counted; each makes a pattern rarer by orders of
   * magnitude, and what would come after them counts as fatal.
   */
  private static final int DEPTH = 6;

  private final ErasureCode code;
  private final int promised;
  private final Map<BitSet, Boolean> decodable = new ConcurrentHashMap<>();
  private volatile @Nullable List<BitSet> smallest;
  private final Map<BitSet, Integer> lostData = new ConcurrentHashMap<>();

  public Patterns(ErasureCode code) {
    this.code = code;
    this.promised = code.promises().stream().mapToInt(Promise::anyBlocks).max().orElse(0);
  }

  /** The code. */
  public ErasureCode code() {
    return code;
  }

  /** Whether every pattern is decided by its size. */
  public boolean isMds() {
    return promised == code.m();
  }

  /** Losses that are survived whichever they are, as the code promises. */
  public int promised() {
    return promised;
  }

  /** Whether the other blocks determine those lost; the set is not kept. */
  public boolean survives(BitSet lost) {
    int count = lost.cardinality();
    if (count <= promised) {
      return true;
    }
    if (count > code.m()) {
      return false;
    }
    Boolean known = decodable.get(lost);
    if (known == null) {
      known = Solver.decodable(code, lost.stream().boxed().toList());
      if (decodable.size() < KEPT) {
        decodable.put((BitSet) lost.clone(), known);
      }
    }
    return known;
  }

  /** Lost data blocks that the other blocks do not determine. */
  public int lostData(BitSet lost) {
    if (survives(lost)) {
      return 0;
    }
    if (isMds()) {
      // As many blocks as there are parities, and one more: nothing lost is determined.
      return lost.get(0, code.k()).cardinality();
    }
    Integer known = lostData.get(lost);
    if (known == null) {
      List<Integer> alive = IntStream.range(0, code.n()).filter(b -> !lost.get(b)).boxed().toList();
      known =
          (int)
              lost.stream()
                  .filter(block -> block < code.k())
                  .filter(block -> Solver.solve(code, List.of(block), alive).isEmpty())
                  .count();
      if (lostData.size() < KEPT) {
        lostData.put((BitSet) lost.clone(), known);
      }
    }
    return known;
  }

  /**
   * What losing one block after the other leads to, whichever comes next.
   *
   * @param fatal by blocks lost, from 1 on: the probability that the loss of a random block is the
   *     fatal one, when those before could be decoded
   * @param data by blocks lost, from 1 on: data blocks that such a fatal loss takes, on average
   * @param exact whether all patterns were tried
   */
  public record Steps(List<Double> fatal, List<Double> data, boolean exact) {
    public Steps {
      fatal = List.copyOf(fatal);
      data = List.copyOf(data);
    }
  }

  /**
   * Counts patterns. Where D(j) of the patterns of j blocks can be decoded, the next loss is fatal
   * with 1 - (D(j+1) / C(n,j+1)) / (D(j) / C(n,j)), as every part of a pattern that can be decoded
   * can be, too.
   *
   * @param limit sizes with more patterns are sampled
   */
  public Steps steps(long limit, RandomGenerator random) {
    List<Double> fatal = new ArrayList<>();
    List<Double> data = new ArrayList<>();
    boolean exact = true;
    double before = 1;
    int most = Math.min(code.m(), promised + DEPTH) + 1;
    for (int size = 1; size <= most; size++) {
      Counted counted = count(size, limit, random);
      exact &= counted.exact || size <= promised;
      double share = size == most ? 0 : Math.min(before, counted.survived);
      fatal.add(before > 0 ? 1 - share / before : 1);
      // Where none of the sampled patterns was fatal, all lost data may be gone.
      data.add(
          share < before && counted.data == 0 ? (double) size * code.k() / code.n() : counted.data);
      before = share;
      if (before == 0) {
        break;
      }
    }
    return new Steps(fatal, data, exact);
  }

  private record Counted(double survived, double data, boolean exact) {}

  private Counted count(int size, long limit, RandomGenerator random) {
    if (size <= promised) {
      return new Counted(1, 0, true);
    }
    if (isMds()) {
      return new Counted(0, (double) size * code.k() / code.n(), true);
    }
    Combinations all = new Combinations(code.n(), size);
    Tally tally = new Tally();
    boolean exact = all.count() <= limit;
    if (exact) {
      all.each(tally::add);
    } else {
      for (int i = 0; i < SAMPLES; i++) {
        tally.add(all.sample(random));
      }
    }
    return new Counted(
        (double) tally.survived / tally.all,
        tally.looked == 0 ? 0 : (double) tally.data / tally.looked,
        exact);
  }

  /** Adds up patterns of one size. */
  private final class Tally {
    /** Data losses take a search each: some say enough of the average. */
    private static final int LOOKED = 200;

    private long all;
    private long survived;
    private long looked;
    private long data;

    boolean add(List<Integer> lost) {
      BitSet set = set(lost);
      all++;
      if (survives(set)) {
        survived++;
      } else if (looked < LOOKED && wasAlive(set)) {
        looked++;
        data += lostData(set);
      }
      return true;
    }

    /** Whether the pattern could be decoded without one of its blocks. */
    private boolean wasAlive(BitSet lost) {
      for (int block = lost.nextSetBit(0); block >= 0; block = lost.nextSetBit(block + 1)) {
        BitSet less = (BitSet) lost.clone();
        less.clear(block);
        if (survives(less)) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * The fatal patterns of one block more than is promised, each loss of which hurts; none where
   * size decides everything, or where there are too many patterns to try.
   */
  List<BitSet> smallestFatal() {
    List<BitSet> known = smallest;
    if (known == null) {
      known = findSmallest();
      smallest = known;
    }
    return known;
  }

  private List<BitSet> findSmallest() {
    List<BitSet> found = new ArrayList<>();
    if (!isMds() && promised < code.m()) {
      Combinations all = new Combinations(code.n(), promised + 1);
      if (all.count() <= TRIED) {
        all.each(
            lost -> {
              BitSet set = set(lost);
              if (!survives(set)) {
                found.add(set);
              }
              return true;
            });
      }
    }
    return List.copyOf(found);
  }

  private BitSet set(List<Integer> blocks) {
    BitSet set = new BitSet(code.n());
    blocks.forEach(set::set);
    return set;
  }

  /** A random pattern of a size that can be decoded; empty when none is found. */
  public List<Integer> draw(int size, RandomGenerator random) {
    Combinations all = new Combinations(code.n(), size);
    for (int attempt = 0; attempt < 200; attempt++) {
      List<Integer> lost = all.sample(random);
      BitSet set = set(lost);
      if (survives(set)) {
        return lost;
      }
    }
    return Collections.emptyList();
  }
}
