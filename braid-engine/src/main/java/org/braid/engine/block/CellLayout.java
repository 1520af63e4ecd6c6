package org.braid.engine.block;

/**
 * The position of sub-blocks in a block. A block is a sequence of rounds; a round has one cell of
 * each sub-block, in order. All sub-blocks thus advance together, and a block is stored from front
 * to back while its sub-blocks are computed slice by slice. The cells of the last round may be
 * shorter. Immutable.
 *
 * @param alpha sub-blocks of a block, at least 1
 * @param cell bytes of a cell in all rounds but the last
 * @param unit bytes of a sub-block
 */
public record CellLayout(int alpha, int cell, long unit) {
  /** Sub-blocks are rounded up to a multiple of this: HDFS's usual checksum chunk. */
  private static final int CHUNK = 512;

  /** Larger cells are a multiple of this: a page of a disk. */
  private static final int PAGE = 4096;

  public CellLayout {
    if (alpha < 1 || cell < 1 || unit < 0 || unit > Long.MAX_VALUE / alpha) {
      throw new IllegalArgumentException(
          "no layout of " + alpha + " sub-blocks of " + unit + " bytes in cells of " + cell);
    }
  }

  /** A block that is one sub-block. */
  public static CellLayout whole(long length) {
    return new CellLayout(1, (int) Math.max(1, Math.min(length, 1 << 30)), length);
  }

  /**
   * The layout of a stripe's blocks. Shorter blocks are padded to {@link #blockLength} with zeros
   * that are not stored.
   *
   * @param alpha sub-blocks of a block
   * @param cell bytes of a cell; ignored for a single sub-block
   * @param longest bytes of the stripe's longest block
   */
  public static CellLayout of(int alpha, int cell, long longest) {
    if (alpha == 1) {
      return whole(longest);
    }
    long each = (longest + alpha - 1) / alpha;
    return new CellLayout(alpha, cell, (each + CHUNK - 1) / CHUNK * CHUNK);
  }

  /**
   * The cell size that makes a round about as long as a slice, so that plans need the same memory
   * as for codes with alpha = 1.
   *
   * @param slice bytes of a slice of a whole block
   */
  public static int cellFor(int alpha, int slice) {
    int most = slice / alpha;
    int step = most >= PAGE ? PAGE : CHUNK;
    return Math.max(step, most - most % step);
  }

  /** Bytes of a block, including the zeros that pad a shorter one. */
  public long blockLength() {
    return unit * alpha;
  }

  /** The slice of a sub-block for a slice of the block, in whole cells where possible. */
  public int slice(int blockSlice) {
    int share = Math.max(1, blockSlice / alpha);
    return alpha > 1 && share > cell ? share - share % cell : share;
  }

  /**
   * The position in the block of a byte of a sub-block.
   *
   * @param index the sub-block
   * @param offset of the byte in the sub-block
   */
  public long inBlock(int index, long offset) {
    long round = offset / cell * cell;
    return round * alpha + index * width(round) + (offset - round);
  }

  /** Bytes of a sub-block from an offset on that are contiguous in its block. */
  public long run(long offset) {
    long round = offset / cell * cell;
    return alpha == 1 ? unit - offset : round + width(round) - offset;
  }

  /**
   * Bytes of a sub-block that a block has which may be shorter than the layout; the rest of the
   * sub-block are zeros that pad the block.
   *
   * @param index the sub-block
   * @param content bytes of the block
   */
  public long held(int index, long content) {
    if (content >= blockLength()) {
      return unit;
    }
    long round = content / alpha / cell * cell;
    long width = width(round);
    long within = content - round * alpha - index * width;
    return round + Math.max(0, Math.min(width, within));
  }

  /** Bytes of the cells of the round that starts at an offset of the sub-blocks. */
  private long width(long round) {
    return Math.min(cell, unit - round);
  }

  /**
   * A contiguous part of a block: sub-blocks {@code first} to {@code first + count - 1}, each from
   * {@code offset} on.
   *
   * @param start position in the block
   * @param length bytes of each sub-block
   */
  public record Part(int first, int count, long offset, long length, long start) {
    /** Bytes in the block. */
    public long bytes() {
      return count * length;
    }
  }

  /**
   * The length of a range, shortened to end with a round if it has at least one round. The next
   * range then starts with a whole round, which takes the fewest reads to rebuild.
   *
   * @param start position of the range in the block
   * @param length its bytes
   */
  public long toWholeRounds(long start, long length) {
    long round = (long) cell * alpha;
    boolean cut = alpha > 1 && length >= round && start + length < blockLength();
    return cut ? (start + length) / round * round - start : length;
  }

  /**
   * The largest part that starts at a byte of the block and ends within a range: whole rounds, else
   * whole cells of a round, else bytes of a cell.
   *
   * @param start position of the range in the block
   * @param length bytes of the range, at least 1, within the block
   */
  public Part part(long start, long length) {
    if (start < 0 || length < 1 || length > blockLength() - start) {
      throw new IllegalArgumentException(
          length + " bytes from " + start + " on are not in a block of " + blockLength());
    }
    if (alpha == 1) {
      return new Part(0, 1, start, length, start);
    }
    long round = start / alpha / cell * cell;
    long width = width(round);
    int index = (int) ((start - round * alpha) / width);
    long within = (start - round * alpha) % width;
    if (within > 0 || length < width) {
      return new Part(index, 1, round + within, Math.min(length, width - within), start);
    }
    if (index > 0 || length < width * alpha) {
      return new Part(index, (int) Math.min(alpha - index, length / width), round, width, start);
    }
    long end = start + length;
    long rounds = end == blockLength() ? unit : end / alpha / cell * cell;
    return new Part(0, alpha, round, rounds - round, start);
  }
}
