package org.braid.shard;

/**
 * How a file is laid out in stripes of cells.
 *
 * @param k data cells of a stripe
 * @param alpha sub-blocks of a cell
 * @param cell bytes of a full cell, a multiple of alpha
 * @param length bytes of the file
 */
record Layout(int k, int alpha, int cell, long length) {
  /** Bytes of the file in a full stripe. */
  long stripeBytes() {
    return (long) k * cell;
  }

  long stripes() {
    return length / stripeBytes() + (length % stripeBytes() == 0 ? 0 : 1);
  }

  /** Bytes of the file in a stripe. */
  int dataBytes(long stripe) {
    return (int) Math.min(stripeBytes(), length - stripe * stripeBytes());
  }

  /** Bytes of each cell of a stripe. */
  int cellBytes(long stripe) {
    return cellBytes(k, alpha, dataBytes(stripe));
  }

  /** Bytes of each cell of a stripe with some bytes of the file. */
  static int cellBytes(int k, int alpha, int dataBytes) {
    long columns = (long) k * alpha;
    return (int) ((dataBytes + columns - 1) / columns) * alpha;
  }

  /** Where a stripe's cell starts in the body of a shard. */
  long offset(long stripe) {
    return stripe * (cell + CellChecksum.BYTES);
  }

  /** Bytes of the body of a shard. */
  long bodyBytes() {
    long stripes = stripes();
    return stripes == 0 ? 0 : offset(stripes - 1) + cellBytes(stripes - 1) + CellChecksum.BYTES;
  }
}
