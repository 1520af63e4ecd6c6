package org.braid.code;

import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A set of erasure patterns that a code claims to survive. It lists the largest patterns only:
 * whoever survives a pattern survives every part of it.
 */
public interface Promise {
  /** What is claimed, for example {@code any 3 blocks}. */
  String text();

  /** The t of a promise on any t blocks; 0 for promises on other patterns. */
  default int anyBlocks() {
    return 0;
  }

  /** How many largest patterns there are; {@link Long#MAX_VALUE} when more than fit. */
  long patterns();

  /**
   * Visits every largest pattern, each once, in a fixed order.
   *
   * @param visitor gets the lost blocks, ascending; the visit ends when it says no
   */
  void each(Predicate<List<Integer>> visitor);

  /** One of the largest patterns, all equally likely. */
  List<Integer> sample(RandomGenerator random);

  /** Whether the code keeps the promise for one pattern. */
  default boolean holds(ErasureCode code, List<Integer> lost) {
    return Solver.decodable(code, lost);
  }
}
