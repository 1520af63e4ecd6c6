package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.throttle.GaveWayException;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.manage.RepairFailure;
import org.junit.jupiter.api.Test;

/** Which repairs are begun, and what becomes of those that fail. */
final class RepairLoopTest extends RepairsOnFakes {
  @Test
  void everyLossIsRepairedOnceWithinTheBudgets() throws Exception {
    budgets = new RepairBudgets(1, 2, 3);
    for (int i = 0; i < 40; i++) {
      cluster.stripe("rs-3-2", 1, HOMES);
    }
    cluster.kill("r1n0");
    cluster.kill("r4n0");
    assertEquals(0, run());
    assertEquals(40, work.repaired.size());
    assertEquals(40, work.begun.size());
    assertEquals(1, work.most, "repairs at once at a node");
    work.repaired
        .values()
        .forEach(d -> assertEquals(Set.of("r1n1", "r4n1"), Set.copyOf(d.values())));
  }

  @Test
  void stripesAreRepairedWhileOthersAreListed() throws Exception {
    for (int i = 0; i < 10; i++) {
      cluster.stripe("rs-3-2", 1, HOMES);
    }
    cluster.kill("r1n0");
    assertEquals(0, run(new OneByOne(damaged())));
    assertEquals(10, work.repaired.size());
  }

