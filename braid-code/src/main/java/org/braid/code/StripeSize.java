package org.braid.code;

/**
 * The size of a code's stripes, derived from its name alone: creating a large code takes long.
 *
 * @param blocks n, or more where the parameters are invalid
 * @param perBlock alpha, sub-blocks of a block
 * @param searched whether the code searches for coefficients, which may take long or fail even for
 *     small stripes
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
