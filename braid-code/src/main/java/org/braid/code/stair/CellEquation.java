package org.braid.code.stair;

import java.util.Map;

/**
 * A cell of a canonical stripe as a linear combination of other cells.
 *
 * @param target number of the computed cell
 * @param terms non-zero coefficients by number of the source cell
 */
record CellEquation(int target, Map<Integer, Integer> terms) {
  CellEquation {
    terms = Map.copyOf(terms);
  }
}
