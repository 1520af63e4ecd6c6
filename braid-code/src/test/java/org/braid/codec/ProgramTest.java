package org.braid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.kernel.Kernels;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class ProgramTest {
  private static final Random RANDOM = Seeds.random(ProgramTest.class);

  @Test
  void whatWasLostComesBack() {
    ErasureCode code = Codes.named("rs-6-3");
    byte[][] stripe = new byte[9][50_001];
    for (int i = 0; i < 6; i++) {
      RANDOM.nextBytes(stripe[i]);
    }
    Program.encoder(code, Kernels.active()).run(wrap(stripe), 50_001);
    byte[][] damaged = Arrays.stream(stripe).map(byte[]::clone).toArray(byte[][]::new);
    List<Integer> lost = List.of(1, 4, 7);
    lost.forEach(b -> Arrays.fill(damaged[b], (byte) 0));
    List<Integer> left = IntStream.range(0, 9).filter(b -> !lost.contains(b)).boxed().toList();
    Program.decoder(code, Kernels.scalar(), lost, left).run(wrap(damaged), 50_001);
    assertArrayEquals(stripe, damaged);
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> Program.decoder(code, Kernels.scalar(), lost, left.subList(0, 5)));
    assertEquals(
        "blocks [0, 2, 3, 5, 6] of rs-6-3 do not determine [1, 4, 7]", refused.getMessage());
  }

  private static ByteBuffer[] wrap(byte[][] arrays) {
    return Arrays.stream(arrays).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
  }
}
