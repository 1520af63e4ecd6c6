package org.braid.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.braid.code.Matrix;
import org.junit.jupiter.api.Test;

final class KernelWhenNeededTest {
  private final AtomicInteger choices = new AtomicInteger();

  private final Kernel kernel =
      new KernelWhenNeeded(
          () -> {
            choices.incrementAndGet();
            return Kernels.scalar();
          });

  @Test
  void nothingIsChosenBeforeThereIsSomethingToCompute() {
    assertEquals(0, choices.get());
    byte[] out = new byte[3];
    kernel
        .transform(Matrix.of(1, 2, 1, 2))
        .apply(
            new ByteBuffer[] {
              ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(new byte[] {4, 5, 6})
            },
            new ByteBuffer[] {ByteBuffer.wrap(out)},
            3);
    assertArrayEquals(new byte[] {9, 8, 15}, out);
    assertEquals(1, choices.get());
  }

  @Test
  void itIsChosenWhenItIsLoaded() {
    kernel.load();
    assertEquals(1, choices.get());
  }

  @Test
  void pipelinesAndTheNameAreThoseOfTheChosenOne() {
    byte[] sum = new byte[2];
    kernel
        .pipeline(3, List.of(new PipelineStage(Matrix.of(1, 2, 1, 1), List.of(0, 1), List.of(2))))
        .run(
            new ByteBuffer[] {
              ByteBuffer.wrap(new byte[] {1, 2}),
              ByteBuffer.wrap(new byte[] {4, 8}),
              ByteBuffer.wrap(sum)
            },
            2);
    assertArrayEquals(new byte[] {5, 10}, sum);
    assertEquals("scalar", kernel.name());
  }

  @Test
  void theOneOfTheProcessIsTheActiveOne() {
    assertEquals(Kernels.active().name(), Kernels.whenNeeded().name());
  }
}
