package org.braid.code.lrc;

import java.util.ArrayList;
import java.util.List;
import org.braid.code.lrc.CoefficientSearch.Map;

/** The groups of maps under which coefficients were searched. */
final class Symmetry {
  private static final List<Integer> SAME = List.of(0, 1, 2);
  private static final List<Integer> SWAPPED = List.of(1, 0, 2);

  private Symmetry() {}

  /**
   * Three groups of eight: rotating the global parities leads from group to group; within a group a
   * column is squared and two coefficients are swapped, eight times until it is itself again.
   */
  static List<Map> threeOfEight() {
    List<Map> maps = new ArrayList<>();
    for (int group = 0; group < 3; group++) {
      for (int i = 0; i < 8; i++) {
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < 3; place++) {
          int from = (place + 3 - group) % 3;
          places.add(i % 2 == 1 && from > 0 ? 3 - from : from);
        }
        maps.add(new Map(group, i, places));
      }
    }
    return maps;
  }

  /**
   * Four groups of two: fourth powers lead from group to group, swapping two coefficients to the
   * next but one; both together stay within a group.
   */
  static List<Map> fourOfTwo() {
    List<Map> maps = new ArrayList<>();
    for (int swap = 0; swap < 2; swap++) {
      for (int i = 0; i < 4; i++) {
        maps.add(new Map((i + 2 * swap) % 4, 2 * i, swap == 1 ? SWAPPED : SAME));
      }
    }
    return maps;
  }

  /** Four groups of one: fourth powers lead from group to group, a part of {@link #fourOfTwo}. */
  static List<Map> fourOfOne() {
    return fourOfTwo().subList(0, 4);
  }

  /**
   * Two groups that swapping two coefficients exchanges; within a group a column is squared.
   *
   * @param columns how many a group gets: 4 by fourth powers, 2 by sixteenth, 1 by none
   */
  static List<Map> twoOf(int columns) {
    List<Map> maps = new ArrayList<>();
    for (int group = 0; group < 2; group++) {
      for (int i = 0; i < columns; i++) {
        maps.add(new Map(group, 8 / columns * i, group == 1 ? SWAPPED : SAME));
      }
    }
    return maps;
  }

  /** As {@link #twoOf}, with four coefficients, of which two pairs are swapped. */
  static List<Map> twoOfWithFourCoefficients(int columns) {
    List<Map> maps = new ArrayList<>();
    for (int group = 0; group < 2; group++) {
      List<Integer> places = group == 1 ? List.of(1, 0, 3, 2) : List.of(0, 1, 2, 3);
      for (int i = 0; i < columns; i++) {
        maps.add(new Map(group, 8 / columns * i, places));
      }
    }
    return maps;
  }
}
