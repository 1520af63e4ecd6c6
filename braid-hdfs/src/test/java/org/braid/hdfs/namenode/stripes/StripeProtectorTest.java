package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StripeProtectorTest {
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final List<String> parts = new CopyOnWriteArrayList<>();
  private final CountDownLatch scanning = new CountDownLatch(1);
  private final CountDownLatch scanned = new CountDownLatch(1);
  private final Semaphore looks = new Semaphore(0);
  private final AtomicLong term = new AtomicLong();
  private final AtomicInteger errors = new AtomicInteger();

  private final StripeProtector protector =
      new StripeProtector(
          new StripeProtector.Work() {
            @Override
            public Optional<String> part(String after) {
              parts.add(after);
              if (after.isEmpty()) {
                return Optional.of("1");
              }
              scanning.countDown();
              await(scanned);
              return after.equals("1") ? Optional.of("2") : Optional.empty();
            }

            @Override
            public void gone() {
              done.add("gone");
              looks.acquireUninterruptibly();
            }

            @Override
            public void one(String stripe) {
              done.add(stripe);
            }

            @Override
            public long term() {
              if (errors.getAndDecrement() > 0) {
                throw new OutOfMemoryError("in a test");
              }
              return term.get();
            }
          });

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void close() {
    looks.release(100);
    scanned.countDown();
    protector.close();
  }

  /** Of a petabyte that takes long, and of what a call tells nothing is to be left for so long. */
  @Test
  void aLookAtAllStripesKeepsNothingWaiting() throws Exception {
    protector.start();
    scanning.await();
    protector.thinned(Set.of("a"));
    protector.thinned(Set.of());
    Await.untilEqual("both to be protected", List.of("a", "gone"), () -> List.copyOf(done));
    scanned.countDown();
    Await.untilEqual("all parts", List.of("", "1", "2"), () -> List.copyOf(parts));
  }

  /** What it gave copies in its memory alone, a NameNode has forgotten as a standby. */
  @Test
  void allStripesAreLookedAtAsSoonAsTheNameNodeIsActiveAgain() {
    scanned.countDown();
    protector.start();
    Await.untilEqual("all parts", List.of("", "1", "2"), () -> List.copyOf(parts));
    long begun = System.nanoTime();
    term.incrementAndGet();
    Await.untilEqual(
        "all parts again", List.of("", "1", "2", "", "1", "2"), () -> List.copyOf(parts));
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    assertTrue(seconds < 9, "not by the time of the next look: " + seconds);
  }

  @Test
  void anErrorEndsNoLookForEver() {
    errors.set(1);
    scanned.countDown();
    protector.start();
    Await.untilEqual("all parts", List.of("", "1", "2"), () -> List.copyOf(parts));
  }

  @Test
  void whatGoesDuringALookIsLookedForOnceAfterIt() {
    protector.thinned(Set.of());
    Await.untilEqual("a look", List.of("gone"), () -> List.copyOf(done));
    for (int i = 0; i < 10; i++) {
      protector.thinned(Set.of());
    }
    assertEquals(List.of("gone"), List.copyOf(done));
    looks.release(100);
    Await.untilEqual("another look", List.of("gone", "gone"), () -> List.copyOf(done));
    protector.thinned(Set.of("a"));
    Await.untilEqual("no more", List.of("gone", "gone", "a"), () -> List.copyOf(done));
  }
}
