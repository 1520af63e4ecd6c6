package org.braid.cli.codes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.braid.code.ErasureCode;
import org.braid.codec.Program;
import org.braid.kernel.Kernel;

/** Measures shortly how fast a code encodes on one core; {@code codes bench} measures with care. */
final class EncodeSpeed {
  /** Bytes of a block. */
  static final int BLOCK = 1 << 20;

  private static final long NANOS = 200_000_000L;
  private static final int FEWEST = 3;

  private EncodeSpeed() {}

  /** The median of the runs of about 0.2 s, in bytes of data a second. */
  static double measure(ErasureCode code, Kernel kernel) {
    int length = Math.max(1, BLOCK / code.alpha());
    ByteBuffer[] stripe = new ByteBuffer[code.n() * code.alpha()];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < stripe.length; i++) {
      stripe[i] = ByteBuffer.allocateDirect(length);
      // Data that is not all zero; parity pages are touched, too.
      for (int at = 0; at + Long.BYTES <= length; at += Long.BYTES) {
        stripe[i].putLong(at, random.nextLong());
      }
    }
    Program encoder = Program.encoder(code, kernel);
    encoder.run(stripe, length);
    List<Long> runs = new ArrayList<>();
    long start = System.nanoTime();
    while (runs.size() < FEWEST || System.nanoTime() - start < NANOS) {
      long from = System.nanoTime();
      encoder.run(stripe, length);
      runs.add(System.nanoTime() - from);
    }
    Collections.sort(runs);
    double data = (double) code.k() * code.alpha() * length;
    return data * 1e9 / Math.max(1, runs.get(runs.size() / 2));
  }
}
