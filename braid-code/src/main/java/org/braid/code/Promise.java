package org.braid.code;

import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A set of erasure patterns that a code survives. It lists the maximal patterns only: a code that
 * survives a pattern survives every subset of it.
 */
public interface Promise {
  /** The promise in words, for example {@code any 3 blocks}. */
  String text();

  /** The t of a promise about any t blocks; 0 for a promise about other patterns. */
  default int anyBlocks() {
    return 0;
  }

  /** The number of maximal patterns; {@link Long#MAX_VALUE} when it does not fit. */
  long patterns();

  /**
   * Visits each maximal pattern once, in a fixed order.
   *
   * @param visitor receives the lost blocks, ascending; returns false to stop
   */
  void each(Predicate<List<Integer>> visitor);

  /** A random maximal pattern, all equally likely. */
  List<Integer> sample(RandomGenerator random);

  /** Whether the code keeps the promise for one pattern. */
  default boolean holds(ErasureCode code, List<Integer> lost) {
    return Solver.decodable(code, lost);
  }
}
