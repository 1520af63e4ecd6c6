package org.braid.plan.manage;

/**
 * How urgent a repair is.
 *
 * @param urgency why the stripe is repaired
 * @param lostAt time of the loss, in milliseconds of the caller's clock; the delay of repairs that
 *     are not urgent starts then
 */
public record RepairPriority(Urgency urgency, long lostAt) {
  /** Why a stripe is repaired, the most urgent first. */
  public enum Urgency {
    /** A reader waits for a lost block. */
    READ,
    /** A block is lost. */
    LOSS,
    /** No block is lost, but one is where the rule forbids it. */
    MOVE
  }
}
