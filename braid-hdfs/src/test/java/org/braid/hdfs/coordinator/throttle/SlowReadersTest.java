package org.braid.hdfs.coordinator.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class SlowReadersTest {
  private static final long TARGET_MICROS = 1000;

  private final FakeTicker ticker = new FakeTicker();
  private final SlowReaders readers = new SlowReaders(ticker);
  private long packets;
  private long nanos;

  /** A node has sent 100 more packets a second later. */
  private boolean hear(long packetMicros) {
    ticker.pass(1000);
    packets += 100;
    nanos += 100 * packetMicros * 1000;
    return readers.heard("n", packets, nanos, TARGET_MICROS);
  }

  @Test
  void aNodeWhoseReadersAreSlowGivesWay() {
    assertFalse(hear(500));
    assertEquals(Map.of(), readers.givingWay());
    assertTrue(hear(5000));
    assertEquals(Map.of("n", 0.5), readers.givingWay());
    assertEquals(5000, readers.micros("n"));
    assertFalse(readers.heard("n", packets + 100, nanos + 1_000_000_000, TARGET_MICROS));
    assertEquals(0.5, readers.part("n"));
  }

  /** What its readers met when it was asked last says nothing of now; the next plan asks. */
  @Test
  void aNodeThatNoPlanUsesAnyMoreGivesNoWay() {
    assertFalse(hear(500));
    assertTrue(hear(5000));
    ticker.pass(9000);
    assertEquals(Map.of("n", 0.5), readers.givingWay());
    ticker.pass(1000);
    assertEquals(Map.of(), readers.givingWay());
    assertEquals(0.5, readers.part("n"));
    assertTrue(hear(5000));
    assertEquals(Map.of("n", 0.25), readers.givingWay());
  }
}
