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
 * Counts the further losses that stripes with missing blocks survive. Remembers proven counts. A
 * proof may take a tenth of a second: if a look has no time for all proofs, it uses bounds that are
 * certain without counting until the next look.
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
   * Starts without proofs.
   *
   * @param budget nanoseconds for proofs in each look
   */
  SpareCounts(LongSupplier nanos, long budget) {
    this.nanos = nanos;
    this.budget = budget;
  }

  /** Begins a look. */
  void begin() {
    spent = 0;
  }

  /**
   * Number of further losses that a stripe without some blocks survives; -1 when it cannot be
   * decoded.
   */
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
   * Whether a stripe without some blocks cannot rebuild one of its lost data blocks.
   *
   * @param missing all missing blocks
   * @param lost missing blocks without another source
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
