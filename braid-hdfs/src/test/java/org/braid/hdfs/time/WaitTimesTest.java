package org.braid.hdfs.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class WaitTimesTest {
  @Test
  void allWaitsOfAPieceOfWorkCount() {
    FakeTicker ticker = new FakeTicker();
    WaitTimes waits = new WaitTimes(ticker);
    waits.begin("a");
    ticker.pass(10);
    assertEquals(10, waits.millis("a"), "it waits");
    waits.end("a");
    ticker.pass(100);
    assertEquals(10, waits.millis("a"));
    waits.begin("a");
    waits.begin("b");
    ticker.pass(5);
    waits.end("a");
    assertEquals(15, waits.millis("a"));
    assertEquals(5, waits.millis("b"));
    waits.forget("a");
    assertEquals(0, waits.millis("a"));
  }

  @Test
  void theOriginOfTimeIsAnyOne() {
    FakeTicker ticker = new FakeTicker();
    ticker.pass(-ticker.millis() - 1_000);
    WaitTimes waits = new WaitTimes(ticker);
    waits.begin("a");
    ticker.pass(10);
    assertEquals(10, waits.millis("a"), "it waits");
    waits.end("a");
    ticker.pass(2_000);
    assertEquals(10, waits.millis("a"));
  }
}
