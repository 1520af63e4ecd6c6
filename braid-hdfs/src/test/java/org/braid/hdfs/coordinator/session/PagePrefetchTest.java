package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;

final class PagePrefetchTest {
  /** Numbers from 0 on, up to a last one. */
  private static class Numbers implements PagePrefetch.Question<Integer> {
    final AtomicInteger asked = new AtomicInteger();
    private final int last;

    Numbers(int last) {
      this.last = last;
    }

    @Override
    public Integer ask(Optional<Integer> before) throws IOException {
      asked.incrementAndGet();
      return before.map(number -> number + 1).orElse(0);
    }

    @Override
    public boolean isMore(Integer number) {
      return number < last;
    }
  }

  @Test
  void pagesComeInOrderAndEnd() throws Exception {
    List<Integer> got = new ArrayList<>();
    Numbers numbers = new Numbers(3);
    try (PagePrefetch<Integer> pages = new PagePrefetch<>(numbers)) {
      for (Optional<Integer> page = pages.next(); page.isPresent(); page = pages.next()) {
        got.add(page.get());
      }
      assertEquals(Optional.empty(), pages.next());
    }
    assertEquals(List.of(0, 1, 2, 3), got);
    assertEquals(4, numbers.asked.get());
  }

  @Test
  void onePageIsAskedForAhead() throws Exception {
    Numbers numbers = new Numbers(9);
    try (PagePrefetch<Integer> pages = new PagePrefetch<>(numbers)) {
      for (int taken = 1; taken <= 3; taken++) {
        assertEquals(Optional.of(taken - 1), pages.next());
        int wanted = taken + 1;
        Await.until("the next page is asked for", () -> numbers.asked.get() >= wanted);
        assertEquals(wanted, numbers.asked.get());
      }
    }
  }

  @Test
  void aFailureIsThrownInThePlaceOfItsPage() throws Exception {
    IOException broken = new IOException("broken");
    Numbers numbers =
        new Numbers(9) {
          @Override
          public Integer ask(Optional<Integer> before) throws IOException {
            if (before.isPresent()) {
              throw broken;
            }
            return super.ask(before);
          }
        };
    try (PagePrefetch<Integer> pages = new PagePrefetch<>(numbers)) {
      assertEquals(Optional.of(0), pages.next());
      assertSame(broken, assertThrows(IOException.class, pages::next));
    }
  }

  @Test
  void whoEndsDoesNotWaitForThePageThatIsAskedFor() throws Exception {
    CountDownLatch asking = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Numbers stuck =
        new Numbers(9) {
          @Override
          public Integer ask(Optional<Integer> before) throws IOException {
            if (before.isEmpty()) {
              return super.ask(before);
            }
            asking.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              interrupted.countDown();
            }
            throw new IOException("ended");
          }
        };
    try (PagePrefetch<Integer> pages = new PagePrefetch<>(stuck)) {
      assertEquals(Optional.of(0), pages.next());
      Await.until("the next page is asked for", () -> asking.getCount() == 0);
    }
    Await.until("it is given up", () -> interrupted.getCount() == 0);
  }
}
