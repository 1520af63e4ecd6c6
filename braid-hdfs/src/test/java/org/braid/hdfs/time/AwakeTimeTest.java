package org.braid.hdfs.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AwakeTimeTest {
  private final AtomicLong millis = new AtomicLong();
  private final AwakeTime time = new AwakeTime(1000, this::nanos);

  private long nanos() {
    return TimeUnit.MILLISECONDS.toNanos(millis.get());
  }

  @Test
  void aProcessThatStoodStillGoesOnWaiting() {
    millis.addAndGet(100_000);
    assertFalse(time.over());
    for (int i = 0; i < 7; i++) {
      millis.addAndGet(100);
      assertFalse(time.over(), millis + " ms");
    }
    millis.addAndGet(100);
    assertTrue(time.over());
  }

  @Test
  void waitsForATaskAsLongAsThereIsTime() throws Exception {
    CompletableFuture<String> never = new CompletableFuture<>();
    AwakeTime passing =
        new AwakeTime(1000, () -> TimeUnit.MILLISECONDS.toNanos(millis.addAndGet(90)));
    assertThrows(TimeoutException.class, () -> passing.get(never));
    assertTrue(millis.get() >= 1000, millis + " ms");
    assertTrue(millis.get() < 1300, millis + " ms");
    assertEquals("ended", passing.get(CompletableFuture.completedFuture("ended")));
  }
}
