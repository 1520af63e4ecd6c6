package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class WaitingTest {
  private final FakeTicker ticker = new FakeTicker();
  private final long begun = ticker.millis();
  private final List<Long> asked = new ArrayList<>();

  private boolean until(long millis, int holdsAt) throws IOException {
    return Waiting.until(
        millis,
        () -> {
          asked.add(ticker.millis() - begun);
          return asked.size() == holdsAt;
        },
        ticker);
  }

  @Test
  void aConditionIsAskedOftenFirstAndSeldomLater() throws Exception {
    assertTrue(until(10_000, 9));
    assertEquals(List.of(0L, 5L, 15L, 35L, 75L, 155L, 255L, 355L, 455L), asked);
  }

  @Test
  void itIsAskedOnceMoreWhenTheTimeIsOver() throws Exception {
    assertFalse(until(100, 99));
    assertEquals(List.of(0L, 5L, 15L, 35L, 75L, 155L), asked);
  }

  @Test
  void aFailureEndsIt() {
    assertThrows(
        IOException.class,
        () ->
            Waiting.until(
                100,
                () -> {
                  throw new IOException("no NameNode");
                },
                ticker));
  }
}
