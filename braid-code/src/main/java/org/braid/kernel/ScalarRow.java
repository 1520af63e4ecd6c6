package org.braid.kernel;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.braid.code.Matrix;

/**
 * One output in plain Java, by Horner's rule on the bits of the coefficients, highest first: add
 * the sources whose coefficient has the bit, then double the sum for the next bit. Additions and
 * doublings are loops without branches or tables, which the compiler turns into vector
 * instructions. That is several times as fast as looking up products byte by byte.
 */
final class ScalarRow {
  /** The highest bit of each of eight bytes. */
  private static final long HIGH = 0x8080808080808080L;

  /** The reduction of the highest bit of each byte: x^8 = x^4 + x^3 + x^2 + 1. */
  private static final long REDUCED = 0x1d1d1d1d1d1d1d1dL;

  private final int target;

  /** The sources whose coefficient has bit b, for each b up to the highest bit set. */
  private final int[][] byBit;

  ScalarRow(PipelineStage stage, int row) {
    Matrix matrix = stage.coefficients();
    int any = 0;
    for (int c = 0; c < matrix.columns(); c++) {
      any |= matrix.at(row, c);
    }
    target = stage.targets().get(row);
    byBit = new int[Integer.SIZE - Integer.numberOfLeadingZeros(any)][];
    for (int bit = 0; bit < byBit.length; bit++) {
      int mask = 1 << bit;
      int[] columns =
          IntStream.range(0, matrix.columns())
              .filter(c -> (matrix.at(row, c) & mask) != 0)
              .toArray();
      byBit[bit] = PipelinePlaces.pick(stage.sources(), columns);
    }
  }

  /** Computes the first bytes of the target's array; array lengths are multiples of 8. */
  void run(byte[][] arrays, int count) {
    byte[] sum = arrays[target];
    if (byBit.length == 0) {
      Arrays.fill(sum, 0, count, (byte) 0);
      return;
    }
    int top = byBit.length - 1;
    start(arrays, sum, byBit[top], count);
    for (int bit = top - 1; bit >= 0; bit--) {
      twice(sum, count);
      add(arrays, sum, byBit[bit], 0, count);
    }
  }

  private static void start(byte[][] arrays, byte[] sum, int[] sources, int count) {
    if (sources.length == 1) {
      System.arraycopy(arrays[sources[0]], 0, sum, 0, count);
      return;
    }
    set(sum, arrays[sources[0]], arrays[sources[1]], count);
    add(arrays, sum, sources, 2, count);
  }

  private static void add(byte[][] arrays, byte[] sum, int[] sources, int from, int count) {
    int i = from;
    for (; i + 1 < sources.length; i += 2) {
      add(sum, arrays[sources[i]], arrays[sources[i + 1]], count);
    }
    if (i < sources.length) {
      add(sum, arrays[sources[i]], count);
    }
  }

  private static void set(byte[] sum, byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = (byte) (a[i] ^ b[i]);
    }
  }

  private static void add(byte[] sum, byte[] a, byte[] b, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] = (byte) (sum[i] ^ a[i] ^ b[i]);
    }
  }

  private static void add(byte[] sum, byte[] a, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] ^= a[i];
    }
  }

  /** Doubles eight bytes at a time; it may change bytes after {@code count}. */
  private static void twice(byte[] sum, int count) {
    for (int i = 0; i < count; i += Long.BYTES) {
      long x = Jdk.getLong(sum, i);
      long high = x & HIGH;
      // Per byte: (high << 1) - (high >>> 7) is 255 where the bit was set, and 0 elsewhere.
      long reduced = (high << 1) - (high >>> 7) & REDUCED;
      Jdk.putLong(sum, i, (x ^ high) << 1 ^ reduced);
    }
  }
}
