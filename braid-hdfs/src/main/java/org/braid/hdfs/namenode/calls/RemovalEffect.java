package org.braid.hdfs.namenode.calls;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;

/**
 * The effect of a removal on one stripe: which blocks that stay can no longer be rebuilt. A pure
 * decision.
 *
 * @param code of the stripe
 * @param parts the stripe's blocks by position
 */
record RemovalEffect(ErasureCode code, List<Part> parts) {
  private static final int MOST_SILENT = 4;

  /** Where copies of a block are. */
  enum Copies {
    /** On a node that answers. */
    READABLE,
    /** On silent nodes only: they may come back with it, or never. */
    SILENT,
    /** Nowhere. */
    NONE
  }

  /**
   * A block of the stripe.
   *
   * @param goes whether it is to be removed
   * @param relies whether it stays and has this stripe and at most one copy that can be read and is
   *     certain to be there
   */
  record Part(Copies copies, boolean goes, boolean relies) {
    /** Zeros that are stored nowhere. */
    static final Part VIRTUAL = new Part(Copies.READABLE, false, false);

    /** It is no block of a file any more, or nobody may count on it. */
    static final Part ABSENT = new Part(Copies.NONE, false, false);
  }

  /**
   * The lost blocks that can be rebuilt, and could not be without what is to be removed: positions
   * in order.
   */
  Set<Integer> lostWithout() {
    return positions(part -> part.copies != Copies.READABLE);
  }

  /**
   * The blocks whose only copy could be rebuilt after its loss, and could not be without what is to
   * be removed: positions in order.
   */
  Set<Integer> bareWithout() {
    return positions(part -> part.copies == Copies.READABLE);
  }

  private Set<Integer> positions(Predicate<Part> wanted) {
    Set<Integer> found = new LinkedHashSet<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part.relies && wanted.test(part) && isNeededBy(i)) {
        found.add(i);
      }
    }
    return found;
  }

  /** Whether a block depends on what goes, whichever of the silent blocks come back. */
  private boolean isNeededBy(int position) {
    List<Integer> silent = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (i != position && parts.get(i).copies == Copies.SILENT) {
        silent.add(i);
      }
    }
    if (isNeededBy(position, silent)) {
      return true;
    }
    // Of many, a part stands for all sets of them.
    int subsets = 1 << Math.min(silent.size(), MOST_SILENT);
    for (int set = 0; set < subsets; set++) {
      List<Integer> back = new ArrayList<>();
      for (int i = 0; i < Math.min(silent.size(), MOST_SILENT); i++) {
        if ((set & 1 << i) != 0) {
          back.add(silent.get(i));
        }
      }
      if (isNeededBy(position, back)) {
        return true;
      }
    }
    return false;
  }

  /** The same where these silent blocks come back. */
  private boolean isNeededBy(int position, List<Integer> back) {
    List<Integer> present = new ArrayList<>();
    List<Integer> staying = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (i != position && (parts.get(i).copies == Copies.READABLE || back.contains(i))) {
        present.add(i);
        if (!parts.get(i).goes) {
          staying.add(i);
        }
      }
    }
    return present.size() > staying.size()
        && isDetermined(position, present)
        && !isDetermined(position, staying);
  }

  private boolean isDetermined(int lost, List<Integer> available) {
    return Solver.solve(code, List.of(lost), available).isPresent();
  }
}
