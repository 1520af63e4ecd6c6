package org.braid.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Random;
import org.braid.code.Matrix;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs where ISA-L is installed. */
final class IsalKernelTest extends KernelContract {
  @BeforeEach
  void assumeInstalled() {
    Assumptions.assumeTrue(Kernels.isal().isPresent(), "ISA-L is not installed here");
  }

  @Override
  Kernel kernel() {
    return Kernels.isal().orElseThrow();
  }

  @Test
  void equalsTheScalarKernelOnLargeBuffers() {
    Random random = Seeds.random(IsalKernelTest.class);
    Matrix matrix = Matrix.of(4, 10, random.ints(40, 0, 256).toArray());
    int length = (4 << 20) + 13;
    ByteBuffer[] inputs = new ByteBuffer[10];
    byte[] bytes = new byte[length];
    for (int c = 0; c < inputs.length; c++) {
      random.nextBytes(bytes);
      inputs[c] = c < 5 ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
      inputs[c].put(0, bytes);
    }
    byte[][] fast = new byte[4][length];
    byte[][] reference = new byte[4][length];
    kernel().transform(matrix).apply(inputs, wrap(fast), length);
    Kernels.scalar().transform(matrix).apply(inputs, wrap(reference), length);
    assertArrayEquals(reference, fast);
    assertEquals("isal", kernel().name());
  }

  private static ByteBuffer[] wrap(byte[][] arrays) {
    ByteBuffer[] out = new ByteBuffer[arrays.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = ByteBuffer.wrap(arrays[i]);
    }
    return out;
  }
}
