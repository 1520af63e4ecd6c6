package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.namenode.host.Leases;
import org.junit.jupiter.api.Test;

final class LeasesTest {
  private final AtomicLong now = new AtomicLong(1000);
  private final Leases leases = new Leases(now::get);

  private String acquire(String holder) {
    return Objects.requireNonNull(leases.acquire(holder, false).lease());
  }

  @Test
  void onlyOneHolds() throws Exception {
    String first = acquire("one");
    assertNull(leases.acquire("two", false).lease());
    assertEquals("one", leases.acquire("two", false).holder());
    leases.check(first);
    leases.release(first);
    String second = acquire("two");
    IOException refusal = assertThrows(IOException.class, () -> leases.check(first));
    assertEquals(
        "the coordinator's lease has expired or was taken by two: run the command again",
        refusal.getMessage());
    leases.release(first);
    leases.check(second);
  }

  @Test
  void expiresUnlessRenewed() throws Exception {
    String first = acquire("one");
    now.addAndGet(Leases.MILLIS - 1);
    assertTrue(leases.renew(first));
    now.addAndGet(Leases.MILLIS - 1);
    leases.check(first);
    now.addAndGet(1);
    IOException refusal = assertThrows(IOException.class, () -> leases.check(first));
    assertEquals(
        "the coordinator's lease has expired: run the command again", refusal.getMessage());
    assertFalse(leases.renew(first));
    leases.check(acquire("two"));
    assertFalse(leases.renew(first));
  }

  /** A change looks first and acts then: nobody else acts in between. */
  @Test
  void nobodyElseGetsTheLeaseBeforeAChangeHasEnded() throws Exception {
    String first = acquire("one");
    Leases.Change change = leases.begin(first);
    Leases.Change another = leases.begin(first);
    now.addAndGet(2 * Leases.MILLIS);
    assertEquals("one", leases.acquire("two", false).holder());
    change.close();
    assertNull(leases.acquire("two", false).lease());
    leases.check(first);
    another.close();
    assertThrows(IOException.class, () -> leases.check(first));
    assertThrows(IOException.class, () -> leases.begin(first));
    String second = acquire("two");
    Leases.Change late = leases.begin(second);
    assertTrue(leases.release(second));
    assertNull(leases.acquire("three", false).lease());
    late.close();
    assertThrows(IOException.class, () -> leases.begin(second));
    leases.check(acquire("three"));
  }

  @Test
  void whoWaitsComesBeforeWhoGaveWay() throws Exception {
    String first = acquire("daemon");
    assertEquals(Optional.empty(), leases.waiting());
    assertEquals("daemon", leases.acquire("convert", false).holder());
    assertEquals("daemon", leases.acquire("restore", false).holder());
    assertEquals(Optional.of("convert"), leases.waiting());
    leases.release(first);
    assertEquals(Optional.empty(), leases.holder());
    assertNull(leases.acquire("daemon", false).lease());
    assertNull(leases.acquire("restore", false).lease());
    leases.release(acquire("convert"));
    assertNull(leases.acquire("daemon", false).lease());
    // One that does not ask any more loses its place.
    now.addAndGet(Leases.QUEUE_MILLIS + 1);
    leases.check(acquire("daemon"));
    assertEquals(Optional.of("daemon"), leases.holder());
    assertEquals(Optional.empty(), leases.waiting());
  }

  /** Two daemons that gave way to each other would never work. */
  @Test
  void nobodyGivesWayToOneThatStandsBy() throws Exception {
    String first = Objects.requireNonNull(leases.acquire("daemon a", true).lease());
    assertEquals("daemon a", leases.acquire("daemon b", true).holder());
    assertEquals(Optional.empty(), leases.waiting());
    assertEquals(Optional.of("daemon b"), leases.next());
    // The daemon gave way to the command, though another daemon has waited longer.
    assertNull(leases.acquire("convert", false).lease());
    assertEquals(Optional.of("convert"), leases.waiting());
    leases.release(first);
    assertNull(leases.acquire("daemon b", true).lease());
    assertNull(leases.acquire("daemon a", true).lease());
    String command = Objects.requireNonNull(leases.acquire("convert", false).lease());
    // After a command all have their turn.
    assertNull(leases.acquire("restore", false).lease());
    leases.release(command);
    assertNull(leases.acquire("restore", false).lease());
    leases.check(Objects.requireNonNull(leases.acquire("daemon b", true).lease()));
  }

  @Test
  void oneThatStandsByTakesOverWhenTheHolderIsGone() throws Exception {
    assertTrue(leases.acquire("daemon a", true).lease() != null);
    assertNull(leases.acquire("daemon b", true).lease());
    now.addAndGet(Leases.MILLIS);
    leases.check(Objects.requireNonNull(leases.acquire("daemon b", true).lease()));
  }

  @Test
  void whatTheHolderDoesIsForgottenWithTheLease() {
    String first = acquire("convert at a");
    now.addAndGet(2000);
    assertEquals(
        Optional.of(new Leases.Held("convert at a", 2000, Optional.empty())), leases.held());
    assertTrue(leases.renew(first, Optional.of(new Leases.Doing("encoding", 3, 10, 500))));
    now.addAndGet(100);
    assertTrue(leases.renew(first)); // by an earlier release
    now.addAndGet(100);
    assertEquals(
        Optional.of(
            new Leases.Held(
                "convert at a", 2200, Optional.of(new Leases.Doing("encoding", 3, 10, 700)))),
        leases.held());
    leases.release(first);
    assertEquals(Optional.empty(), leases.held());
    acquire("daemon at b");
    assertFalse(leases.renew(first, Optional.of(new Leases.Doing("encoding", 4, 10, 900))));
    assertEquals(Optional.of(new Leases.Held("daemon at b", 0, Optional.empty())), leases.held());
  }

  @Test
  void whatTheHolderDoesIsForgottenWhenTheLeaseExpires() {
    String first = acquire("one");
    assertTrue(leases.renew(first, Optional.of(new Leases.Doing("encoding", 3, 10, 500))));
    now.addAndGet(Leases.MILLIS);
    assertEquals(Optional.empty(), leases.held());
    acquire("two");
    assertEquals(Optional.of(new Leases.Held("two", 0, Optional.empty())), leases.held());
  }

  @Test
  void whatAHolderSaysTakesLittleRoom() {
    String first = acquire("one");
    leases.renew(first, Optional.of(new Leases.Doing("x".repeat(10_000), -1, -1, -1)));
    assertEquals(
        Optional.of(new Leases.Doing("x".repeat(60), 0, 0, 0)),
        leases.held().flatMap(Leases.Held::doing));
  }
}
