package org.braid.engine.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.engine.BufferPool;
import org.braid.engine.BusyException;
import org.braid.engine.Patterns;
import org.braid.engine.PlanResult;
import org.braid.engine.SliceSource;
import org.braid.engine.symbolic.SymbolicEngine;
import org.braid.engine.symbolic.SymbolicResult;
import org.braid.kernel.Kernels;
import org.braid.plan.Link;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class MemoryEngineTest {
  private static final int SLICE = 64;
  private static final Duration LONG = Duration.ofSeconds(60);

  private final BufferPool pool = new BufferPool(1 << 20);
  private final MemoryEngine engine = new MemoryEngine(Kernels.scalar(), SLICE, 1, pool);

  /** Random DAGs over few nodes, with streams that hold one slice, do not wait in a circle. */
  @Test
  void anyPlanRunsWithTheSmallestQueues() {
    Random random = Seeds.random(MemoryEngineTest.class);
    for (int round = 0; round < 60; round++) {
      int sources = 2 + random.nextInt(4);
      ErasureCode code = Codes.named("xor-" + sources + "-1");
      Plan plan = randomPlan(random, sources);
      SymbolicResult symbolic = SymbolicEngine.run(plan, code);
      int length = 1 + random.nextInt(7 * SLICE);
      byte[][] data = new byte[sources][length];
      Map<Integer, Map<SubBlock, byte[]>> blocks = new HashMap<>();
      for (int i = 0; i < sources; i++) {
        random.nextBytes(data[i]);
        // Every node may be asked for any of them.
        for (int node = 0; node < 5; node++) {
          blocks.computeIfAbsent(node, unused -> new HashMap<>()).put(new SubBlock(i, 0), data[i]);
        }
      }
      PlanResult run =
          assertTimeoutPreemptively(
              LONG, () -> engine.run(plan, BlockSource.of(blocks), length), plan.toString());
      Map<SubBlock, byte[]> stored = new HashMap<>();
      run.stored().values().forEach(stored::putAll);
      assertEquals(symbolic.rows().keySet(), stored.keySet());
      symbolic
          .rows()
          .forEach((target, row) -> assertArrayEquals(times(row, data), stored.get(target)));
      assertEquals(0, pool.leasedBytes());
    }
  }

  private static Plan randomPlan(Random random, int sources) {
    Plan.Builder plan = Plan.builder("random");
    List<List<Integer>> at = new ArrayList<>();
    for (int node = 0; node < 5; node++) {
      at.add(new ArrayList<>());
      at.get(node).add(plan.read(node, new SubBlock(random.nextInt(sources), 0)));
    }
    int stores = 0;
    for (int i = 0; i < 40; i++) {
      int node = random.nextInt(5);
      List<Integer> here = at.get(node);
      int value = here.get(random.nextInt(here.size()));
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          int to = (node + 1 + random.nextInt(4)) % 5;
          at.get(to).add(plan.send(value, to));
        }
        case 2 -> {
          List<Step.Input> inputs = new ArrayList<>();
          for (int input : here.stream().distinct().toList()) {
            if (random.nextBoolean()) {
              inputs.add(new Step.Input(input, 1 + random.nextInt(255)));
            }
          }
          here.add(plan.combine(node, inputs));
        }
        default -> plan.store(value, new SubBlock(100 + stores++, 0));
      }
    }
    plan.store(at.get(0).get(0), new SubBlock(99, 0));
    return plan.build();
  }

  private static byte[] times(Matrix row, byte[][] data) {
    int length = data[0].length;
    ByteBuffer out = ByteBuffer.allocate(length);
    ByteBuffer[] in = new ByteBuffer[data.length];
    for (int i = 0; i < in.length; i++) {
      in[i] = ByteBuffer.wrap(data[i]);
    }
    Kernels.scalar().transform(row).apply(in, new ByteBuffer[] {out}, length);
    return out.array();
  }

  /**
   * A disk that fails in its third slice: the run fails with the disk's reason and comes to rest.
   */
  @Test
  void aFailingReadEndsTheWholeRun() {
    ErasureCode code = Codes.named("rs-6-3");
    Map<Integer, Map<SubBlock, byte[]>> blocks = new HashMap<>();
    for (int b = 0; b < code.n(); b++) {
      blocks.put(b, Map.of(new SubBlock(b, 0), new byte[20 * SLICE]));
    }
    for (RepairPlanner planner : RepairPlanners.all()) {
      Plan plan =
          planner.plan(Patterns.equations(code, List.of(0, 7)), IntUnaryOperator.identity(), 12);
      for (int broken : new int[] {1, 3, 6}) {
        BlockSource disks = failing(BlockSource.of(blocks), broken);
        String message =
            assertTimeoutPreemptively(
                LONG,
                () ->
                    String.valueOf(
                        assertThrows(IOException.class, () -> engine.run(plan, disks, 20 * SLICE))
                            .getMessage()));
        assertTrue(
            message.startsWith("node " + broken + ", Read[")
                && message.endsWith("bytes 128 to 192 of 1280: disk on fire"),
            message);
        assertEquals(0, pool.leasedBytes(), "all buffers are back");
      }
    }
  }

  private static BlockSource failing(BlockSource disks, int broken) {
    return (node, source) -> {
      SliceSource good = disks.open(node, source);
      return node != broken
          ? good
          : new SliceSource() {
            @Override
            public void read(long offset, ByteBuffer into) throws IOException {
              if (offset >= 2 * SLICE) {
                throw new IOException("disk on fire");
              }
              good.read(offset, into);
            }

            @Override
            public void finish(int crc32c) throws IOException {
              good.finish(crc32c);
            }

            @Override
            public void close() throws IOException {
              good.close();
            }
          };
    };
  }

  @Test
  void aMissingBlockIsNamed() {
    Plan plan =
        RepairPlanners.named("chain")
            .plan(
                Patterns.equations(Codes.named("rs-3-2"), List.of(0)),
                IntUnaryOperator.identity(),
                9);
    String message =
        assertTimeoutPreemptively(
            LONG,
            () ->
                String.valueOf(
                    assertThrows(
                            IOException.class,
                            () -> engine.run(plan, BlockSource.of(Map.of()), 1000))
                        .getMessage()));
    assertTrue(message.contains("cannot start: node "), message);
    assertTrue(message.contains("does not store SubBlock[block="), message);
  }

  @Test
  void aPoolThatIsTooSmallRefusesTheRun() {
    BufferPool small = new BufferPool(2 * SLICE);
    Plan plan =
        RepairPlanners.named("star")
            .plan(
                Patterns.equations(Codes.named("rs-3-2"), List.of(0)),
                IntUnaryOperator.identity(),
                9);
    Map<Integer, Map<SubBlock, byte[]>> blocks = new HashMap<>();
    for (int b = 0; b < 5; b++) {
      blocks.put(b, Map.of(new SubBlock(b, 0), new byte[1000]));
    }
    MemoryEngine tight = new MemoryEngine(Kernels.scalar(), SLICE, 1, small);
    IOException refused =
        assertTimeoutPreemptively(
            LONG,
            () ->
                assertThrows(
                    IOException.class, () -> tight.run(plan, BlockSource.of(blocks), 1000)));
    assertTrue(refused.getCause() instanceof BusyException, refused.toString());
    assertEquals(0, small.leasedBytes());
  }

  @Test
  void shortBlocksEndInZeros() throws IOException {
    Plan.Builder plan = Plan.builder("move");
    plan.store(plan.send(plan.read(0, new SubBlock(0, 0)), 1), new SubBlock(0, 0));
    byte[] data = new byte[100];
    new Random(1).nextBytes(data);
    PlanResult run =
        engine.run(plan.build(), BlockSource.of(Map.of(0, Map.of(new SubBlock(0, 0), data))), 300);
    byte[] stored = run.stored().getOrDefault(1, Map.of()).get(new SubBlock(0, 0));
    assertArrayEquals(Arrays.copyOf(data, 300), stored);
  }

  @Test
  void aStreamThatChangesBytesIsCaught() throws IOException {
    MemoryStream stream = new MemoryStream(9, new Link(1, 2), 1);
    stream.sink().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    stream.sink().finish(0x1234);
    String message =
        assertThrows(IOException.class, () -> stream.source().finish(0x99)).getMessage();
    assertEquals(
        "stream 9 of Link[from=1, to=2]: CRC-32C 00000099 received, 00001234 sent", message);
  }
}
