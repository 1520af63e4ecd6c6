package org.braid.code.derive;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;

/**
 * Searches how many more blocks a damaged stripe can lose.
 *
 * <p>The lower bound is the code's tolerance less the lost blocks; the upper bound is the number of
 * parities less the lost blocks. Between them the search tries all patterns of one more block, then
 * of two and so on, within a budget of work.
 */
final class SpareSearch {
  /**
   * The remaining tolerance.
   *
   * @param blocks the stripe survives any that many more losses; -1 when it is not decodable now
   * @param exact whether it would not survive one more, or the limit is reached
   * @param work estimated byte operations of the search
   */
  record Spare(int blocks, boolean exact, long work) {}

  private static final int UNDECODABLE = -1;

  private final List<Integer> left;
  private final Losses losses;
  private final long budget;

  private SpareSearch(ErasureCode code, SortedSet<Integer> lost, long budget) {
    this.left = IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    this.losses = new Losses(code);
    this.budget = budget;
    losses.addAll(List.copyOf(lost));
  }

  /**
   * Searches the remaining tolerance.
   *
   * @param limit the largest answer of interest
   * @param budget byte operations after which the search ends with the proven answer
   */
  static Spare find(ErasureCode code, List<Integer> lost, int limit, long budget) {
    var gone = new TreeSet<>(lost);
    if (!Solver.decodable(code, gone)) {
      return new Spare(UNDECODABLE, true, 0);
    }
    int most = Math.min(limit, code.m() - gone.size());
    int proven = Math.min(most, Math.max(0, Tolerance.counted(code) - gone.size()));
    if (proven == most) {
      return new Spare(proven, true, 0);
    }
    var search = new SpareSearch(code, gone, budget);
    while (proven < most) {
      boolean all = search.survivesAll(0, proven + 1);
      if (search.exhausted()) {
        return new Spare(proven, false, search.losses.work());
      }
      if (!all) {
        break;
      }
      proven++;
    }
    return new Spare(proven, true, search.losses.work());
  }

  private boolean exhausted() {
    return losses.work() > budget;
  }

  /** Whether all patterns of {@code more} blocks, from a position on, can be decoded. */
  private boolean survivesAll(int from, int more) {
    if (more == 0) {
      return true;
    }
    for (int i = from; i <= left.size() - more; i++) {
      if (exhausted() || !losses.add(left.get(i))) {
        return false;
      }
      boolean good = survivesAll(i + 1, more - 1);
      losses.undo();
      if (!good) {
        return false;
      }
    }
    return true;
  }
}
