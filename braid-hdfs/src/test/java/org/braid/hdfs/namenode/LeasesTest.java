package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.namenode.lease.LeaseScope;
import org.braid.hdfs.namenode.lease.Leases;
import org.junit.jupiter.api.Test;

final class LeasesTest {
  private final AtomicLong now = new AtomicLong(1000);
  private final AtomicLong era = new AtomicLong(7);
  private final Leases leases = new Leases(now::get, era::get);

  private Leases.Answer ask(String holder) {
    return leases.acquire(holder, false, 0, LeaseScope.ALL);
  }

  private Leases.Answer standBy(String holder) {
    return leases.acquire(holder, true, 0, LeaseScope.ALL);
  }

  private String acquire(String holder) {
    return Objects.requireNonNull(ask(holder).lease());
  }

  @Test
  void onlyOneHolds() throws Exception {
    String first = acquire("one");
    assertNull(ask("two").lease());
    assertEquals("one", ask("two").holder());
    leases.check(first);
    leases.release(first, false);
    String second = acquire("two");
    IOException refusal = assertThrows(IOException.class, () -> leases.check(first));
    assertEquals(
        "the coordinator's lease has expired or was taken by two: run the command again",
        refusal.getMessage());
    leases.release(first, false);
    leases.check(second);
  }

  @Test
  void expiresUnlessRenewed() throws Exception {
    String first = acquire("one");
    now.addAndGet(Leases.MILLIS - 1);
    assertTrue(leases.renew(first, Optional.empty()));
    now.addAndGet(Leases.MILLIS - 1);
    leases.check(first);
    now.addAndGet(1);
    assertEquals(List.of(), leases.holders());
    IOException refusal = assertThrows(IOException.class, () -> leases.check(first));
    assertEquals(
        "the coordinator's lease has expired: run the command again", refusal.getMessage());
    assertFalse(leases.renew(first, Optional.empty()));
    leases.check(acquire("two"));
    assertFalse(leases.renew(first, Optional.empty()));
  }

  /** The NameNode's process, or the holder's, may have stood still. */
  @Test
  void whoIsHeardBeforeAnybodySeesThatTheLeaseIsOverdueGoesOn() throws Exception {
    String first = acquire("one");
    assertEquals(Optional.empty(), leases.claim(first, "s", 1));
    now.addAndGet(4 * Leases.MILLIS);
    leases.check(first);
    assertTrue(leases.isClaimed("s"));
    assertNull(ask("two").lease());
    now.addAndGet(Leases.MILLIS);
    assertTrue(leases.renew(first, Optional.empty()));
    now.addAndGet(Leases.MILLIS);
    leases.begin(first).close();
    now.addAndGet(Leases.MILLIS);
    assertFalse(leases.isClaimed("s"));
    assertFalse(leases.renew(first, Optional.empty()));
    assertThrows(IOException.class, () -> leases.begin(first));
    leases.check(acquire("two"));
  }

  /** A change looks first and acts then: nobody else acts in between. */
  @Test
  void nobodyElseGetsTheLeaseBeforeAChangeHasEnded() throws Exception {
    String first = acquire("one");
    Leases.Change change = leases.begin(first);
    Leases.Change another = leases.begin(first);
    now.addAndGet(2 * Leases.MILLIS);
    assertEquals("one", ask("two").holder());
    change.close();
    assertNull(ask("two").lease());
    leases.check(first);
    another.close();
    assertThrows(IOException.class, () -> leases.check(first));
    assertThrows(IOException.class, () -> leases.begin(first));
    String second = acquire("two");
    Leases.Change late = leases.begin(second);
    assertTrue(leases.release(second, false));
    assertNull(ask("three").lease());
    late.close();
    assertThrows(IOException.class, () -> leases.begin(second));
    leases.check(acquire("three"));
  }

  private Leases.Answer askFor(String holder, String path) {
    return leases.acquire(holder, false, 0, LeaseScope.of(List.of(path)));
  }

