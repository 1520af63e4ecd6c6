package org.braid.hdfs.testkit.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class HadoopCoderTest {
  private static final int BLOCK = 1003;
  private final Random random = Seeds.random(HadoopCoderTest.class);
  private final HadoopCoder coder = new HadoopCoder();

  @Test
  void itMakesTheSameBytes() {
    for (String name : List.of("rs-3-2", "rs-6-3", "rs-10-4")) {
      ErasureCode code = Codes.named(name);
      List<BenchTask> tasks =
          List.of(
              BenchTask.encode(code, BLOCK, random),
              BenchTask.decode(code, BenchTask.mostLost(code), BLOCK, random),
              BenchTask.decode(code, List.of(1), BLOCK, random));
      for (BenchTask task : tasks) {
        task.verify(coder.name(), coder.prepare(task).orElseThrow());
      }
    }
  }

  @Test
  void whatItDoesNotHaveItLeavesOut() {
    assertTrue(coder.prepare(BenchTask.hop(BLOCK, random)).isEmpty());
  }
}
