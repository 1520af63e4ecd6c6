package org.braid.code;

/**
 * One summand of an {@link Equation}.
 *
 * @param source the sub-block that is multiplied
 * @param coefficient its GF(2^8) factor, 1..255
 */
public record Term(SubBlock source, int coefficient) {}
