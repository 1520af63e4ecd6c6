package org.braid.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.code.Codes;
import org.braid.hdfs.testkit.bench.BenchCoder;
import org.braid.hdfs.testkit.bench.BenchCoders;
import org.braid.hdfs.testkit.bench.BenchTask;
import org.braid.kernel.Kernels;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Measurements on a clock that the contenders themselves move on. */
final class SpeedComparisonTest {
  private final BenchTask task = BenchTask.hop(1000, Seeds.random(SpeedComparisonTest.class));
  private long now;

  private final Clock clock = new Clock("by hand", () -> now);

  /** Does the task and takes so many nanoseconds for it. */
  private BenchCoder taking(long nanos) {
    BenchCoder honest = BenchCoders.braid("honest", Kernels.scalar());
    return contender(
        task -> {
          BenchCoder.Work work = honest.prepare(task).orElseThrow();
          return Optional.of(
              new BenchCoder.Work() {
                @Override
                public void run() {
                  work.run();
                  now += nanos;
                }

                @Override
                public ByteBuffer output(int number) {
                  return work.output(number);
                }
              });
        });
  }

  private interface Preparation {
    Optional<BenchCoder.Work> prepare(BenchTask task);
  }

  private static BenchCoder contender(Preparation preparation) {
    return new BenchCoder() {
      @Override
      public String name() {
        return "by hand";
      }

      @Override
      public Optional<Work> prepare(BenchTask task) {
        return preparation.prepare(task);
      }
    };
  }

  @Test
  void speedIsBytesOverTime() {
    SpeedComparison race = new SpeedComparison(clock, 5, 1e-4, 1e-3);
    assertTrue(race.enter("slow", taking(4000), task));
    assertTrue(race.enter("fast", taking(500), task));
    assertFalse(race.enter("none", contender(any -> Optional.empty()), task));
    race.run();
    assertEquals(List.of("slow", "fast"), race.names());
    assertEquals(Optional.of(new Speed(0.25, 0.25, 0.25)), race.speed("slow"));
    assertEquals(Optional.of(new Speed(2, 2, 2)), race.speed("fast"));
    assertEquals(Optional.of(8.0), race.ratio("fast", "slow"));
    assertEquals(Optional.empty(), race.ratio("fast", "none"));
    assertEquals(Optional.empty(), race.speed("none"));
  }

  @Test
  void whoComputesSomethingElseDoesNotRun() {
    SpeedComparison race = new SpeedComparison(clock, 5, 1e-4, 1e-3);
    BenchCoder idle =
        contender(
            any ->
                Optional.of(
                    new BenchCoder.Work() {
                      @Override
                      public void run() {}

                      @Override
                      public ByteBuffer output(int number) {
                        return any.outputs()[number];
                      }
                    }));
    assertEquals(
        "idle computes a wrong result: output 0, byte",
        String.valueOf(
                assertThrows(IllegalStateException.class, () -> race.enter("idle", idle, task))
                    .getMessage())
            .replaceAll(" [0-9]+$", ""));
  }

  @Test
  void theMiddleOfTheRuns() {
    assertEquals(new Speed(3, 2, 4), Speed.of(5, 1, 4, 2, 3));
    assertEquals(new Speed(1.5, 1.25, 1.75), Speed.of(2, 1));
    assertEquals(new Speed(7, 7, 7), Speed.of(7));
  }

  @Test
  void withoutIsalTheScalarKernelRacesTheOthers() {
    CodeBench bench =
        new CodeBench(
            new CodeBench.Settings(1, 1e-6, 0, 1),
            new Clock("wall", System::nanoTime),
            Optional.empty(),
            List.of(BenchCoders.braid("other", Kernels.scalar())));
    assertEquals(List.of("scalar", "other"), bench.names());
    CodeBench.Result result = bench.decode(Codes.named("rs-3-2"), 500);
    assertEquals(Set.of("scalar", "other"), result.speeds().keySet());
    assertEquals(Set.of("other"), result.ratios().keySet());
    assertEquals(List.of(0, 1), result.lost());
  }
}
