package org.braid.code.lrc;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A set of vectors of length three, each with all its multiples: points of the projective plane
 * over GF(2^8), whose lines are planes of vectors.
 */
final class Directions {
  private static final int FIELD = 256;

  private final BitSet points = new BitSet(FIELD * FIELD + FIELD + 1);

  private Directions() {}

  /**
   * What no two columns of group 0 may differ by: planes that three columns of another group span,
   * or two differences of different groups, a global parity being a group with a single one.
   */
  static Directions forbidden(List<List<int[]>> groups) {
    Directions out = new Directions();
    List<List<int[]>> differences = new ArrayList<>();
    for (List<int[]> group : groups.subList(1, groups.size())) {
      List<int[]> own = new ArrayList<>();
      for (int i = 0; i < group.size(); i++) {
        for (int j = i + 1; j < group.size(); j++) {
          int[] difference = Independence.sum(group.get(i), group.get(j));
          own.add(difference);
          for (int[] third : group.subList(j + 1, group.size())) {
            out.addPlane(difference, Independence.sum(group.get(i), third));
          }
        }
      }
      differences.add(own);
    }
    for (int i = 0; i < 3; i++) {
      int[] unit = new int[3];
      unit[i] = 1;
      differences.add(List.of(unit));
    }
    for (int a = 0; a < differences.size(); a++) {
      for (List<int[]> others : differences.subList(a + 1, differences.size())) {
        for (int[] d : differences.get(a)) {
          others.forEach(e -> out.addPlane(d, e));
        }
      }
    }
    return out;
  }

  private void addPlane(int[] d, int[] e) {
    points.set(point(e[0], e[1], e[2]));
    for (int t = 0; t < FIELD; t++) {
      points.set(
          point(
              d[0] ^ Independence.product(t, e[0]),
              d[1] ^ Independence.product(t, e[1]),
              d[2] ^ Independence.product(t, e[2])));
    }
  }

  /** Whether a vector, not zero, is in the set. */
  boolean contains(int[] vector) {
    return points.get(point(vector[0], vector[1], vector[2]));
  }

  private static int point(int x, int y, int z) {
    if (x != 0) {
      int scale = Independence.inverse(x);
      return Independence.product(scale, y) * FIELD + Independence.product(scale, z);
    }
    return y != 0
        ? FIELD * FIELD + Independence.product(Independence.inverse(y), z)
        : FIELD * FIELD + FIELD;
  }
}
