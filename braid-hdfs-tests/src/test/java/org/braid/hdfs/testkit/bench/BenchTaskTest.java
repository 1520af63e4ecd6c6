package org.braid.hdfs.testkit.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.kernel.Kernels;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class BenchTaskTest {
  private static final int BLOCK = 4099;
  private final Random random = Seeds.random(BenchTaskTest.class);

  private List<BenchTask> tasks() {
    ErasureCode code = Codes.named("rs-6-3");
    return List.of(
        BenchTask.encode(code, BLOCK, random),
        BenchTask.decode(code, List.of(0, 4, 5), BLOCK, random),
        BenchTask.hop(BLOCK, random));
  }

  private static List<BenchCoder> contenders() {
    List<BenchCoder> all = new ArrayList<>(List.of(BenchCoders.braid("scalar", Kernels.scalar())));
    Kernels.isal().ifPresent(kernel -> all.add(BenchCoders.braid("isal", kernel)));
    Kernels.isal().ifPresent(kernel -> all.add(BenchCoders.rawIsal("raw")));
    return all;
  }

  @Test
  void everyContenderDoesEveryTask() {
    for (BenchTask task : tasks()) {
      for (BenchCoder contender : contenders()) {
        task.verify(contender.name(), contender.prepare(task).orElseThrow());
      }
    }
  }

  @Test
  void aWrongByteIsFound() {
    for (BenchTask task : tasks()) {
      BenchCoder.Work honest = contenders().get(0).prepare(task).orElseThrow();
      ByteBuffer last = task.outputs()[task.outputs().length - 1];
      BenchCoder.Work lying =
          new BenchCoder.Work() {
            @Override
            public void run() {
              honest.run();
              last.put(BLOCK - 1, (byte) (last.get(BLOCK - 1) ^ 1));
            }

            @Override
            public ByteBuffer output(int number) {
              return honest.output(number);
            }
          };
      assertEquals(
          "x computes a wrong result: output "
              + (task.outputs().length - 1)
              + ", byte "
              + (BLOCK - 1),
          assertThrows(IllegalStateException.class, () -> task.verify("x", lying)).getMessage());
      BenchCoder.Work idle =
          new BenchCoder.Work() {
            @Override
            public void run() {}

            @Override
            public ByteBuffer output(int number) {
              return task.outputs()[number];
            }
          };
      assertThrows(IllegalStateException.class, () -> task.verify("x", idle));
    }
  }

  @Test
  void speedsCountTheDataOfTheStripe() {
    List<BenchTask> tasks = tasks();
    assertEquals(6 * BLOCK, tasks.get(0).bytes());
    assertEquals(6 * BLOCK, tasks.get(1).bytes());
    assertEquals(BLOCK, tasks.get(2).bytes());
  }

  @Test
  void asManyDataBlocksAsTheCodeSurvives() {
    assertEquals(List.of(0, 1, 2), BenchTask.mostLost(Codes.named("rs-6-3")));
    assertEquals(List.of(0, 1), BenchTask.mostLost(Codes.named("rs-2-3")));
    assertEquals(
        "rs-2-1 does not survive [0, 1]",
        assertThrows(
                IllegalArgumentException.class,
                () -> BenchTask.decode(Codes.named("rs-2-1"), List.of(0, 1), BLOCK, random))
            .getMessage());
  }
}
