package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AwaitedReportsTest {
  private static final long MOST = 600;

  private long now = 1000;
  private final AwaitedReports reports = new AwaitedReports(() -> now, MOST);

  private void assertAwaited(long millis) {
    assertEquals(OptionalLong.of(millis), reports.millis("n", true));
  }

  private void assertNotAwaited() {
    assertEquals(OptionalLong.empty(), reports.millis("n", true));
  }

  @Test
  void aReportIsAwaitedFromTheFirstLookOn() {
    assertAwaited(0);
    now += 400;
    assertAwaited(400);
    assertEquals(OptionalLong.empty(), reports.millis("n", false));
    now += 100;
    assertAwaited(0);
  }

  @Test
  void aReportThatNeverComesIsNotAwaitedForEver() {
    for (int i = 0; i <= 6; i++) {
      assertAwaited(100L * i);
      now += 100;
    }
    for (int i = 0; i < 20; i++) {
      assertNotAwaited();
      now += 100;
    }
  }

  /** It may have reported and been away since. */
  @Test
  void whatWasSeenLongAgoDoesNotCount() {
    assertAwaited(0);
    now += MOST + 1;
    assertAwaited(0);
  }

  @Test
  void nodesThatAreGoneAreForgotten() {
    assertAwaited(0);
    now += 100;
    reports.retain(Set.of("m"));
    assertAwaited(0);
  }
}
