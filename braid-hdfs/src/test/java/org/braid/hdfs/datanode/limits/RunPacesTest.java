package org.braid.hdfs.datanode.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InterruptedIOException;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;

final class RunPacesTest {
  private static final OptionalDouble FREE = OptionalDouble.empty();

  private final RunPaces paces = new RunPaces();

  private CompletableFuture<String> passes(RunPaces.Held pace) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            pace.await(1000);
            return "passed";
          } catch (InterruptedIOException e) {
            return String.valueOf(e.getMessage());
          }
        },
        task -> new Thread(task).start());
  }

  @Test
  void aHeldRunGoesOnWhenItsRateChanges() throws Exception {
    try (RunPaces.Held pace = paces.begin("r", OptionalDouble.of(0))) {
      CompletableFuture<String> passed = passes(pace);
      paces.change("other", FREE);
      assertThrows(TimeoutException.class, () -> passed.get(100, TimeUnit.MILLISECONDS));
      paces.change("r", FREE);
      assertEquals("passed", passed.get(10, TimeUnit.SECONDS));
    }
  }

  /** Else whoever has it run would take a run that is held for one whose disk hangs. */
  @Test
  void aRunMakesProgressWhileItPassesAndWhileItIsHeld() throws Exception {
    assertEquals(0, paces.progress("r"));
    try (RunPaces.Held free = paces.begin("s", FREE);
        RunPaces.Held held = paces.begin("r", OptionalDouble.of(0))) {
      long begun = paces.progress("s");
      assertEquals(begun, paces.progress("s"));
      free.await(1);
      assertNotEquals(begun, paces.progress("s"));

      CompletableFuture<String> passed = passes(held);
      long before = paces.progress("r");
      Await.until("it is held on", () -> paces.progress("r") > before + 1);
      paces.cancel("r");
      assertEquals("run r was cancelled", passed.get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void aRateThatCameBeforeItsRunHolds() {
    paces.change("r", OptionalDouble.of(500));
    try (RunPaces.Held first = paces.begin("r", FREE);
        RunPaces.Held second = paces.begin("r", OptionalDouble.of(7));
        RunPaces.Held other = paces.begin("s", FREE)) {
      assertEquals(1000, paces.limited());
      assertEquals(4096, first.piece(1 << 20));
      assertEquals(4096, second.piece(1 << 20));
      assertEquals(1 << 20, other.piece(1 << 20));
    }
    assertEquals(0, paces.limited());
  }

  @Test
  void aCancelledRunWaitsNoLonger() throws Exception {
    try (RunPaces.Held pace = paces.begin("r", OptionalDouble.of(0))) {
      CompletableFuture<String> passed = passes(pace);
      assertFalse(passed.isDone());
      paces.cancel("r");
      assertEquals("run r was cancelled", passed.get(10, TimeUnit.SECONDS));
    }
  }

  /** Nobody is there any more who would let it go on, or cancel it. */
  @Test
  void aRunThatIsStoppedAndLeftEnds() throws Exception {
    AtomicLong clock = new AtomicLong();
    long step = TimeUnit.SECONDS.toNanos(121);
    RunPaces left = new RunPaces(() -> clock.addAndGet(step));
    try (RunPaces.Held pace = left.begin("r", OptionalDouble.of(0))) {
      assertEquals(
          "run r was stopped, and not broken off for 120 s",
          passes(pace).get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void whatReadersMeetIsCountedAlthoughOthersLookToo() {
    ForegroundReads.Sum sum = new ForegroundReads.Sum(new MetricsRegistry("t").newRate("x"));
    sum.add(10, 100);
    sum.add(15, 160);
    sum.add(2, 30); // a monitoring system looked, and a new interval began
    sum.add(4, 50);
    assertEquals(19, sum.count());
    assertTrue(Math.abs(sum.total() - 210) < 1e-6, sum.total() + "");
  }
}