  /** The NameNode's memory is everybody's. */
  @Test
  void whatABrokenCoordinatorAsksForIsBounded() throws Exception {
    String long1 = "x".repeat(1 << 20);
    assertTrue(askFor(long1, "/0").holder().length() < 1000, "a holder's name is kept whole");
    for (int i = 1; i < 3000; i++) {
      askFor("convert " + i, "/" + i);
    }
    assertTrue(leases.holders().size() <= 1000, leases.holders().size() + " leases");
    for (int i = 0; i < 3000; i++) {
      standBy("daemon " + i);
    }
    assertTrue(leases.standingBy() <= 1000, leases.standingBy() + " wait");
    now.addAndGet(Leases.MILLIS + Leases.QUEUE_MILLIS);
    String lease = acquire("convert");
    IOException refusal =
        assertThrows(
            IOException.class,
            () -> {
              for (int i = 0; i < 20_000; i++) {
                leases.claim(lease, "%032x".formatted(i), 1);
              }
            });
    assertEquals(
        "convert has claimed 10000 stripes, no more are claimed at once", refusal.getMessage());
    assertEquals(Optional.empty(), leases.claim(lease, "%032x".formatted(7), 1), "it has that one");
    leases.unclaim(lease, "%032x".formatted(7), 1);
    assertEquals(Optional.empty(), leases.claim(lease, "%032x".formatted(20_000), 1));
  }

  @Test
  void whoWaitsComesBeforeWhoGaveWay() throws Exception {
    String first = acquire("daemon");
    assertEquals(Optional.empty(), leases.waiting());
    assertEquals("daemon", ask("convert").holder());
    assertEquals("daemon", ask("restore").holder());
    assertEquals(Optional.of("convert"), leases.waiting());
    leases.release(first, false);
    assertEquals(List.of(), leases.holders());
    assertNull(ask("daemon").lease());
    assertNull(ask("restore").lease());
    leases.release(acquire("convert"), false);
    assertNull(ask("daemon").lease());
    // One that does not ask any more loses its place.
    now.addAndGet(Leases.QUEUE_MILLIS + 1);
    leases.check(acquire("daemon"));
    assertEquals(List.of("daemon"), leases.holders());
    assertEquals(Optional.empty(), leases.waiting());
  }

  /** Two daemons that gave way to each other would never work. */
  @Test
  void nobodyGivesWayToOneThatStandsBy() throws Exception {
    String first = Objects.requireNonNull(standBy("daemon a").lease());
    assertEquals("daemon a", standBy("daemon b").holder());
    assertEquals(Optional.empty(), leases.waiting());
    assertEquals(Optional.of("daemon b"), leases.next());
    // The daemon gave way to the command, though another daemon has waited longer.
    assertNull(ask("convert").lease());
    assertEquals(Optional.of("convert"), leases.waiting());
    leases.release(first, false);
    assertNull(standBy("daemon b").lease());
    assertNull(standBy("daemon a").lease());
    String command = Objects.requireNonNull(ask("convert").lease());
    // After a command all have their turn.
    assertNull(ask("restore").lease());
    leases.release(command, false);
    assertNull(ask("restore").lease());
    leases.check(Objects.requireNonNull(standBy("daemon b").lease()));
  }

  /** Its walk over the policies would begin anew with each command. */
  @Test
  void theDaemonThatGaveWayHasTheLeaseBackBeforeOthersThatStandBy() throws Exception {
    String first = Objects.requireNonNull(standBy("daemon a").lease());
    assertNull(standBy("daemon b").lease());
    assertEquals(1, leases.standingBy());
    assertNull(ask("convert").lease());
    leases.release(first, true);
    assertEquals(2, leases.standingBy());
    assertNull(standBy("daemon b").lease());
    String command = acquire("convert");
    assertNull(standBy("daemon b").lease());
    assertNull(standBy("daemon a").lease());
    leases.release(command, false);
    assertEquals("daemon a", standBy("daemon b").holder());
    String again = Objects.requireNonNull(standBy("daemon a").lease());
    // One that was stopped does not come back.
    leases.release(again, false);
    leases.check(Objects.requireNonNull(standBy("daemon b").lease()));
    assertEquals(0, leases.standingBy());
  }

