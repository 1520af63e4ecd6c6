package org.braid.code.lrc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.code.Gf256;

/**
 * Finds columns of global parities that make a code maximally recoverable, by the condition of the
 * package page: differences of lost columns within groups, and unit vectors of lost global
 * parities, are independent.
 *
 * <p>Single columns are tried in vain long before a code is full. So the search asks for symmetry:
 * it takes one column together with its images under a group of maps that keep the condition. Each
 * image counts for a whole orbit of patterns, and one column for many, so that far fewer choices
 * meet far fewer conditions.
 */
final class CoefficientSearch {
  /** All columns of three coefficients. */
  static final int COLUMNS = 1 << 24;

  /**
   * A map of columns that keeps what can be recovered: squaring all coefficients some times, and
   * permuting the global parities.
   *
   * @param group where the image of a column of group 0 belongs
   * @param squarings how often each coefficient is squared
   * @param places image i is coefficient places.get(i) of the column
   */
  record Map(int group, int squarings, List<Integer> places) {
    int[] image(int[] column) {
      int[] out = places.stream().mapToInt(p -> column[p]).toArray();
      for (int times = 0; times < squarings; times++) {
        for (int i = 0; i < out.length; i++) {
          out[i] = Gf256.multiply(out[i], out[i]);
        }
      }
      return out;
    }
  }

  private final int g;
  private final List<List<int[]>> groups = new ArrayList<>();
  private final Independence independent;

  /** Starts with the local parities, whose columns are zero. */
  CoefficientSearch(int l, int g) {
    this.g = g;
    this.independent = new Independence(g);
    for (int a = 0; a < l; a++) {
      groups.add(new ArrayList<>(List.of(new int[g])));
    }
  }

  /** Columns of a group so far, its local parity first. */
  List<int[]> group(int a) {
    return groups.get(a);
  }

  /** Adds a column of group 0 and its images, in the order of the maps; the first is itself. */
  void add(List<Map> maps, int[] column) {
    maps.forEach(m -> groups.get(m.group()).add(m.image(column)));
  }

  /** Takes back what was added last. */
  void remove(List<Map> maps) {
    maps.forEach(m -> groups.get(m.group()).remove(groups.get(m.group()).size() - 1));
  }

  /** Whether all patterns are still recovered with a column of group 0 and its images. */
  boolean fits(List<Map> maps, int[] column) {
    int place = groups.get(0).size();
    add(maps, column);
    boolean fits = recovered(place);
    remove(maps);
    return fits;
  }

  /** All patterns that lose a column of group 0; by the symmetry these stand for all new ones. */
  private boolean recovered(int place) {
    List<int[]> own = new ArrayList<>(groups.get(0));
    int[] base = own.remove(place);
    return inGroup(0, 0, base, own);
  }

  /** Adds differences to one column of a group, then goes on to the groups behind it. */
  private boolean inGroup(int depth, int group, int[] base, List<int[]> others) {
    if (depth > 0 && !behind(depth, group + 1)) {
      return false;
    }
    for (int i = 0; depth < g && i < others.size(); i++) {
      if (!independent.add(depth, base, others.get(i))) {
        return false;
      }
      if (depth + 1 < g && !inGroup(depth + 1, group, base, others.subList(i + 1, others.size()))) {
        return false;
      }
    }
    return true;
  }

  private boolean behind(int depth, int first) {
    for (int group = first; depth < g && group < groups.size(); group++) {
      List<int[]> own = groups.get(group);
      for (int i = 0; i + 1 < own.size(); i++) {
        for (int j = i + 1; j < own.size(); j++) {
          if (!independent.add(depth, own.get(i), own.get(j))) {
            return false;
          }
          if (depth + 1 < g
              && !inGroup(depth + 1, group, own.get(i), own.subList(j + 1, own.size()))) {
            return false;
          }
        }
      }
    }
    return globals(depth, 0);
  }

  private boolean globals(int depth, int first) {
    int[] zero = groups.get(0).get(0);
    for (int i = first; depth < g && i < g; i++) {
      int[] unit = new int[g];
      unit[i] = 1;
      if (!independent.add(depth, zero, unit) || !globals(depth + 1, i + 1)) {
        return false;
      }
    }
    return true;
  }

  /** Columns of three coefficients that fit, one of each orbit, in the order of their numbers. */
  Stream<int[]> fitting(List<Map> maps) {
    Directions forbidden = Directions.forbidden(groups);
    return IntStream.range(0, COLUMNS)
        .mapToObj(CoefficientSearch::column)
        .filter(c -> allowed(forbidden, c) && least(maps, c) && fits(maps, c));
  }

  private boolean allowed(Directions forbidden, int[] column) {
    for (int[] other : groups.get(0)) {
      if (Arrays.equals(column, other) || forbidden.contains(Independence.sum(column, other))) {
        return false;
      }
    }
    return true;
  }

  private static boolean least(List<Map> maps, int[] column) {
    int index = index(column);
    return maps.stream().allMatch(m -> index(m.image(column)) >= index);
  }

  /** The column of a number: the first coefficient is its lowest byte. */
  static int[] column(int index) {
    return new int[] {index & 0xff, index >> 8 & 0xff, index >> 16};
  }

  static int index(int[] column) {
    return column[0] | column[1] << 8 | column[2] << 16;
  }
}
