package org.braid.kernel;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.braid.code.Matrix;

/**
 * The kernel on Intel ISA-L ({@code libisal}). It uses direct buffers in place, and copies heap
 * buffers piece by piece through bounded native memory of the thread.
 */
public final class IsalKernel implements Kernel {
  private final String library;

  /**
   * Loads ISA-L.
   *
   * @param library a file name, a path, or a name for the platform to complete
   * @throws LinkageError when it cannot be loaded, or computes wrong results
   */
  IsalKernel(String library) {
    Isal.bind(library);
    this.library = library;
    verify();
  }

  /** Verifies the library before use: wrong products would be stored as parity. */
  private void verify() {
    int length = 97; // Longer than any vector register, and not a multiple of its length.
    int[] coefficients = new int[256 + 32];
    byte[][] in = new byte[32][length];
    for (int i = 0; i < coefficients.length; i++) {
      coefficients[i] = i < 256 ? i : 1; // All elements of the field, and a plain sum.
    }
    for (int i = 0; i < in.length * length; i++) {
      in[i / length][i % length] = (byte) (i * 37 + i / 256);
    }
    Matrix matrix = Matrix.of(9, 32, coefficients);
    ByteBuffer[] inputs = wrap(in);
    byte[][] ours = new byte[9][length];
    byte[][] reference = new byte[9][length];
    transform(matrix).apply(inputs, wrap(ours), length);
    new ScalarKernel().transform(matrix).apply(inputs, wrap(reference), length);
    for (int r = 0; r < ours.length; r++) {
      int at = Arrays.mismatch(ours[r], reference[r]);
      if (at >= 0) {
        throw new UnsatisfiedLinkError(
            library + " computes other products than GF(2^8), row " + r + " byte " + at);
      }
    }
  }

  private static ByteBuffer[] wrap(byte[][] arrays) {
    ByteBuffer[] out = new ByteBuffer[arrays.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = ByteBuffer.wrap(arrays[i]);
    }
    return out;
  }

  @Override
  public String name() {
    return "isal";
  }

  /** The requested name of the library. */
  String library() {
    return library;
  }

  @Override
  public Transform transform(Matrix coefficients) {
    return CheckedPipeline.transform(coefficients, IsalPipeline::new);
  }

  @Override
  public Pipeline pipeline(int buffers, List<PipelineStage> stages) {
    return new IsalPipeline(buffers, stages);
  }
}