  /** What vanished while a daemon gave way leaves it the place: readers wait for it. */
  @Test
  void whoGivesWayIsAwaitedForAMoment() {
    String first = Objects.requireNonNull(standBy("daemon a").lease());
    assertNull(ask("convert").lease());
    now.addAndGet(Leases.QUEUE_MILLIS + 1);
    leases.release(first, true);
    assertEquals(Optional.of("daemon a"), leases.next());
    now.addAndGet(Leases.QUEUE_MILLIS + 1);
    assertEquals(Optional.empty(), leases.next());
  }

  @Test
  void aPlaceIsKeptForAsLongAsCallsTake() {
    acquire("daemon");
    assertNull(leases.acquire("slow", false, 9000, LeaseScope.ALL).lease());
    assertNull(leases.acquire("endless", false, Long.MAX_VALUE, LeaseScope.ALL).lease());
    now.addAndGet(9000);
    assertEquals(Optional.of("slow"), leases.waiting());
    now.addAndGet(1);
    assertEquals(Optional.of("endless"), leases.waiting());
    now.addAndGet(6000);
    assertEquals(Optional.empty(), leases.waiting());
  }

  @Test
  void oneThatStandsByTakesOverWhenTheHolderIsGone() throws Exception {
    assertTrue(standBy("daemon a").lease() != null);
    assertNull(standBy("daemon b").lease());
    now.addAndGet(Leases.MILLIS);
    leases.check(Objects.requireNonNull(standBy("daemon b").lease()));
  }

  @Test
  void whatTheHolderDoesIsForgottenWithTheLease() {
    String first = acquire("convert at a");
    now.addAndGet(2000);
    assertEquals(List.of(new Leases.Held("convert at a", 2000, Optional.empty())), leases.held());
    assertTrue(leases.renew(first, Optional.of(new Leases.Doing("encoding", 3, 10, 500))));
    now.addAndGet(100);
    assertTrue(leases.renew(first, Optional.empty())); // by an earlier release
    now.addAndGet(100);
    assertEquals(
        List.of(
            new Leases.Held(
                "convert at a", 2200, Optional.of(new Leases.Doing("encoding", 3, 10, 700)))),
        leases.held());
    leases.release(first, false);
    assertEquals(List.of(), leases.held());
    acquire("daemon at b");
    assertFalse(leases.renew(first, Optional.of(new Leases.Doing("encoding", 4, 10, 900))));
    assertEquals(List.of(new Leases.Held("daemon at b", 0, Optional.empty())), leases.held());
  }

  @Test
  void whatTheHolderDoesIsForgottenWhenTheLeaseExpires() {
    String first = acquire("one");
    assertTrue(leases.renew(first, Optional.of(new Leases.Doing("encoding", 3, 10, 500))));
    now.addAndGet(Leases.MILLIS);
    assertEquals(List.of(), leases.held());
    acquire("two");
    assertEquals(List.of(new Leases.Held("two", 0, Optional.empty())), leases.held());
  }

  @Test
  void whatAHolderSaysTakesLittleRoom() {
    String first = acquire("one");
    leases.renew(first, Optional.of(new Leases.Doing("x".repeat(10_000), -1, -1, -1)));
    assertEquals(
        Optional.of(new Leases.Doing("x".repeat(60), 0, 0, 0)), leases.held().get(0).doing());
  }

  private Leases.Answer ask(String holder, String... paths) {
    return leases.acquire(holder, false, 0, LeaseScope.of(List.of(paths)));
  }

  private String acquire(String holder, String... paths) {
    return Objects.requireNonNull(ask(holder, paths).lease());
  }

  @Test
  void commandsOnOtherPathsWorkSideBySide() throws Exception {
    String logs = acquire("convert", "/logs", "/old");
    String tables = acquire("restore", "/tables");
    leases.check(logs);
    leases.check(tables);
    assertEquals(List.of("convert", "restore"), leases.holders());
    for (String path : List.of("/logs", "/logs/2024", "/old/x/y", "/")) {
      assertEquals("convert", ask("other " + path, path).holder(), path);
    }
    assertEquals("restore", ask("last", "/tables/a", "/new").holder());
    now.addAndGet(Leases.QUEUE_MILLIS + 1); // they left
    assertNotNull(ask("beside", "/logs2", "/ol").lease());
    assertTrue(leases.release(logs, false));
    assertThrows(IOException.class, () -> leases.check(logs));
    leases.check(tables);
  }

