package org.braid.hdfs.namenode.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class TimeLeftTest {
  @Test
  void whatIsLeftTakesAsLongAsWhatIsDone() {
    assertEquals(OptionalLong.of(90), TimeLeft.seconds(10, 100, 10_000));
    assertEquals(OptionalLong.of(10), TimeLeft.seconds(90, 100, 90_000));
    assertEquals(OptionalLong.of(0), TimeLeft.seconds(100, 100, 90_000));
    assertEquals(OptionalLong.of(0), TimeLeft.seconds(120, 100, 90_000));
  }

  @Test
  void nothingIsToldFromNothing() {
    assertEquals(OptionalLong.empty(), TimeLeft.seconds(0, 100, 10_000), "none is done");
    assertEquals(OptionalLong.empty(), TimeLeft.seconds(5, 0, 10_000), "it has no end");
    assertEquals(OptionalLong.empty(), TimeLeft.seconds(5, 100, 1_999), "it has just begun");
  }

  @Test
  void largeWorkDoesNotOverflow() {
    assertEquals(
        OptionalLong.of(Math.round(1e7)), TimeLeft.seconds(1L << 60, 1L << 61, 10_000_000_000L));
  }
}
