package org.braid.hdfs.client.degraded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Test;

final class UnreadableBlocksTest {
  private static final long MILLIS = 100;

  private long now;
  private final UnreadableBlocks blocks = new UnreadableBlocks(MILLIS, () -> now);

  /** A program that runs for months reads each lost block once. */
  @Test
  void blocksThatNobodyAsksForAreForgotten() {
    for (int i = 0; i < 1000; i++) {
      assertTrue(blocks.add(new ExtendedBlock("pool", i)));
      now += TimeUnit.MILLISECONDS.toNanos(MILLIS / 2);
    }
    assertEquals(3, blocks.count());
    assertTrue(blocks.contains(new ExtendedBlock("pool", 999)));
  }
}
