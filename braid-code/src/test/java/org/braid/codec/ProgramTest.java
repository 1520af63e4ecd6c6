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
import org.braid.code.Schedule;
import org.braid.kernel.Kernels;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Sub-blocks, by whatever schedule is the cheapest, against the generator's own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rotated-rs-6-3-4",
        "hitchhiker-xor-6-3",
        "clay-4-2-5",
        "clay-4-3-5",
        "clay-5-3-7"
      })
  void codesWithSubBlocksEncodeAsTheirMatrixAndComeBack(String name) {
    ErasureCode code = Codes.named(name);
    int alpha = code.alpha();
    int length = 20_001;
    byte[][] stripe = new byte[code.n() * alpha][length];
    for (int i = 0; i < code.k() * alpha; i++) {
      RANDOM.nextBytes(stripe[i]);
    }
    byte[][] expected = Arrays.stream(stripe).map(byte[]::clone).toArray(byte[][]::new);
    Program.encoder(code, Kernels.active()).run(wrap(stripe), length);
    Program.of(code, Schedule.generator(code), Kernels.active()).run(wrap(expected), length);
    assertArrayEquals(expected, stripe);
    List<Integer> lost = List.of(1, code.k());
    byte[][] damaged = Arrays.stream(stripe).map(byte[]::clone).toArray(byte[][]::new);
    lost.forEach(
        b -> IntStream.range(0, alpha).forEach(s -> damaged[b * alpha + s] = new byte[length]));
    List<Integer> left =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    Program.decoder(code, Kernels.active(), lost, left).run(wrap(damaged), length);
    assertArrayEquals(stripe, damaged);
  }

  private static ByteBuffer[] wrap(byte[][] arrays) {
    return Arrays.stream(arrays).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
  }
}
