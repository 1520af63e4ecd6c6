package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class SightTest {
  private final FakeTicker ticker = new FakeTicker();
  private final FakeCluster cluster = new FakeCluster(2, 1);
  private long takes;
  private int looks;
  private final Sight sight =
      new Sight(
          withCaches -> {
            looks++;
            ticker.pass(takes);
            return cluster.look();
          },
          ticker);

  @Test
  void aLookIsSharedForASecond() throws Exception {
    ClusterState first = sight.lately();
    ticker.pass(1000);
    assertSame(first, sight.lately());
    assertSame(first, sight.forAttempt(0));
    ticker.pass(1);
    assertNotSame(first, sight.lately());
    ClusterState fresh = sight.forAttempt(1);
    assertEquals(3, looks);
    assertSame(fresh, sight.lately());
    assertSame(sight.withCaches(), sight.lately());
  }

  /** Else stripes would be repaired one after the other while a node does not answer. */
  @Test
  void aLookThatTookLongIsSharedForLonger() throws Exception {
    takes = 2000;
    for (int i = 0; i < 80; i++) {
      sight.lately();
      ticker.pass(100);
    }
    assertEquals(1, looks);
    ticker.pass(100);
    sight.lately();
    assertEquals(2, looks);
  }
}
