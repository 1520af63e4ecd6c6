package org.braid.hdfs.coordinator.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ScrubBatchTest {
  @Test
  void moreNodesReadAtOnceOnALargeCluster() {
    assertEquals(128, ScrubBatch.atOnce(6));
    assertEquals(128, ScrubBatch.atOnce(1024));
    assertEquals(250, ScrubBatch.atOnce(2000));
    assertEquals(500, ScrubBatch.atOnce(4000));
    assertEquals(512, ScrubBatch.atOnce(10_000));
  }

  /** 4,000 nodes with eight million stripes of RS(10,4), at 32 MiB a second on each node. */
  @Test
  void aRoundOfALargeClusterTakesLessThanItsPeriod() {
    double perSecond = ScrubBatch.atOnce(4000) * (32.0 / 128);
    double days = 8e6 * 14 / perSecond / TimeUnit.DAYS.toSeconds(1);
    assertTrue(days < 20, "days: " + days);
  }
}
