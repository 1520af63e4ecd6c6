package org.braid.plan.manage;

/**
 * How much a repair is wanted.
 *
 * @param urgency why
 * @param lostAt since when something is lost, on the caller's clock, in milliseconds; a repair that
 *     is not urgent waits from then on whether the node comes back
 */
public record Demand(Urgency urgency, long lostAt) {
  /** Why a stripe is repaired, the most urgent first. */
  public enum Urgency {
    /** Somebody waits to read a lost block. */
    READ,
    /** A block is lost. */
    LOSS,
    /** Nothing is lost, but a block stands in a wrong place. */
    MOVE
  }
}
