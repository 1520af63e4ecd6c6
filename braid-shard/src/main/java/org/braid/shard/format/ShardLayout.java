package org.braid.shard.format;

/**
 * The division of a file into stripes of cells.
 *
 * @param k data cells of a stripe
 * @param alpha sub-blocks of a cell
 * @param cell bytes of a full cell, a multiple of alpha
 * @param length bytes of the file
 */
public record ShardLayout(int k, int alpha, int cell, long length) {
  /** Bytes of the file in a full stripe. */
  public long stripeBytes() {
    return (long) k * cell;
  }

  public long stripes() {
    return length / stripeBytes() + (length % stripeBytes() == 0 ? 0 : 1);
  }

  /** Bytes of the file in a stripe. */
  public int dataBytes(long stripe) {
    return (int) Math.min(stripeBytes(), length - stripe * stripeBytes());
  }

  /** Bytes of each cell of a stripe. */
  public int cellBytes(long stripe) {
    return cellBytes(k, alpha, dataBytes(stripe));
  }

  /** Bytes of each cell of a stripe that holds {@code dataBytes} bytes of the file. */
  public static int cellBytes(int k, int alpha, int dataBytes) {
    long columns = (long) k * alpha;
    return (int) ((dataBytes + columns - 1) / columns) * alpha;
  }

  /** The offset of a stripe's cell in the body of a shard. */
  public long offset(long stripe) {
    return stripe * (cell + CellChecksum.BYTES);
  }

  /** Bytes of the body of a shard. */
  public long bodyBytes() {
    long stripes = stripes();
    return stripes == 0 ? 0 : offset(stripes - 1) + cellBytes(stripes - 1) + CellChecksum.BYTES;
  }
}
