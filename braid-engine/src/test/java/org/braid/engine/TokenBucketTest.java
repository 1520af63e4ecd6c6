package org.braid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class TokenBucketTest {
  private static final long SECOND = 1_000_000_000;

  private final Random random = Seeds.random(TokenBucketTest.class);

  @Test
  void theFirstBytesWaitForTheirTime() {
    TokenBucket bucket = new TokenBucket(1000, 0);
    assertEquals(SECOND / 2, bucket.take(500, 0));
    assertEquals(0, bucket.take(500, SECOND / 2));
    assertEquals(SECOND / 2, bucket.take(500, SECOND / 2));
  }

  @Test
  void aSliceOfMoreThanASecondsBytesPassesSlowly() {
    TokenBucket bucket = new TokenBucket(1000, 0);
    assertEquals(10 * SECOND, bucket.take(10_000, 0));
    assertEquals(SECOND, bucket.take(10_000, 9 * SECOND));
    assertEquals(0, bucket.take(10_000, 10 * SECOND));
  }

  @Test
  void aRateOfZeroStopsAndAChangeHoldsAtOnce() {
    TokenBucket bucket = new TokenBucket(0, 0);
    assertEquals(Long.MAX_VALUE, bucket.take(1, 100 * SECOND));
    bucket.rate(1000, 100 * SECOND);
    assertEquals(SECOND, bucket.take(1000, 100 * SECOND));
    bucket.rate(Double.POSITIVE_INFINITY, 100 * SECOND);
    assertEquals(0, bucket.take(1_000_000, 100 * SECOND));
    bucket.rate(10, 200 * SECOND);
    assertEquals(100 * SECOND, bucket.take(1000, 200 * SECOND), "no credit of unlimited times");
  }

  /** Rates change whenever another plan begins or ends, which may be many times a second. */
  @Test
  void aSliceThatWaitsPassesInTimeHoweverOftenItsRateIsTold() {
    TokenBucket bucket = new TokenBucket(1000, 0);
    assertEquals(10 * SECOND, bucket.take(10_000, 0));
    for (long now = SECOND / 2; now < 10 * SECOND; now += SECOND / 2) {
      bucket.rate(now % SECOND == 0 ? 1200 : 800, now);
      assertTrue(bucket.take(10_000, now) > 0, "too early");
    }
    assertEquals(0, bucket.take(10_000, 10 * SECOND + SECOND / 5));
    bucket.rate(1000, 20 * SECOND);
    assertEquals(SECOND, bucket.take(1080, 20 * SECOND), "nothing waited: credit of a burst");
  }

  /** Many plans share a link, each with a part of it, stalling at times, as long windows show. */
  @Test
  void noWindowOfSomeSecondsHasMoreThanItsRateAndIdleTimesAreFew() {
    double cap = 10e6;
    int plans = 8;
    int slice = 128 << 10;
    TokenBucket[] buckets = new TokenBucket[plans];
    long[] next = new long[plans];
    for (int i = 0; i < plans; i++) {
      buckets[i] = new TokenBucket(0.95 * cap / plans, 0);
    }
    Deque<long[]> window = new ArrayDeque<>();
    long inWindow = 0;
    long total = 0;
    long end = 60 * SECOND;
    for (long now = 0; now < end; now += 1_000_000) {
      for (int i = 0; i < plans; i++) {
        while (next[i] <= now) {
          long wait = buckets[i].take(slice, now);
          if (wait > 0) {
            next[i] = now + Math.max(wait, 1);
            break;
          }
          total += slice;
          inWindow += slice;
          window.add(new long[] {now, slice});
          next[i] = now + (random.nextInt(20) == 0 ? random.nextInt(100_000_000) : 0);
        }
      }
      while (!window.isEmpty() && window.getFirst()[0] <= now - 5 * SECOND) {
        inWindow -= window.removeFirst()[1];
      }
      assertTrue(inWindow <= 5 * cap, inWindow + " bytes in 5 s before " + now);
    }
    assertTrue(total >= 0.8 * cap * 60, total + " bytes in a minute");
  }
}
