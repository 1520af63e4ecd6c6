package org.braid.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.braid.code.Gf256;
import org.braid.code.Matrix;

/**
 * Recomputes a few bytes of each slice with scalar arithmetic and compares them, so that a broken
 * kernel is found in the first slice and not after it has written wrong parity.
 */
final class SelfCheck {
  private static final int WINDOW = 64;

  private final Matrix matrix;
  private long turn;

  SelfCheck(Matrix matrix) {
    this.matrix = matrix;
  }

  /**
   * Checks a window that moves with each slice; every second window ends at the end of the slice.
   */
  void check(ByteBuffer[] inputs, ByteBuffer[] outputs, long offset, int count) throws IOException {
    int window = Math.min(WINDOW, count);
    // Kernels have separate code for the last bytes, which fill no vector: check these often.
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
