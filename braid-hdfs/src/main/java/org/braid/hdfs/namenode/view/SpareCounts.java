package org.braid.hdfs.namenode.view;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
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
}
