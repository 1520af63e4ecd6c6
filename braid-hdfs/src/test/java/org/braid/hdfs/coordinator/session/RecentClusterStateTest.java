package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class RecentClusterStateTest {
  private final FakeTicker ticker = new FakeTicker();
  private final FakeCluster cluster = new FakeCluster(2, 1);
  private long takes;
  private int looks;
  private final RecentClusterState recent =
      new RecentClusterState(
          withCaches -> {
            looks++;
            ticker.pass(takes);
            return cluster.look();
          },
          ticker);

  @Test
  void aLookIsSharedForASecond() throws Exception {
    ClusterState first = recent.recent();
    ticker.pass(1000);
    assertSame(first, recent.recent());
    assertSame(first, recent.forAttempt(0));
    ticker.pass(1);
    assertNotSame(first, recent.recent());
    ClusterState fresh = recent.forAttempt(1);
    assertEquals(3, looks);
    assertSame(fresh, recent.recent());
    assertSame(recent.withCaches(), recent.recent());
  }

  /** Else stripes would be repaired one after the other while a node does not answer. */
  @Test
  void aLookThatTookLongIsSharedForLonger() throws Exception {
    takes = 2000;
    for (int i = 0; i < 80; i++) {
      recent.recent();
      ticker.pass(100);
    }
    assertEquals(1, looks);
    ticker.pass(100);
    recent.recent();
    assertEquals(2, looks);
  }
}