  /** More than are in memory at a time. */
  @Test
  void lostBlocksComeBackThoughMisplacedOnesFindNoPlace() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.put(cluster.block(id, 1), "r2n1");
    cluster.kill("r1n0");
    cluster.kill("r1n1");
    run();
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
    assertEquals(Set.of(id), work.givenUp.keySet(), "what stays misplaced is named");
  }

  @Test
  void onPaperTheSameIsNamed() throws Exception {
    work.paper = true;
    lostBlocksComeBackThoughMisplacedOnesFindNoPlace();
    assertEquals(1, work.begun.size());
  }

  @Test
  void whereReadersWaitMisplacedBlocksAreLeftToTheNextRepair() throws Exception {
    awaited = true;
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.put(cluster.block(id, 1), "r2n1");
    cluster.kill("r1n0");
    cluster.kill("r1n1");
    long since = ticker.millis();
    run();
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
    assertEquals(Map.of(), work.givenUp);
    assertTrue(ticker.millis() - since < NextTry.DELETING_MILLIS);
  }

  @Test
  void aStripeIsLookedAtAgainWhereTheNameNodeDoesNotAnswerForAMoment() throws Exception {
    work.failures = 3;
    lostBlocksComeBackThoughMisplacedOnesFindNoPlace();
    assertEquals(0, work.failures);
  }

  /** Others rebuilt and moved its blocks meanwhile, and a look of before does not say so. */
  @Test
  void aStripeThatIsHealthyByNowIsNotBegunAgain() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.put(cluster.block(id, 1), "r2n1");
    cluster.kill("r1n0");
    cluster.kill("r1n1");
    work.attempts.add(
        unused -> {
          cluster.revive("r1n0");
          cluster.put(cluster.block(id, 1), "r1n0");
        });
    run();
    assertEquals(List.of(id), work.begun);
    assertEquals(Map.of(), work.givenUp);
  }

  @Test
  void aMisplacedBlockIsMoved() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.put(cluster.block(id, 1), "r2n1");
    run();
    Map<Integer, String> moved = work.repaired.get(id);
    assertEquals(Set.of(1), moved.keySet());
    assertEquals("/r1", cluster.rack(moved.get(1)));
  }

  @Test
  void aNodeThatJoinsTakesBlocksAndHelps() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.kill("r0n1");
    cluster.kill("r1n0");
    cluster.silence("r4n1"); // so that the stripe waits for a place in rack 0
    work.atLook(
        3,
        () -> {
          cluster.join("late", "/r0");
          cluster.join("helper", "/r4");
          cluster.put(cluster.block(id, 4), "helper");
        });
    run();
    assertEquals(Map.of(), work.givenUp);
    assertEquals(Set.of("late", "r1n1"), Set.copyOf(work.repaired.get(id).values()));
    assertTrue(work.busy.containsKey("helper"), work.busy.toString());
  }

  @Test
  void aDestinationThatFailedIsAvoided() throws Exception {
    cluster = new FakeCluster(5, 3);
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    Set<String> failed = new HashSet<>();
    work.attempts.add(
        destinations -> {
          failed.addAll(destinations.values());
          int number = cluster.look().topology().indexOf(destinations.get(0)).orElseThrow();
          throw new AttemptFailed(new RepairFailure(Set.of(), Set.of(number), "disk full"), null);
        });
    run();
    assertEquals(2, work.begun.size());
    assertFalse(failed.contains(work.repaired.get(id).get(0)), failed.toString());
  }

  /** The blocks are at their places, but nobody verified them and named their homes. */
  @Test
  void whatAFailedAttemptHasRebuiltAllTheSameIsFinished() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(destinations -> putAndFail(id, destinations));
    run();
    assertEquals(List.of(id), work.begun);
    assertEquals(List.of(id), work.finished);
    assertEquals(Map.of(), work.givenUp);
  }

  private void putAndFail(String id, Map<Integer, String> destinations) throws IOException {
    destinations.forEach((b, node) -> cluster.put(cluster.block(id, b), node));
    throw new AttemptFailed("described anew", Set.of());
  }

  @Test
  void whatCannotBeFinishedIsTriedAgainAndThenNamed() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(destinations -> putAndFail(id, destinations));
    for (int i = 0; i < 9; i++) {
      work.finishes.add(
          unused -> {
            throw new AttemptFailed("no answer", Set.of());
          });
    }
    run();
    assertEquals(List.of(id), work.begun);
    assertEquals(5, work.finished.size());
    assertEquals(Map.of(id, "no answer"), work.givenUp);
  }

  /** The new copy was bad. */
  @Test
  void whatIsLostAgainWhileItIsFinishedIsRebuiltAnew() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.join("other", "/r0");
    work.attempts.add(
        destinations -> {
          String place = destinations.get(0);
          work.finishes.add(
              unused -> {
                bad.add(cluster.block(id, 0), place);
                throw new AttemptFailed("it reads back wrong", Set.of());
              });
          putAndFail(id, destinations);
        });
    run();
    assertEquals(List.of(id, id), work.begun);
    assertEquals(List.of(id), work.finished);
    assertEquals(Map.of(), work.givenUp);
  }

  /** Its node is back: there is nothing to finish, but that is for the work to see. */
  @Test
  void aStripeThatIsHealthyAfterAnAttemptThatFailedIsBegunOnce() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        unused -> {
          cluster.revive("r0n0");
          throw new AttemptFailed("no luck", Set.of());
        });
    run();
    assertEquals(List.of(id), work.begun);
    assertEquals(Map.of(), work.repaired);
    assertEquals(Map.of(), work.givenUp);
  }

  /** All DataNodes are asked. */
  @Test
  void aLookThatTakesLongIsMadeLessOften() throws Exception {
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    long[] begun = new long[1];
    work.lookMillis = 4_000;
    work.attempts.add(
        unused -> {
          begun[0] = ticker.millis();
          while (ticker.millis() - begun[0] < 200_000) {
            gate.acquireUninterruptibly();
          }
        });
    timeout = 3_600_000;
    run();
    assertTrue(work.looks >= 8, work.looks + " looks in 200 s");
    assertTrue(work.looks <= 12, work.looks + " looks in 200 s");
  }

  /** The NameNode lists its block too late for it. */
  @Test
  void whatTheLastAttemptHasRebuiltIsFinished() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    for (int i = 1; i < ATTEMPTS; i++) {
      work.attempts.add(
          unused -> {
            throw new AttemptFailed("no luck", Set.of());
          });
    }
    work.attempts.add(destinations -> putAndFail(id, destinations));
    run();
    assertEquals(List.of(id), work.finished);
    assertEquals(Map.of(), work.givenUp);
  }

  @Test
  void whatWaitsToBeFinishedIsFinishedSomeStripesAtATime() throws Exception {
    int stripes = 40;
    for (int i = 0; i < stripes; i++) {
      String id = cluster.stripe("rs-3-2", 1, HOMES);
      work.attempts.add(
          unused -> {
            throw new AttemptFailed("no luck", Set.of());
          });
      work.finishes.add(unused -> {});
      assertFalse(id.isEmpty());
    }
    cluster.kill("r0n0");
    work.atLook(2, () -> cluster.revive("r0n0"));
    run();
    assertEquals(Map.of(), work.givenUp);
    assertTrue(work.mostFinishing <= 4, work.mostFinishing + " at once");
  }

  /** By the same look a stripe that failed is beyond repair, and a node has joined. */
  @Test
  void aStripeThatIsGivenUpInPassingEndsNoOther() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        unused -> {
          ticker.pass(60_000);
          cluster.kill("r1n0");
          cluster.kill("r2n0");
          cluster.join("late", "/r0");
          throw new AttemptFailed("helpers died", Set.of());
        });
    run();
    assertEquals(Set.of(id), work.givenUp.keySet());
  }

  @Test
  void whatGivesWayWhileItIsFinishedIsNotGivenUp() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(destinations -> putAndFail(id, destinations));
    work.finishes.add(
        unused -> {
          throw new GaveWayException();
        });
    run();
    assertEquals(List.of(id), work.finished);
    assertEquals(Map.of(), work.givenUp);
  }

  @Test
  void afterFiveAttemptsAStripeIsGivenUp() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    for (int i = 0; i < 9; i++) {
      work.attempts.add(
          unused -> {
            throw new AttemptFailed("no luck", Set.of());
          });
    }
    run();
    assertEquals(5, work.begun.size());
    assertEquals(Map.of(id, "5 attempts failed, the last: no luck"), work.givenUp);
  }

  @Test
  void whatFailsForAnotherReasonIsTriedAgainOnlyForReaders() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    Attempt fails =
        unused -> {
          throw new IOException("connection reset");
        };
    work.attempts.add(fails);
    run();
    assertEquals(Map.of(id, "connection reset"), work.givenUp);
    awaited = true;
    work.givenUp.clear();
    work.attempts.add(fails);
    run();
    assertEquals(Map.of(), work.givenUp);
    assertEquals(Set.of(id), work.repaired.keySet());
    cluster.kill("r1n0");
    work.attempts.add(
        unused -> {
          throw new RefusedException("2 of 5");
        });
    run();
    assertEquals(Map.of(id, "2 of 5"), work.givenUp);
  }

  @Test
  void whatTakesTooLongIsStoppedAndPlannedElsewhere() throws Exception {
    cluster = new FakeCluster(5, 3);
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    Set<String> slow = new HashSet<>();
    work.attempts.add(
        destinations -> {
          slow.addAll(destinations.values());
          try {
            TimeUnit.HOURS.sleep(1);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    long since = ticker.millis();
    run();
    assertTrue(ticker.millis() - since >= TIMEOUT);
    assertFalse(slow.contains(work.repaired.get(id).get(0)), slow.toString());
  }

  /** On a machine with too much to do, many nodes are silent at once, and answer again soon. */
  @Test
  void aStripeOfWhichTooFewBlocksAnswerWhenItsTurnComesIsNotGivenUp() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        destinations -> {
          List.of("r1n0", "r2n0", "r3n0").forEach(cluster::silence);
          work.atLook(
              work.looks + 4, () -> List.of("r1n0", "r2n0", "r3n0").forEach(cluster::revive));
          ClusterState now = cluster.look();
          Damaged stripe = Damaged.of(cluster.status(id), now, bad);
          RepairAttempt.of(
              stripe,
              now,
              Objects.requireNonNull(work.last),
              Objects.requireNonNull(work.numbers),
              Map.of());
        });
    run();
    assertEquals(Map.of(), work.givenUp);
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
  }

  @Test
  void aStripeBeyondRepairIsGivenUpWithNumbers() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.kill("r1n0");
    cluster.silence("r2n0");
    run();
    assertEquals(
        Map.of(
            id,
            "2 of the 5 blocks of its stripe can be had, 3 are needed: 3 are on nodes that do not"
                + " answer, the lost ones were on r0n0, r1n0, r2n0"),
        work.givenUp);
    assertEquals(List.of(), work.begun);
  }

  @Test
  void anInterruptBreaksOffTheRepairsThatRun() throws Exception {
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    CountDownLatch broken = new CountDownLatch(1);
    Thread loop = Thread.currentThread();
    work.attempts.add(
        unused -> {
          loop.interrupt();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            broken.countDown();
            throw new IOException(e);
          }
        });
    assertThrows(InterruptedIOException.class, this::run);
    assertTrue(Thread.interrupted());
    // It was given the time to clean up.
    assertEquals(0, broken.getCount());
    assertEquals(Map.of(), work.repaired);
  }

  @Test
  void nothingIsBegunOnceItIsHalted() throws Exception {
    budgets = new RepairBudgets(1, 1, 1);
    for (int i = 0; i < 3; i++) {
      cluster.stripe("rs-3-2", 1, HOMES);
    }
    cluster.kill("r0n0");
    work.attempts.add(unused -> work.halted = true);
    assertEquals(0, run());
    assertEquals(1, work.repaired.size());
    assertEquals(Map.of(), work.givenUp);
  }

  @Test
  void whatNobodyForesawOfOneStripeStopsNoOther() throws Exception {
    budgets = new RepairBudgets(1, 1, 1);
    String first = cluster.stripe("rs-3-2", 1, HOMES);
    String second = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        unused -> {
          throw new NoSuchElementException("No value present");
        });
    run();
    assertEquals(Set.of(second), work.repaired.keySet());
    assertEquals(Set.of(first), work.givenUp.keySet());
    String reason = work.givenUp.get(first);
    assertTrue(reason.contains("an error of Braid"), reason);
    assertTrue(reason.contains("run the command again"), reason);
  }

  @Test
  void anErrorEndsTheWork() {
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        unused -> {
          throw new AssertionError("halt");
        });
    assertEquals("halt", assertThrows(AssertionError.class, this::run).getMessage());
  }
}
