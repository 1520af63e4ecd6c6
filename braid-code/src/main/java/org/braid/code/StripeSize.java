package org.braid.code;

/**
 * How large the stripes of a code are, as its name says: known before the code is made, which takes
 * long for large ones.
 *
 * @param blocks n, or more where the parameters are invalid
 * @param perBlock alpha, sub-blocks of a block
 */
public record StripeSize(long blocks, long perBlock) {
  /** A size. */
  public static StripeSize of(long blocks, long perBlock) {
    return new StripeSize(blocks, perBlock);
  }

  /** Sub-blocks of a stripe. */
  public long subBlocks() {
    return Math.multiplyExact(blocks, perBlock);
  }
}
