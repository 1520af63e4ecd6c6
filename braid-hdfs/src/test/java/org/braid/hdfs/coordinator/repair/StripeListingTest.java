package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;

final class StripeListingTest {
  private final FakeCluster cluster = new FakeCluster(5, 1);
  private final StripeStatus stripe =
      cluster.status(cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0"));
  private final AtomicInteger given = new AtomicInteger();

  private List<StripeStatus> all(StripeListing listing) throws IOException {
    List<StripeStatus> all = new ArrayList<>();
    while (!listing.ended()) {
      listing.next(1000).ifPresent(all::addAll);
    }
    return all;
  }

  /** Gives pages, the first one empty. */
  private StripeListing.Lister pages(int count) {
    return pages -> {
      pages.take(List.of());
      while (!pages.isFull() && given.get() < count) {
        pages.take(List.of(stripe, stripe));
        given.incrementAndGet();
      }
    };
  }

  @Test
  void allPagesAreTakenInOrder() throws Exception {
    try (StripeListing listing = StripeListing.begin(pages(20))) {
      assertEquals(40, all(listing).size());
      listing.check();
      assertEquals(Optional.empty(), listing.next(1000));
    }
  }

  @Test
  void itIsNotListedFasterThanTaken() throws Exception {
    try (StripeListing listing = StripeListing.begin(pages(1000))) {
      Await.until("pages that wait", () -> given.get() == 2);
      Await.stays("pages that were asked for", Duration.ofMillis(300), 2, given::get);
      assertEquals(2, listing.next(0).orElseThrow().size());
      Await.until("another page", () -> given.get() == 3);
      assertFalse(listing.ended());
    }
    Await.until("its end", () -> given.get() <= 5);
    int last = given.get();
    Await.stays("what is listed after its end", Duration.ofMillis(300), last, given::get);
  }

  @Test
  void aFailureIsToldBehindWhatWasListed() throws Exception {
    StripeListing.Lister fails =
        pages -> {
          pages.take(List.of(stripe));
          throw new IOException("no NameNode");
        };
    try (StripeListing listing = StripeListing.begin(fails)) {
      assertEquals(1, all(listing).size());
      assertEquals("no NameNode", assertThrows(IOException.class, listing::check).getMessage());
    }
    assertThrows(IOException.class, () -> StripeListing.at(fails));
  }

  /** Or a look that ran out of memory would count as one at all stripes. */
  @Test
  void anErrorIsToldToo() throws Exception {
    StripeListing.Lister fails =
        pages -> {
          throw new OutOfMemoryError("no heap");
        };
    try (StripeListing listing = StripeListing.begin(fails)) {
      assertEquals(0, all(listing).size());
      assertEquals("no heap", assertThrows(Error.class, listing::check).getMessage());
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Or each look at a cluster where nothing is lost would last. */
  @Test
  void itsEndIsSeenAtOnce() throws Exception {
    try (StripeListing listing = StripeListing.begin(pages -> pause())) {
      long begun = System.nanoTime();
      assertEquals(Optional.of(List.of()), listing.next(60_000));
      assertTrue(listing.ended());
      assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) < 30);
    }
  }

  @Test
  void onlyTheListingItselfCountsAsItsTime() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    StripeListing.Lister lister =
        pages -> {
          for (int i = 0; i < 4; i++) {
            pages.take(List.of(stripe));
          }
          waits.countDown();
        };
    try (StripeListing listing = StripeListing.begin(lister)) {
      assertFalse(waits.await(500, TimeUnit.MILLISECONDS));
      assertEquals(4, all(listing).size());
      assertTrue(listing.millis() < 400, listing.millis() + " ms");
    }
  }
}
