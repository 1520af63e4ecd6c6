package org.braid.hdfs.namenode.calls;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;

/**
 * What a removal means for one stripe; pure.
 *
 * @param code of the stripe
 * @param blocks of the stripe by position
 */
record Needed(ErasureCode code, List<State> blocks) {
  /** How a block is, and what is to become of it. */
  enum State {
    /** It can be read, and stays. */
    READABLE,
    /** No copy of it can be read now; it stays. */
    LOST,
    /** It can be read, and is to be removed. */
    GOING,
    /** It is no block of a file any more, or nobody wants it. */
    ABSENT
  }

  /**
   * The lost blocks that can be rebuilt now, and could not be without what is to be removed:
   * positions in order.
   */
  Set<Integer> lostWithout() {
    Set<Integer> needing = new LinkedHashSet<>();
    if (!blocks.contains(State.LOST) || !blocks.contains(State.GOING)) {
      return needing;
    }
    List<Integer> present = positions(Set.of(State.READABLE, State.GOING));
    List<Integer> staying = positions(Set.of(State.READABLE));
    for (int lost : positions(Set.of(State.LOST))) {
      if (determined(lost, present) && !determined(lost, staying)) {
        needing.add(lost);
      }
    }
    return needing;
  }

  private boolean determined(int lost, List<Integer> available) {
    Optional<?> equations = Solver.solve(code, List.of(lost), available);
    return equations.isPresent();
  }

  private List<Integer> positions(Set<State> states) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      if (states.contains(blocks.get(i))) {
        positions.add(i);
      }
    }
    return positions;
  }
}