  @Test
  void nobodyOvertakesWhomItWouldKeepWaiting() {
    String logs = acquire("convert", "/logs");
    assertNull(ask("wide", "/logs", "/tables").lease());
    assertEquals("wide", ask("narrow", "/tables/a").holder());
    assertNotNull(ask("apart", "/new").lease());
    leases.release(logs, false);
    assertEquals("wide", ask("narrow", "/tables/a").holder());
    assertNotNull(ask("wide", "/logs", "/tables").lease());
    assertEquals("wide", ask("narrow", "/tables/a").holder());
  }

  /** A daemon waits for the end of all, and keeps none from working beside others. */
  @Test
  void aDaemonWaitsUntilAllCommandsHaveEnded() {
    String daemon = Objects.requireNonNull(standBy("daemon").lease());
    assertEquals("daemon", ask("convert", "/logs").holder());
    leases.release(daemon, true);
    String logs = acquire("convert", "/logs");
    assertNull(standBy("daemon").lease());
    String tables = acquire("restore", "/tables");
    leases.release(logs, false);
    assertEquals("restore", standBy("daemon").holder());
    leases.release(tables, false);
    assertNotNull(standBy("daemon").lease());
  }

  /** Commands that always overlap in time would keep it waiting for ever. */
  @Test
  void aDaemonThatHasWaitedForAnHourGetsATurn() {
    String first = acquire("first", "/a");
    for (int seconds = 0; seconds < 3600; seconds++) {
      assertNull(standBy("daemon").lease());
      now.addAndGet(1000);
      assertTrue(leases.renew(first, Optional.empty()));
    }
    assertNull(standBy("daemon").lease());
    assertEquals("daemon", ask("second", "/b").holder());
    leases.release(first, false);
    assertNull(ask("second", "/b").lease());
    String daemon = Objects.requireNonNull(standBy("daemon").lease());
    for (int seconds = 0; seconds < 60; seconds++) {
      assertEquals("daemon", ask("second", "/b").holder());
      assertEquals(Optional.empty(), leases.waiting());
      now.addAndGet(1000);
      assertTrue(leases.renew(daemon, Optional.empty()));
    }
    assertEquals("daemon", ask("second", "/b").holder());
    assertEquals(Optional.of("second"), leases.waiting());
  }

  @Test
  void whoEndsLeavesTheLeadToOthers() {
    String first = acquire("first", "/a");
    String second = acquire("second", "/b");
    assertFalse(leases.isLast(first));
    leases.resign(first);
    assertEquals(Optional.of(second), leases.leader());
    leases.resign(second);
    assertEquals(Optional.empty(), leases.leader());
    leases.release(second, false);
    assertTrue(leases.isLast(first));
    assertFalse(leases.isLast("another"));
  }

  @Test
  void theLeaseThatWasGivenFirstLeads() {
    String first = acquire("convert", "/logs");
    String second = acquire("restore", "/tables");
    assertEquals(new Leases.Standing(true, 2), leases.standing(first));
    assertEquals(new Leases.Standing(false, 2), leases.standing(second));
    now.addAndGet(Leases.MILLIS - 1);
    assertTrue(leases.renew(second, Optional.empty()));
    now.addAndGet(1);
    assertEquals(new Leases.Standing(false, 1), leases.standing(first));
    assertEquals(new Leases.Standing(true, 1), leases.standing(second));
  }

  @Test
  void aStripeIsClaimedUnderOneLeaseUntilThatEnds() throws Exception {
    String first = acquire("convert", "/logs");
    String second = acquire("restore", "/tables");
    assertEquals(Optional.empty(), leases.claim(first, "s", 1));
    assertEquals(Optional.empty(), leases.claim(first, "s", 1));
    assertEquals(Optional.of("convert"), leases.claim(second, "s", 1));
    leases.unclaim(second, "s", 1); // it has none
    assertTrue(leases.isClaimed("s"));
    assertEquals(Set.of("s"), leases.awaited(first));
    assertEquals(Set.of(), leases.awaited(second));
    now.addAndGet(2000); // it is not asked for any more
    assertEquals(Set.of(), leases.awaited(first));
    leases.unclaim(first, "s", 1);
    assertFalse(leases.isClaimed("s"));
    assertEquals(Optional.empty(), leases.claim(second, "s", 1));
    leases.release(second, false);
    assertFalse(leases.isClaimed("s"));
    assertThrows(IOException.class, () -> leases.claim(second, "s", 1));
    assertEquals(Optional.empty(), leases.claim(first, "s", 2));
    assertTrue(leases.isClaimed("s"));
    now.addAndGet(Leases.MILLIS);
    assertFalse(leases.isClaimed("s"));
  }

