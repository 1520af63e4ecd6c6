package org.braid.hdfs.testkit.bench.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Map;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;

final class HeapPeakTest {
  /** More than any heap, so that what this process uses does not matter. */
  private static final long MUCH = 1L << 50;

  private static final List<String> POOLS =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .toList();

  private static MemoryUsage used(long bytes) {
    return new MemoryUsage(0, bytes, bytes, -1);
  }

  @Test
  void poolsAddUpAtOneMomentOnly() {
    HeapPeak peak = HeapPeak.watch();
    peak.add(Map.of(POOLS.get(0), used(3 * MUCH), POOLS.get(1), used(MUCH)));
    peak.add(
        Map.of(POOLS.get(0), used(MUCH), POOLS.get(1), used(2 * MUCH), "code", used(9 * MUCH)));
    assertEquals(4 * MUCH, peak.bytes());
  }

  @Test
  void whatCollectionsFreeWasUsed() throws Exception {
    HeapPeak peak = HeapPeak.watch();
    int size = 64 << 20;
    byte[][] kept = {new byte[size]};
    long before = peak.bytes();
    kept[0] = new byte[0];
    System.gc();
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    Await.until("memory is freed", () -> memory.getHeapMemoryUsage().getUsed() < before - size / 2);
    Await.until("the collection is heard of", () -> peak.bytes() >= before);
    assertTrue(peak.bytes() <= Runtime.getRuntime().maxMemory());
  }
}
