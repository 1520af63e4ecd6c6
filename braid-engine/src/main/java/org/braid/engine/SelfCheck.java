package org.braid.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.braid.code.Gf256;
import org.braid.code.Matrix;

/**
 * Computes a few bytes of each slice again, one by one, so that a broken kernel cannot fill a disk
 * with wrong parity: what it gets wrong in general is seen in the first slice.
 */
final class SelfCheck {
  private static final int WINDOW = 64;

  private final Matrix matrix;
  private long turn;

  SelfCheck(Matrix matrix) {
    this.matrix = matrix;
  }

  /** Checks a window that moves on with each slice; every other one ends with the slice. */
  void check(ByteBuffer[] inputs, ByteBuffer[] outputs, long offset, int count) throws IOException {
    int window = Math.min(WINDOW, count);
    // Kernels treat the last bytes, those that fill no vector, apart: look at these often.
    int start = turn % 2 == 1 ? count - window : (int) (turn / 2 * WINDOW % (count - window + 1));
    turn++;
    for (int r = 0; r < outputs.length; r++) {
      for (int i = start; i < start + window; i++) {
        int expected = 0;
        for (int c = 0; c < inputs.length; c++) {
          expected ^= Gf256.multiply(matrix.at(r, c), inputs[c].get(i) & 0xff);
        }
        int actual = outputs[r].get(i) & 0xff;
        if (actual != expected) {
          throw new IOException(
              "the kernel is broken: output "
                  + r
                  + " of "
                  + outputs.length
                  + " is "
                  + actual
                  + " at byte "
                  + (offset + i)
                  + ", must be "
                  + expected
                  + "; run with -Dbraid.kernel=scalar");
        }
      }
    }
  }
}