  @Test
  void unusualPathsAreAllOfTheCluster() {
    for (String path :
        List.of("", "x", "/", "/a/", "/a//b", "/a/../b", "/a/.", "/.reserved/.inodes/7")) {
      assertTrue(LeaseScope.of(List.of("/usual", path)).isAll(), path);
    }
    assertTrue(LeaseScope.of(List.of()).isAll());
    assertTrue(LeaseScope.of(Collections.nCopies(101, "/a")).isAll());
    assertTrue(LeaseScope.of(List.of("/" + "a".repeat(20_000))).isAll());
    assertFalse(LeaseScope.of(List.of("/a/.b", "/a/..c/d")).isAll());
  }

  /** A call that a client repeats, as the answer is late, may be heard twice. */
  @Test
  void aRepeatedClaimThatIsHeardAfterItsReleaseClaimsNothing() throws Exception {
    String first = acquire("one", "/a");
    String second = acquire("two", "/b");
    assertEquals(Optional.empty(), leases.claim(first, "s", 5));
    leases.unclaim(first, "s", 5);
    assertEquals(Optional.empty(), leases.claim(first, "s", 5));
    assertFalse(leases.isClaimed("s"));
    assertEquals(Optional.empty(), leases.claim(second, "s", 1));
    leases.unclaim(second, "s", 1);
    assertEquals(Optional.empty(), leases.claim(first, "s", 6));
    assertTrue(leases.isClaimedByOthers(second, "s"), "a later claim is another one");
    leases.unclaim(first, "t", 7); // heard before the claim
    assertEquals(Optional.empty(), leases.claim(first, "t", 7));
    assertFalse(leases.isClaimed("t"));
  }

  /**
   * A NameNode that was active before does not know what others did under the leases of another.
   */
  @Test
  void anotherTimeInOfficeBeginsWithoutLeasesClaimsAndWhoWaited() throws Exception {
    String first = acquire("one", "/a");
    assertEquals(Optional.empty(), leases.claim(first, "s", 9));
    assertNull(ask("waits").lease());
    era.incrementAndGet();
    assertThrows(IOException.class, () -> leases.check(first));
    assertThrows(IOException.class, () -> leases.begin(first));
    assertThrows(IOException.class, () -> leases.claim(first, "t", 10));
    assertFalse(leases.renew(first, Optional.empty()));
    assertFalse(leases.release(first, false));
    assertEquals(List.of(), leases.holders());
    assertEquals(List.of(), leases.held());
    assertEquals(new Leases.Standing(false, 0), leases.standing(first));
    assertEquals(Optional.empty(), leases.leader());
    assertFalse(leases.isClaimed("s"));
    assertEquals(Set.of(), leases.awaited(first));
    assertEquals(Optional.empty(), leases.next());
    assertEquals(Optional.empty(), leases.waiting());
    assertEquals(0, leases.standingBy());
    String second = acquire("two");
    assertEquals(Optional.empty(), leases.claim(second, "s", 1));
    leases.unclaim(first, "s", 99);
    assertTrue(leases.isClaimed("s"));
  }

  /** A change that goes on while the time in office ends is no part of the next one. */
  @Test
  void aChangeOfAnotherTimeInOfficeKeepsNoLease() throws Exception {
    String first = acquire("one");
    try (Leases.Change change = leases.begin(first)) {
      era.incrementAndGet();
      String second = acquire("two");
      assertTrue(leases.renew(second, Optional.empty()));
      assertFalse(leases.renew(first, Optional.empty()));
      assertNotNull(change);
    }
    assertEquals(List.of("two"), leases.holders());
  }
}
