package org.braid.code;

import java.util.List;

/**
 * A sub-block as a linear combination of others over GF(2^8): a repair equation, or the definition
 * of a parity.
 *
 * @param target the sub-block on the left side
 * @param terms the right side, in the caller's order of preference; no coefficient is zero
 */
public record Equation(SubBlock target, List<Term> terms) {
  public Equation {
    terms = List.copyOf(terms);
  }
}
