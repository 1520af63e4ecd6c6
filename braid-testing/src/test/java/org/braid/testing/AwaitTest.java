package org.braid.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AwaitTest {
  private static final Duration SHORT = Duration.ofMillis(30);
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void returnsWhatWasRight() {
    assertEquals(3, Await.until("three looks", looks::incrementAndGet, seen -> seen == 3));
    Await.until("a look more", () -> looks.incrementAndGet() == 5);
    assertEquals(5, looks.get());
    Await.untilEqual("looks", 7, looks::incrementAndGet);
  }

  @Test
  void saysWhatWasSeenLast() {
    AwaitException e =
        assertThrows(
            AwaitException.class,
            () -> Await.until("a cow", SHORT, () -> "horse", seen -> seen.equals("cow")));
    assertEquals("waited 0.0 s in vain for a cow, last seen: horse", e.getMessage());
    e = assertThrows(AwaitException.class, () -> Await.until("a cow", SHORT, () -> false));
    assertEquals("waited 0.0 s in vain for a cow", e.getMessage());
  }

  @Test
  void aMachineThatStandsStillTakesNoPatience() {
    AtomicLong seconds = new AtomicLong();
    Await.Patience patience =
        new Await.Patience(
            Duration.ofSeconds(3), () -> Duration.ofSeconds(seconds.get()).toNanos());
    seconds.addAndGet(100);
    patience.pause("the machine to go on");
    seconds.addAndGet(2);
    patience.pause("a slow look");
    seconds.addAndGet(1);
    patience.pause("the last look");
    seconds.addAndGet(1);
    assertThrows(AwaitException.class, () -> patience.pause("one look too many"));
  }

  @Test
  void whatFailsIsNotWaitedFor() {
    assertThrows(
        IOException.class,
        () ->
            Await.until(
                "it",
                () -> {
                  throw new IOException("gone");
                }));
  }

  @Test
  void noticesWhatDoesNotStay() {
    Await.stays("the answer", SHORT, 42, () -> 42);
    AwaitException e =
        assertThrows(
            AwaitException.class,
            () -> Await.stays("looks", Duration.ofSeconds(60), 1, looks::incrementAndGet));
    assertEquals("looks should stay 1, but is 2", e.getMessage());
  }

  @Test
  void anInterruptEndsIt() {
    Thread.currentThread().interrupt();
    assertThrows(AwaitException.class, () -> Await.until("it", () -> false));
    assertTrue(Thread.interrupted());
  }
}
