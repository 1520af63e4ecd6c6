package org.braid.kernel;

import java.nio.ByteBuffer;
import org.braid.code.Gf256;
import org.braid.code.Matrix;

/**
 * Hashes of vectors of bytes, linear over GF(2^8): the hash of a linear combination of vectors is
 * the same combination of their hashes. Parity can thus be compared with data by {@value #BYTES}
 * bytes of each sub-block. Zeros behind a vector do not change its hash.
 *
 * <p>The coefficients are pseudo-random and follow from a seed. First, the vector is cut into rows
 * of {@value #ROW} bytes; each of {@value #LANES} sums adds every row times a coefficient of its
 * own, which is not zero. Second, each byte of the hash adds all bytes of the sums times
 * coefficients of its own, which are not zero either.
 *
 * <p>A vector that differs in one byte has another hash for certain. One that differs in one row
 * has other sums for certain, and any two vectors have the same sums with a probability of at most
 * 254^-4; other sums have the same hash with a probability of at most 2^-112. So any difference is
 * missed with a probability below 2^-31, over the seeds. That finds faults of machines; it resists
 * nobody who knows the seed.
 *
 * <p>Processes of different releases compare hashes: the hash of a seed never changes. Not
 * thread-safe.
 */
public final class LinearHash {
  /** Bytes of a hash. */
  public static final int BYTES = 16;

  private static final int LONGS = BYTES / Long.BYTES;
  private static final int ROW = 4096;
  private static final int LANES = 4;

  /** Rows that are added at once. */
  private static final int ROWS = 32;

  private static final long GAMMA = 0x9e3779b97f4a7c15L;

  private final Kernel kernel;
  private final long rowSeed;
  private final long foldSeed;

  /** The sums of each vector; empty while nothing was added to it. */
  private final byte[][] sums;

  private final byte[] next = new byte[LANES * ROW];

  /**
   * Hashes of zeros so far.
   *
   * @param vectors number of vectors; each that is not zero takes 16 KiB of memory
   */
  public LinearHash(int vectors, long seed, Kernel kernel) {
    this.kernel = kernel;
    rowSeed = mixed(seed);
    foldSeed = mixed(~seed);
    sums = new byte[vectors][0];
  }

  /**
   * Adds the remaining bytes of a buffer to a vector, and moves the buffer's position to its limit.
   * Bytes may come in any order and any pieces.
   *
   * @param vector 0 and up
   * @param position of the first byte in the vector
   */
  public void add(int vector, long position, ByteBuffer bytes) {
    if (position < 0) {
      throw new IllegalArgumentException("no byte of a vector is at " + position);
    }
    if (sums[vector].length == 0) {
      sums[vector] = new byte[LANES * ROW];
    }
    long at = position;
    while (bytes.hasRemaining()) {
      int column = (int) (at % ROW);
      int rows = column == 0 ? Math.min(ROWS, bytes.remaining() / ROW) : 0;
      int count = rows > 0 ? rows * ROW : Math.min(bytes.remaining(), ROW - column);
      ByteBuffer piece = bytes.slice(bytes.position(), count);
      if (rows > 0) {
        add(sums[vector], at / ROW, rows, 0, ROW, piece);
      } else {
        add(sums[vector], at / ROW, 1, column, count, piece);
      }
      bytes.position(bytes.position() + count);
      at += count;
    }
  }

  /** Adds rows, or a part of one row from a column on. */
  private void add(byte[] sum, long row, int rows, int column, int length, ByteBuffer bytes) {
    int width = rows + LANES;
    byte[] coefficients = new byte[LANES * width];
    ByteBuffer[] inputs = new ByteBuffer[width];
    ByteBuffer[] outputs = new ByteBuffer[LANES];
    for (int i = 0; i < rows; i++) {
      long random = mixed(rowSeed + GAMMA * (row + i));
      for (int lane = 0; lane < LANES; lane++) {
        // 16 bits each, spread over 1 to 255
        long bits = random >>> (Short.SIZE * lane) & 0xffff;
        coefficients[lane * width + i] = (byte) (1 + ((bits * 255) >>> Short.SIZE));
      }
      inputs[i] = bytes.slice(i * length, length);
    }
    for (int lane = 0; lane < LANES; lane++) {
      coefficients[lane * width + rows + lane] = 1;
      inputs[rows + lane] = ByteBuffer.wrap(sum, lane * ROW + column, length);
      outputs[lane] = ByteBuffer.wrap(next, lane * ROW + column, length);
    }
    kernel.transform(Matrix.ofBytes(LANES, width, coefficients)).apply(inputs, outputs, length);
    for (int lane = 0; lane < LANES; lane++) {
      System.arraycopy(next, lane * ROW + column, sum, lane * ROW + column, length);
    }
  }

  /** The hashes of all vectors, {@value #BYTES} bytes each, one after the other. */
  public byte[] hashes() {
    // Of each vector, for each bit of a byte, the coefficients of the bytes that have it: the bytes
    // of a long are those of the hash, so that eight of them are added at once.
    long[] added = new long[sums.length * Byte.SIZE * LONGS];
    for (int at = 0; at < LANES * ROW; at++) {
      long number = (long) LONGS * at;
      long first = withoutZeros(mixed(foldSeed + GAMMA * number));
      long second = withoutZeros(mixed(foldSeed + GAMMA * (number + 1)));
      for (int vector = 0; vector < sums.length; vector++) {
        if (sums[vector].length == 0) {
          continue;
        }
        int value = sums[vector][at];
        int into = vector * Byte.SIZE * LONGS;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          long mask = -(long) (value >>> bit & 1);
          added[into++] ^= first & mask;
          added[into++] ^= second & mask;
        }
      }
    }
    byte[] hashes = new byte[sums.length * BYTES];
    for (int i = 0; i < added.length; i++) {
      int bit = i / LONGS % Byte.SIZE;
      int hash = i / (LONGS * Byte.SIZE) * BYTES + i % LONGS * Long.BYTES;
      for (int j = 0; j < Long.BYTES; j++) {
        int coefficients = (int) (added[i] >>> (Byte.SIZE * j)) & 0xff;
        hashes[hash + j] ^= (byte) Gf256.multiply(1 << bit, coefficients);
      }
    }
    return hashes;
  }

  /** The same bytes, but 1 in place of each 0. */
  private static long withoutZeros(long bytes) {
    long low = 0x7f7f7f7f7f7f7f7fL;
    long zeros = ~(((bytes & low) + low) | bytes | low); // the highest bit of each
    return bytes | zeros >>> (Byte.SIZE - 1);
  }

  /** The output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
  private static long mixed(long value) {
    long z = value;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
