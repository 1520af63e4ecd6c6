package org.braid.code;

/**
 * How large the stripes of a code are, as its name says: known before the code is made, which takes
 * long for large ones.
 *
 * @param blocks n, or more where the parameters are invalid
 * @param perBlock alpha, sub-blocks of a block
 * @param searched whether coefficients have to be searched for, which may take long for small
 *     stripes, too, and end in vain
 */
public record StripeSize(long blocks, long perBlock, boolean searched) {
  /** A size. */
  public static StripeSize of(long blocks, long perBlock) {
    return new StripeSize(blocks, perBlock, false);
  }

  /** The size of a code of which coefficients have to be searched for. */
  public StripeSize searchedFor() {
    return new StripeSize(blocks, perBlock, true);
  }

  /** Sub-blocks of a stripe. */
  public long subBlocks() {
    return Math.multiplyExact(blocks, perBlock);
  }
}
