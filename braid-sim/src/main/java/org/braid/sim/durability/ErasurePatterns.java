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
import org.braid.code.Promises.Combinations;
import org.braid.code.Solver;
import org.braid.code.derive.Tolerance;
import org.jspecify.annotations.Nullable;

/**
 * Which sets of lost blocks (erasure patterns) a code can decode, from its matrix; answers are
 * cached. Thread-safe.
 *
 * <p>A code that promises to survive any loss of as many blocks as it has parities needs no matrix:
 * only the number of lost blocks counts.
 */
public final class ErasurePatterns {
  /** Most patterns in the cache. */
  private static final int KEPT = 200_000;

  private static final int SAMPLES = 4_000;

  /** Most patterns that are tried to find the smallest fatal ones. */
  private static final long TRIED = 60_000;

  /**
   * Patterns of up to this many blocks beyond the promised number are counted. Each further loss is
   * rarer by orders of magnitude, so that larger patterns simply count as fatal.
   */
  private static final int DEPTH = 6;

  private final ErasureCode code;
  private final int promised;
  private final Map<BitSet, Boolean> decodable = new ConcurrentHashMap<>();
  private volatile @Nullable List<BitSet> smallest;
  private final Map<BitSet, Integer> lostData = new ConcurrentHashMap<>();

  /** The patterns of a code. */
  public ErasurePatterns(ErasureCode code) {
    this.code = code;
    // Codes of columns promise columns and no number of blocks: what is proven counts.
    this.promised = Tolerance.counted(code);
  }

  /** The code. */
  public ErasureCode code() {
    return code;
  }

  /** Whether the size of a pattern alone decides, as with maximum distance separable codes. */
  public boolean isMds() {
    return promised == code.m();
  }

  /** The number of blocks any of which may be lost, as the code promises or its matrix proves. */
  public int promised() {
    return promised;
  }

  /** Whether the lost blocks can be decoded from the others; does not keep the set. */
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

  /** Number of lost data blocks that cannot be decoded. */
  public int lostData(BitSet lost) {
    if (survives(lost)) {
      return 0;
    }
    if (isMds()) {
      // More blocks are lost than there are parities: none of them can be decoded.
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
   * Fatal losses when random blocks are lost one after the other.
   *
   * @param fatal by number of lost blocks, from 1 on: the probability that the last of them is
   *     fatal when the others could be decoded
   * @param data by number of lost blocks, from 1 on: mean number of data blocks that such a fatal
   *     loss destroys
   * @param exact whether all patterns were tried
   */
  public record Steps(List<Double> fatal, List<Double> data, boolean exact) {
    public Steps {
      fatal = List.copyOf(fatal);
      data = List.copyOf(data);
    }
  }

  /**
   * Counts patterns. If D(j) patterns of j blocks can be decoded, the next loss is fatal with
   * probability 1 - (D(j+1) / C(n,j+1)) / (D(j) / C(n,j)), because every subset of a decodable
   * pattern is decodable.
   *
   * @param limit patterns of one size are sampled where there are more
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
      // No sampled pattern was fatal: assume that all lost data blocks are destroyed.
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
    tally.look(random);
    return new Counted(
        (double) tally.survived / tally.all,
        tally.ways == 0 ? 0 : (double) tally.data / tally.ways,
        exact);
  }

  /** Counts patterns of one size. */
  private final class Tally {
    /** Finding lost data is slow: so many patterns are enough for a mean. */
    private static final int LOOKED = 200;

    private final List<BitSet> fatal = new ArrayList<>();
    private long all;
    private long survived;
    private long ways;
    private long data;

    boolean add(List<Integer> lost) {
      BitSet set = set(lost);
      all++;
      if (survives(set)) {
        survived++;
      } else {
        fatal.add(set);
      }
      return true;
    }

    /**
     * Finds lost data of random fatal patterns: in lexical order the first ones lose more data than
     * others.
     */
    void look(RandomGenerator random) {
      int looked = 0;
      for (int i = 0; i < fatal.size() && looked < LOOKED; i++) {
        Collections.swap(fatal, i, i + random.nextInt(fatal.size() - i));
        int last = last(fatal.get(i));
        if (last > 0) {
          looked++;
          ways += last;
          data += (long) last * lostData(fatal.get(i));
        }
      }
    }

    /** The number of blocks that may be the last loss: without it the pattern can be decoded. */
    private int last(BitSet lost) {
      int last = 0;
      for (int block = lost.nextSetBit(0); block >= 0; block = lost.nextSetBit(block + 1)) {
        BitSet less = (BitSet) lost.clone();
        less.clear(block);
        last += survives(less) ? 1 : 0;
      }
      return last;
    }
  }

  /**
   * The fatal patterns of one block more than the code promises to survive. Empty where size alone
   * decides, or where there are too many patterns to try.
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

  /** Draws a decodable pattern of a size; empty when none is found. */
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
