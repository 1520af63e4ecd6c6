package org.braid.codec.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.kernel.Kernels;
import org.braid.kernel.RawIsal;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class TaskTest {
  private static final int BLOCK = 4099;
  private final Random random = Seeds.random(TaskTest.class);

  private List<Task> tasks() {
    ErasureCode code = Codes.named("rs-6-3");
    return List.of(
        Task.encode(code, BLOCK, random),
        Task.decode(code, List.of(0, 4, 5), BLOCK, random),
        Task.hop(BLOCK, random));
  }

  private static List<Contender> contenders() {
    List<Contender> all = new ArrayList<>(List.of(Contenders.braid("scalar", Kernels.scalar())));
    Kernels.isal().ifPresent(kernel -> all.add(Contenders.braid("isal", kernel)));
    Kernels.isal().ifPresent(kernel -> all.add(Contenders.rawIsal("raw")));
    return all;
  }

  @Test
  void everyContenderDoesEveryTask() {
    for (Task task : tasks()) {
      for (Contender contender : contenders()) {
        task.verify(contender.name(), contender.prepare(task).orElseThrow());
      }
    }
  }

  @Test
  void aWrongByteIsFound() {
    for (Task task : tasks()) {
      Contender.Work honest = contenders().get(0).prepare(task).orElseThrow();
      ByteBuffer last = task.outputs()[task.outputs().length - 1];
      Contender.Work lying =
          new Contender.Work() {
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
          "x computes something else: output "
              + (task.outputs().length - 1)
              + ", byte "
              + (BLOCK - 1),
          assertThrows(IllegalStateException.class, () -> task.verify("x", lying)).getMessage());
      Contender.Work idle =
          new Contender.Work() {
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
    List<Task> tasks = tasks();
    assertEquals(6 * BLOCK, tasks.get(0).bytes());
    assertEquals(6 * BLOCK, tasks.get(1).bytes());
    assertEquals(BLOCK, tasks.get(2).bytes());
  }

  @Test
  void asManyDataBlocksAsTheCodeSurvives() {
    assertEquals(List.of(0, 1, 2), Task.mostLost(Codes.named("rs-6-3")));
    assertEquals(List.of(0, 1), Task.mostLost(Codes.named("rs-2-3")));
    assertEquals(
        "rs-2-1 does not survive [0, 1]",
        assertThrows(
                IllegalArgumentException.class,
                () -> Task.decode(Codes.named("rs-2-1"), List.of(0, 1), BLOCK, random))
            .getMessage());
  }

  @Test
  void rawIsalTakesDirectBuffersOnly() {
    Assumptions.assumeTrue(Kernels.isal().isPresent(), "ISA-L is not installed here");
    Task task = Task.hop(BLOCK, random);
    ByteBuffer[] heap = {ByteBuffer.allocate(BLOCK)};
    assertTrue(
        String.valueOf(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> RawIsal.prepare(task.matrix(), task.inputs(), heap, BLOCK))
                    .getMessage())
            .contains("heap"));
  }
}
