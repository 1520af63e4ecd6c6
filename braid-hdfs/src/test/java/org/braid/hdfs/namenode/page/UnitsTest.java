package org.braid.hdfs.namenode.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class UnitsTest {
  @Test
  void bytesHaveThreeDigits() {
    assertEquals("0 B", Units.bytes(0));
    assertEquals("999 B", Units.bytes(999));
    assertEquals("0.98 KiB", Units.bytes(1000));
    assertEquals("1.50 MiB", Units.bytes(3 << 19));
    assertEquals("12.3 GiB", Units.bytes(13_207_024_435L));
    assertEquals("-2.00 KiB", Units.bytes(-2048));
    assertEquals("8.00 EiB", Units.bytes(Long.MAX_VALUE));
    assertEquals("100 MiB/s", Units.rate(100 << 20));
  }

  @Test
  void timesHaveTwoUnits() {
    assertEquals("0 s", Units.time(0));
    assertEquals("59 s", Units.time(59));
    assertEquals("1 min", Units.time(60));
    assertEquals("2 min 5 s", Units.time(125));
    assertEquals("1 h 1 min", Units.time(3661));
    assertEquals("3 d 4 h", Units.time(3 * 86_400 + 4 * 3600 + 59));
  }

  @Test
  void countsHaveTheirNoun() {
    assertEquals("1 stripe", Units.count(1, "stripe"));
    assertEquals("1,234,567 stripes", Units.count(1_234_567, "stripe"));
  }
}
