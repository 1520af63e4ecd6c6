package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class PolicyLinesTest {
  @Test
  void filesAreCountedAndSizesHaveUnits() {
    assertEquals(
        "policy now: 1 file converted to rs-2-1, stored 878.9 KiB before, 585.9 KiB after",
        PolicyLines.converted("now", 1, "rs-2-1", 900_000, 600_000));
    assertEquals(
        "policy now: 3 files converted to rs-6-3, stored 1.0 MiB before, 1023 B after",
        PolicyLines.converted("now", 3, "rs-6-3", 1 << 20, 1023));
    assertEquals(
        "policy now: 2 files converted to rs-6-3, stored 4096.0 TiB before, 1.5 GiB after",
        PolicyLines.converted("now", 2, "rs-6-3", 1L << 52, 3L << 29));
    assertEquals("policy hot: 1 file restored", PolicyLines.restored("hot", 1));
    assertEquals("policy hot: 0 files restored", PolicyLines.restored("hot", 0));
  }

  @Test
  void whatIsBrokenOffSaysHowManyFilesAreDone() {
    assertEquals(
        "policy cold is broken off, 1 file of this batch is done: the others are readable and as"
            + " safe as before, the next daemon goes on with them",
        PolicyLines.brokenOff("cold", 1, "the next daemon goes on with them"));
    assertEquals(
        "policy cold is broken off, 0 files of this batch are done: the others are readable and as"
            + " safe as before, they wait",
        PolicyLines.brokenOff("cold", 0, "they wait"));
  }
}
