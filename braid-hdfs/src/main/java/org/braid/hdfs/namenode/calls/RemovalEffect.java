package org.braid.hdfs.namenode.calls;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;

/**
 * The effect of a removal on one stripe: the remaining blocks that cannot be rebuilt without the
 * removed ones. A pure decision.
 *
 * @param code code of the stripe
 * @param parts the stripe's blocks by position
 */
record RemovalEffect(ErasureCode code, List<Part> parts) {
  private static final int MOST_SILENT = 4;

  /** Where the replicas of a block are. */
  enum Copies {
    /** A replica is on a node that answers. */
    READABLE,
    /** All replicas are on silent nodes, which may return or not. */
    SILENT,
    /** There is no replica. */
    NONE
  }

  /**
   * A block of the stripe.
   *
   * @param copies where its replicas are
   * @param goes whether it is removed
   * @param relies whether it remains, is protected by this stripe, and has at most one replica that
   *     is readable and certain to exist
   */
  record Part(Copies copies, boolean goes, boolean relies) {
    /** A block of zeros, which is stored nowhere. */
    static final Part VIRTUAL = new Part(Copies.READABLE, false, false);

    /** A block that no file has any more, or that no other block may rely on. */
    static final Part ABSENT = new Part(Copies.NONE, false, false);
  }

  /**
   * Positions of the blocks without a readable replica that can be rebuilt before the removal, but
   * not after it; in ascending order.
   */
  Set<Integer> lostWithout() {
    return positions(part -> part.copies != Copies.READABLE);
  }

  /**
   * Positions of the blocks with at most one certain replica, readable now, whose loss can be
   * repaired before the removal, but not after it; in ascending order.
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

  /** Whether a block depends on the removed blocks, for some set of silent blocks that return. */
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
    // Of many silent blocks, only the sets of the first few are tested.
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

  /** Whether a block depends on the removed blocks if exactly these silent blocks return. */
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
