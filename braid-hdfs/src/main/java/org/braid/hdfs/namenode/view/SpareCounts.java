package org.braid.hdfs.namenode.view;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.derive.Tolerance;

/**
 * How many further losses stripes survive that lack blocks. What was proven is remembered. Proving
 * may take a tenth of a second: with more to prove than a look has time for, what is certain
 * without counts until the next look.
 */
final class SpareCounts {
  private static final int MOST_PATTERNS = 100_000;

  private final LongSupplier nanos;
  private final long budget;
  private final Map<String, Integer> known = new HashMap<>();

  /** The data blocks that a pattern costs. */
  private final Map<String, List<Integer>> beyond = new HashMap<>();

  private long spent;

  /**
   * Nothing is proven yet.
   *
   * @param budget nanoseconds that a look has for proofs
   */
  SpareCounts(LongSupplier nanos, long budget) {
    this.nanos = nanos;
    this.budget = budget;
  }

  /** A look begins. */
  void begin() {
    spent = 0;
  }

  /** The number for a stripe without some blocks; -1 when it cannot be decoded. */
  int of(ErasureCode code, List<Integer> missing) {
    String pattern = code.name() + missing;
    Integer before = known.get(pattern);
    if (before != null) {
      return before;
    }
    int most = Tolerance.counted(code);
    if (spent >= budget) {
      int certain = most - missing.size();
      return certain > 0 ? certain : Solver.decodable(code, missing) ? 0 : -1;
    }
    long since = nanos.getAsLong();
    int spare = Tolerance.spare(code, missing, most);
    spent += nanos.getAsLong() - since;
    if (known.size() == MOST_PATTERNS) {
      known.clear();
    }
    known.put(pattern, spare);
    return spare;
  }

  /**
   * Whether a stripe without some blocks cannot give one of the data blocks among others back.
   *
   * @param missing all that it lacks
   * @param lost those of them that nothing else gives back
   */
  boolean costsData(ErasureCode code, List<Integer> missing, Collection<Integer> lost) {
    if (beyond.size() == MOST_PATTERNS) {
      beyond.clear();
    }
    return beyond.computeIfAbsent(code.name() + missing, pattern -> beyond(code, missing)).stream()
        .anyMatch(lost::contains);
  }

  private static List<Integer> beyond(ErasureCode code, List<Integer> missing) {
    List<Integer> there =
        IntStream.range(0, code.n()).filter(i -> !missing.contains(i)).boxed().toList();
    return missing.stream()
        .filter(i -> i < code.k() && Solver.solve(code, List.of(i), there).isEmpty())
        .toList();
  }
}
