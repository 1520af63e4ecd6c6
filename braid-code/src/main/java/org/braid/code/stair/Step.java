package org.braid.code.stair;

import java.util.Map;

/**
 * One cell of a canonical stripe as a combination of others.
 *
 * @param target number of the cell made
 * @param terms coefficients by number of the source cell, none 0
 */
record Step(int target, Map<Integer, Integer> terms) {
  Step {
    terms = Map.copyOf(terms);
  }
}
