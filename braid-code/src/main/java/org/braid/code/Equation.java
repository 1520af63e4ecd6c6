package org.braid.code;

import java.util.List;

/**
 * A sub-block written as a GF(2^8) combination of others: a repair equation, or a parity's
 * definition.
 *
 * @param target the sub-block on the left side
 * @param terms the right side, coefficients not zero, ordered as the sources were preferred
 */
public record Equation(SubBlock target, List<Term> terms) {
  public Equation {
    terms = List.copyOf(terms);
  }
}
