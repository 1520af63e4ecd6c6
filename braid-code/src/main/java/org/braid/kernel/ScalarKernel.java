package org.braid.kernel;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.braid.code.Gf256;
import org.braid.code.Matrix;

/** The reference kernel: plain Java, one table look-up for each byte and coefficient. */
public final class ScalarKernel implements Kernel {
  /** Bytes worked on at once: inputs and outputs of a piece stay in the processor's caches. */
  private static final int PIECE = 8 << 10;

  /** Row c holds the products of c with all 256 bytes. */
  private static final byte[][] PRODUCTS = products();

  private static byte[][] products() {
    byte[][] out = new byte[256][256];
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        out[a][b] = (byte) Gf256.multiply(a, b);
      }
    }
    return out;
  }

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public Transform transform(Matrix coefficients) {
    return new ScalarTransform(coefficients);
  }

  private record ScalarTransform(Matrix coefficients) implements Transform {
    @Override
    public int inputs() {
      return coefficients.columns();
    }

    @Override
    public int outputs() {
      return coefficients.rows();
    }

    @Override
    public void apply(ByteBuffer[] inputs, ByteBuffer[] outputs, int length) {
      Buffers.check(this, inputs, outputs, length);
      int piece = Math.min(PIECE, length);
      byte[] in = new byte[piece];
      byte[][] sums = new byte[outputs.length][piece];
      for (int done = 0; done < length; done += piece) {
        int count = Math.min(piece, length - done);
        for (byte[] sum : sums) {
          Arrays.fill(sum, 0, count, (byte) 0);
        }
        for (int c = 0; c < inputs.length; c++) {
          // Absolute bulk access serves heap, direct and read-only buffers alike.
          inputs[c].get(inputs[c].position() + done, in, 0, count);
          for (int r = 0; r < sums.length; r++) {
            add(coefficients.at(r, c), in, sums[r], count);
          }
        }
        for (int r = 0; r < sums.length; r++) {
          outputs[r].put(outputs[r].position() + done, sums[r], 0, count);
        }
      }
    }

    private static void add(int coefficient, byte[] in, byte[] sum, int count) {
      if (coefficient == 0) {
        return;
      }
      if (coefficient == 1) { // common, and this loop becomes vector instructions
        for (int i = 0; i < count; i++) {
          sum[i] ^= in[i];
        }
        return;
      }
      byte[] products = PRODUCTS[coefficient];
      for (int i = 0; i < count; i++) {
        sum[i] ^= products[in[i] & 0xff];
      }
    }
  }
}
