package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.namenode.calls.RemovalCheck.Verdict;
import org.braid.hdfs.namenode.calls.SafeRemovals.Kind;
import org.braid.hdfs.namenode.calls.SafeRemovals.LateThreads;
import org.junit.jupiter.api.Test;

/** Which removals wait while others are looked at. */
final class LateThreadsTest {
  private static final long SECONDS = 60;

  @Test
  void looksThatTakeLongHoldUpNoSmallOnes() throws Exception {
    LateThreads threads = new LateThreads();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    try {
      for (Kind kind : List.of(Kind.LARGE, Kind.SNAPSHOT)) {
        for (int i = 0; i < 5; i++) {
          threads.of(kind).execute(() -> awaitQuietly(end));
        }
      }
      threads.of(Kind.SMALL).execute(looked::countDown);
      assertTrue(looked.await(SECONDS, TimeUnit.SECONDS));
      assertEquals(1, end.getCount());
    } finally {
      end.countDown();
      for (Kind kind : Kind.values()) {
        threads.of(kind).shutdown();
      }
    }
  }

  private static void awaitQuietly(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void howMuchWasLookedAtSaysHowLongTheNextLookTakes() {
    assertFalse(seen(10_000).isLarge());
    assertTrue(seen(10_001).isLarge());
  }

  private static Verdict seen(long looked) {
    return new Verdict(Set.of(), Set.of(), Set.of(), false, List.of(), looked, Set.of());
  }
}
