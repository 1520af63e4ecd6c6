package org.braid.hdfs.client.degraded;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Test;

final class RebuiltRangeTest {
  private static ExtendedBlock block(long id, long length, long generation) {
    return new ExtendedBlock("pool", id, length, generation);
  }

  @Test
  void bytesAreThoseOfTheBlockAsItWasWhenTheyWereRebuilt() {
    RebuiltRange range = new RebuiltRange(block(1, 100, 7), 10, new byte[20]);
    assertTrue(range.covers(block(1, 100, 7), 10));
    assertTrue(range.covers(block(1, 100, 7), 29));
    assertFalse(range.covers(block(1, 100, 7), 9));
    assertFalse(range.covers(block(1, 100, 7), 30));
    assertFalse(range.covers(block(2, 100, 7), 10));
    // Cut, and appended to until it is as long as before.
    assertFalse(range.covers(block(1, 100, 8), 10));
    assertFalse(range.covers(block(1, 101, 7), 10));
  }
}
