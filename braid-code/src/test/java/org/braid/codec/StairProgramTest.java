package org.braid.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.code.Schedule;
import org.braid.code.stair.Stair;
import org.braid.kernel.Kernels;
import org.braid.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The schedules of STAIR codes on bytes: scratch cells, pieces, both kernels. */
final class StairProgramTest {
  private static final int LENGTH = 40_003;

  private static final Random RANDOM = Seeds.random(StairProgramTest.class);

  @ParameterizedTest
  @CsvSource({"rstair-n6-r5-m1-e2.4-l1", "rstair-n5-r4-m1-e2-l1", "stair-n8-r4-m2-e1.1.2-l0"})
  void upstairsAndDownstairsEncodeAndDecodeAsTheMatrix(String name) {
    Stair code = (Stair) Codes.named(name);
    byte[][] stripe = new byte[code.n()][LENGTH];
    for (int i = 0; i < code.k(); i++) {
      RANDOM.nextBytes(stripe[i]);
    }
    byte[][] data = copy(stripe);
    Program.of(code, Schedule.generator(code), Kernels.scalar()).run(wrap(stripe), LENGTH);
    for (Schedule schedule : code.encodings()) {
      byte[][] encoded = copy(data);
      Program.of(code, schedule, Kernels.active()).run(wrap(encoded), LENGTH);
      assertArrayEquals(stripe, encoded, schedule.name());
    }
    for (int i = 0; i < 5; i++) {
      List<Integer> lost = code.promises().get(0).sample(RANDOM);
      check(code, stripe, lost, code.upstairs(lost).orElseThrow());
      code.downstairs(lost).ifPresent(schedule -> check(code, stripe, lost, schedule));
    }
  }

  private static void check(Stair code, byte[][] stripe, List<Integer> lost, Schedule schedule) {
    byte[][] damaged = copy(stripe);
    lost.forEach(b -> Arrays.fill(damaged[b], (byte) 0));
    Program.of(code, schedule, Kernels.active()).run(wrap(damaged), LENGTH);
    assertArrayEquals(stripe, damaged, () -> schedule.name() + " without " + lost);
  }

  private static byte[][] copy(byte[][] arrays) {
    return Arrays.stream(arrays).map(byte[]::clone).toArray(byte[][]::new);
  }

  private static ByteBuffer[] wrap(byte[][] arrays) {
    return Arrays.stream(arrays).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
  }
}
