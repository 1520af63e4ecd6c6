package org.braid.engine;

/**
 * Where the sub-blocks of a block lie in it. A block is a sequence of rounds; each has a cell of
 * every sub-block, in their order. So all sub-blocks of a block advance together, and a block can
 * be stored from front to back while its sub-blocks are computed slice by slice. Cells of the last
 * round are shorter where sub-blocks do not end with a whole cell. Immutable.
 *
 * @param alpha sub-blocks of a block, at least 1
 * @param cell bytes of a cell, but of those of the last round
 * @param unit bytes of a sub-block
 */
public record CellLayout(int alpha, int cell, long unit) {
  /** What sub-blocks are rounded up to: HDFS's usual checksum chunk. */
  private static final int CHUNK = 512;

  /** What larger cells are a multiple of: a page of a disk. */
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
   * The layout of a stripe's blocks. Blocks shorter than {@link #blockLength} end in zeros that are
   * stored nowhere; the layout of blocks of that length is the same.
   *
   * @param alpha sub-blocks of a block
   * @param cell bytes of a cell; of no meaning for a single sub-block
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
   * The cell that makes a round about as long as a slice of a block that is not cut, so that plans
   * need as much memory as for other codes.
   *
   * @param slice bytes of such a slice
   */
  public static int cellFor(int alpha, int slice) {
    int most = slice / alpha;
    int step = most >= PAGE ? PAGE : CHUNK;
    return Math.max(step, most - most % step);
  }

  /** Bytes of a block, zeros behind a shorter one included. */
  public long blockLength() {
    return unit * alpha;
  }

  /** Whole cells where that is possible: the slice of values for a slice of blocks. */
  public int slice(int blockSlice) {
    int share = Math.max(1, blockSlice / alpha);
    return alpha > 1 && share > cell ? share - share % cell : share;
  }

  /**
   * Where a byte of a sub-block lies in its block.
   *
   * @param index the sub-block
   * @param offset of the byte in the sub-block
   */
  public long inBlock(int index, long offset) {
    long round = offset / cell * cell;
    return round * alpha + index * width(round) + (offset - round);
  }

  /** How many bytes from an offset of a sub-block on are side by side in its block. */
  public long run(long offset) {
    long round = offset / cell * cell;
    return alpha == 1 ? unit - offset : round + width(round) - offset;
  }

  /** Bytes of the cells of the round that starts at an offset of the sub-blocks. */
  private long width(long round) {
    return Math.min(cell, unit - round);
  }

  /**
   * Sub-blocks {@code first} to {@code first + count - 1}, each from {@code offset} on: bytes that
   * are side by side in the block.
   *
   * @param start where they start in the block
   * @param length bytes of each
   */
  public record Part(int first, int count, long offset, long length, long start) {
    /** Bytes in the block. */
    public long bytes() {
      return count * length;
    }

    /** Whether a sub-block is among them. */
    public boolean holds(int index) {
      return index >= first && index < first + count;
    }
  }

  /**
   * How much of a range to take so that a round's end is its end, where it has a round's bytes at
   * least: what follows then begins with whole rounds, which take the fewest reads to rebuild.
   *
   * @param start where the range starts in the block
   * @param length its bytes
   */
  public long toWholeRounds(long start, long length) {
    long round = (long) cell * alpha;
    boolean cut = alpha > 1 && length >= round && start + length < blockLength();
    return cut ? (start + length) / round * round - start : length;
  }

  /**
   * The largest part that starts at a byte of the block and ends within a range: as many rounds,
   * else as many cells of a round, else as many bytes of a cell as there are.
   *
   * @param start where the range starts in the block
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
