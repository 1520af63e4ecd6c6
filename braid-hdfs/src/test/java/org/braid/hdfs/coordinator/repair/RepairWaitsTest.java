package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.manage.RepairFailure;
import org.junit.jupiter.api.Test;

/** What stripes wait for that cannot be repaired at once, and for how long. */
final class RepairWaitsTest extends RepairsOnFakes {
  private final ConnectException away = new ConnectException("nn1:8020: Connection refused");

  @Test
  void stripesThatWaitForSilentNodesKeepNoOthersWaiting() throws Exception {
    delay = 3_600_000;
    cluster.heardOf("r0n0", 60_000);
    for (int i = 0; i < 4100; i++) {
      cluster.stripe("rs-3-2", 1, HOMES);
    }
    cluster.kill("r0n0");
    String last = cluster.stripe("rs-3-2", 1, "r0n1", "r1n1", "r2n1", "r3n1", "r4n1");
    cluster.kill("r4n1");
    cluster.heardOf("r4n1", delay);
    List<Damaged> damaged = new ArrayList<>(damaged());
    damaged.sort(Comparator.comparing(stripe -> stripe.id().equals(last)));
    Iterator<Damaged> left = damaged.iterator();
    RepairFeed feed =
        new RepairFeed() {
          @Override
          public Optional<List<Damaged>> next(ClusterState state, long millis) {
            List<Damaged> page = new ArrayList<>();
            while (page.size() < 100 && left.hasNext()) {
              page.add(left.next());
            }
            return Optional.of(page);
          }

          @Override
          public boolean ended() {
            return !left.hasNext();
          }
        };
    assertEquals(4100, run(feed));
    assertEquals(Set.of(last), work.repaired.keySet());
  }

  @Test
  void aStripeWithoutAPlaceIsRepairedAsSoonAsASilentNodeAnswers() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.silence("r0n1");
    work.atLook(10, () -> cluster.revive("r0n1"));
    run();
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
    assertEquals(Map.of(), work.givenUp);
  }

  /** As its host or the network stalls: one that restarts ends the lease, too. */
  @Test
  void aNameNodeThatDoesNotAnswerForAMomentEndsNoRun() throws Exception {
    work.failLooks(
        2, 5, new RemoteException(StandbyException.class.getName(), "READ is not supported"));
    aStripeWithoutAPlaceIsRepairedAsSoonAsASilentNodeAnswers();
  }

  @Test
  void whatFailsWhileTheNameNodeDoesNotAnswerIsTriedAgain() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    RepairFailure none = new RepairFailure(Set.of(), Set.of(), "a node stopped");
    work.attempts.add(
        unused -> {
          work.failures = 1;
          work.failLooks(work.looks + 1, 1, away);
          throw new AttemptFailed(none, null);
        });
    run();
    assertEquals(List.of(id, id), work.begun);
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
  }

  /** The NameNode does not answer the next repairs, nor the looks at the cluster after each. */
  private void failRepairs(int repairs, int looks) {
    for (int i = 0; i < repairs; i++) {
      work.attempts.add(
          unused -> {
            work.failLooks(work.looks + 1, looks, away);
            throw away;
          });
    }
  }

  @Test
  void aRepairThatTheNameNodeDoesNotAnswerIsNoAttempt() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    failRepairs(ATTEMPTS + 2, 3);
    run();
    assertEquals(Map.of(), work.givenUp);
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
    assertEquals(ATTEMPTS + 3, work.begun.size());
  }

  @Test
  void whileTheNameNodeDoesNotAnswerNoRepairIsBegun() throws Exception {
    budgets = new RepairBudgets(1, 1, 1);
    String first = cluster.stripe("rs-3-2", 1, HOMES);
    String second = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    failRepairs(1, 3);
    AtomicInteger looks = new AtomicInteger();
    work.attempts.add(unused -> looks.set(work.looks));
    run();
    assertTrue(looks.get() >= 4, "begun after " + looks + " looks");
    assertEquals(3, work.begun.size());
    assertEquals(Set.of(first, second), work.repaired.keySet());
  }

  /** Looks are answered, and still the repair is not: that is not waited for for ever. */
  @Test
  void aStripeWhoseRepairIsNeverAnsweredIsGivenUp() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    failRepairs(200, 0);
    run();
    assertEquals(Map.of(id, "nn1:8020: Connection refused"), work.givenUp);
    assertTrue(work.begun.size() > ATTEMPTS && work.begun.size() < 50, "" + work.begun.size());
  }

  @Test
  void noMoreIsWaitedForWhenTheWorkIsHalted() throws Exception {
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        unused -> {
          work.halted = true;
          throw away;
        });
    assertEquals(0, run());
    assertEquals(1, work.begun.size());
    assertEquals(Map.of(), work.givenUp);
  }

  @Test
  void whatWasRebuiltIsFinishedWhenTheNameNodeAnswersAgain() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        unused -> {
          cluster.put(cluster.block(id, 0), "r0n1");
          throw new AttemptFailed("no luck", Set.of());
        });
    work.finishes.add(
        unused -> {
          work.failLooks(work.looks + 1, 3, away);
          throw away;
        });
    run();
    assertEquals(Map.of(), work.givenUp);
    assertEquals(List.of(id, id), work.finished);
  }

  /** A time-out is an interrupt to Java, and none to those who wait. */
  @Test
  void aTimeOutAtAStripeWithoutAPlaceEndsNoRun() throws Exception {
    work.failures = 2;
    work.failure = new SocketTimeoutException("60000 millis timeout");
    aStripeWithoutAPlaceIsRepairedAsSoonAsASilentNodeAnswers();
    assertEquals(0, work.failures);
  }

  @Test
  void aStripeThatCannotBeLookedAtAfterItsLastAttemptIsGivenUpAlone() throws Exception {
    budgets = new RepairBudgets(1, 1, 1);
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    for (int i = 1; i <= ATTEMPTS; i++) {
      boolean last = i == ATTEMPTS;
      work.attempts.add(
          unused -> {
            work.failures = last ? 1 : 0;
            work.failure = new IOException("its description is damaged");
            throw new AttemptFailed("no luck", Set.of());
          });
    }
    run();
    assertEquals(1, work.givenUp.size());
    assertEquals(1, work.repaired.size());
  }

  @Test
  void anAnswerAboutAStripeEndsTheOutageToo() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        unused -> {
          work.failLooks(work.looks + 1, 10, away);
          throw new AttemptFailed("no luck", Set.of());
        });
    run();
    assertEquals(Set.of(id), work.repaired.keySet());
    assertEquals(1, work.looks, "the stripe was looked at after it, and begun again");
  }

  @Test
  void aNameNodeThatStaysAwayEndsTheRunWithItsReason() {
    work.failLooks(2, Integer.MAX_VALUE - 2, away);
    long since = ticker.millis();
    IOException e =
        assertThrows(
            IOException.class, this::aStripeWithoutAPlaceIsRepairedAsSoonAsASilentNodeAnswers);
    assertEquals(away, e);
    assertTrue(seconds(since) >= 120 && seconds(since) < 140, seconds(since) + " s");
  }

  @Test
  void aLookThatFailsForGoodEndsTheRun() {
    work.failLooks(2, 1, new AccessControlException("not the superuser"));
    IOException e =
        assertThrows(
            IOException.class, this::aStripeWithoutAPlaceIsRepairedAsSoonAsASilentNodeAnswers);
    assertEquals("not the superuser", e.getMessage());
  }

  @Test
  void silentNodesAreNotWaitedForForEver() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.silence("r0n1");
    long since = ticker.millis();
    run();
    assertEquals(30, seconds(since));
    String reason = work.givenUp.get(id);
    assertTrue(reason.contains("with at most 1 in a rack (8 eligible nodes in 4 racks)"), reason);
  }

  @Test
  void withoutHopeAStripeIsGivenUpAtOnce() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.kill("r0n1");
    long since = ticker.millis();
    run();
    assertEquals(Set.of(id), work.givenUp.keySet());
    assertEquals(0, ticker.millis() - since);
  }

  @Test
  void aNodeThatDeletesASurplusCopyIsWaitedFor() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    long block = cluster.block(id, 0);
    cluster.deleting(block, List.of("r0n1"));
    work.atLook(5, () -> cluster.deleting(block, List.of()));
    run();
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
  }

  @Test
  void aDeletionThatNeverEndsIsWaitedForSoLong() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.deleting(cluster.block(id, 0), List.of("r0n1"));
    long since = ticker.millis();
    run();
    assertEquals(20, seconds(since));
    assertEquals(Set.of(id), work.givenUp.keySet());
  }

  /** The only node for it has a bad copy, which HDFS keeps as long as there is no good one. */
  private String atStandIn() {
    cluster = new FakeCluster(5, 1);
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.spoil(cluster.block(id, 0), "r0n0");
    work.attempts.add(
        places -> {
          assertFalse(places.containsValue("r0n0"), "a stand-in");
          ticker.pass(4 * NextTry.DELETING_MILLIS);
          cluster.deleting(cluster.block(id, 0), List.of("r0n0"));
        });
    return id;
  }

  @Test
  void aBlockGoesHomeFromItsStandInOnceTheBadCopyIsDeleted() throws Exception {
    String id = atStandIn();
    work.atLook(10, () -> cluster.deleting(cluster.block(id, 0), List.of()));
    run();
    assertEquals(Map.of(), work.givenUp);
    assertEquals(Map.of(id, Map.of(0, "r0n0")), work.repaired);
    assertEquals(List.of(id, id), work.begun);
  }

  @Test
  void aBlockThatDoesNotGetHomeFromItsStandInIsNamed() throws Exception {
    String id = atStandIn();
    run();
    String reason = work.givenUp.get(id);
    assertTrue(reason.endsWith("is elsewhere while its home has a bad copy of it"), reason);
    assertEquals(List.of(id), damaged().stream().map(Damaged::id).toList(), "the next repair's");
  }

  @Test
  void aBlockWhoseWayHomeFailsIsNamed() throws Exception {
    String id = atStandIn();
    work.atLook(10, () -> cluster.deleting(cluster.block(id, 0), List.of()));
    for (int i = 0; i < ATTEMPTS; i++) {
      work.attempts.add(
          unused -> {
            throw new AttemptFailed("no luck", Set.of());
          });
    }
    run();
    assertEquals(1 + ATTEMPTS, work.begun.size());
    assertEquals(Set.of(id), work.givenUp.keySet());
  }

  @Test
  void noStandInIsTakenWhereTheBlocksOwnNodeIsGone() throws Exception {
    cluster = new FakeCluster(5, 1);
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.spoil(cluster.block(id, 0), "r0n0");
    cluster.kill("r0n0");
    run();
    assertEquals(Set.of(id), work.givenUp.keySet());
  }

  /** No attempt goes well, of more than are made. */
  private void runWithoutLuck() throws Exception {
    for (int i = 0; i < 20; i++) {
      work.attempts.add(
          unused -> {
            throw new AttemptFailed("no luck", Set.of());
          });
    }
    run();
  }

  @Test
  void standInsAreTriedSoOften() throws Exception {
    cluster = new FakeCluster(5, 1);
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.spoil(cluster.block(id, 0), "r0n0");
    runWithoutLuck();
    assertEquals(NextTry.MOST_STAND_INS, work.begun.size());
    assertEquals(Set.of(id), work.givenUp.keySet());
  }

  /** What was refused with a move counts no attempts: those without it have to. */
  @Test
  void aStripeThatCannotBeRebuiltBesideABlockWithoutAPlaceIsGivenUp() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, "r0n0", "r0n1", "r2n0", "r3n0", "r4n0");
    cluster.kill("r1n0");
    cluster.kill("r1n1");
    cluster.kill("r4n0");
    runWithoutLuck();
    assertEquals(ATTEMPTS, work.begun.size());
    assertEquals(Set.of(id), work.givenUp.keySet());
  }

  @Test
  void aLossThatOnlySeemsSoIsWaitedForWhenThereIsNoPlace() throws Exception {
    cluster = new FakeCluster(5, 1);
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.distrust("r0n0");
    work.atLook(4, () -> cluster.trust("r0n0"));
    run();
    assertEquals(List.of(), work.begun);
    assertEquals(Map.of(), work.givenUp);
    assertEquals(4, work.looks);
  }

  @Test
  void blocksOnNodesThatAreSilentForAMomentAreWaitedFor() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.silence("r1n0");
    cluster.silence("r2n0");
    work.atLook(
        4,
        () -> {
          cluster.revive("r1n0");
          cluster.revive("r2n0");
        });
    run();
    assertEquals(Map.of(), work.givenUp);
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
  }

  @Test
  void blocksOnNodesThatAreSilentForLongAreNotWaitedFor() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.unplug("r1n0");
    cluster.silence("r2n0");
    cluster.heardOf("r2n0", 6000);
    long since = ticker.millis();
    run();
    assertEquals(Set.of(id), work.givenUp.keySet());
    assertEquals(0, ticker.millis() - since);
  }

  @Test
  void everyOneOfManyStripesWithoutAPlaceIsGivenUp() throws Exception {
    for (int i = 0; i < 1100; i++) {
      cluster.stripe("rs-3-2", 1, HOMES);
    }
    cluster.kill("r0n0");
    cluster.kill("r0n1");
    assertEquals(0, run());
    assertEquals(1100, work.givenUp.size());
  }

  @Test
  void aLossThatMayBeTransientWaitsUnlessNothingIsSpare() throws Exception {
    delay = 3_600_000;
    cluster.heardOf("r0n0", 60_000);
    String patient = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    assertEquals(1, run());
    assertEquals(Map.of(), work.repaired);
    String urgent = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n1");
    cluster.kill("r4n1");
    assertEquals(1, run());
    assertEquals(Set.of(urgent), work.repaired.keySet());
    cluster.heardOf("r0n0", delay);
    assertEquals(0, run());
    assertEquals(Set.of(patient, urgent), work.repaired.keySet());
  }

  /** What was known of a stripe when it was queued says nothing of nodes that stopped since. */
  @Test
  void aHelperThatFallsSilentWhileTheStripeWaitsIsReplaced() throws Exception {
    budgets = new RepairBudgets(1, 1, 1);
    String first = cluster.stripe("rs-3-2", 1, HOMES);
    String id = cluster.stripe("rs-3-2", 1, "r0n0", "r0n1", "r2n0", "r3n0", "r4n0");
    cluster.kill("r4n0");
    work.attempts.add(
        unused -> {
          cluster.kill("r1n1");
          cluster.silence("r1n0");
          cluster.heardOf("r1n0", 60_000);
          cluster.silence("r2n0");
          ticker.pass(4_000);
        });
    run();
    assertEquals(Set.of(first, id), work.repaired.keySet());
    assertEquals(Set.of(2, 4), work.repaired.get(id).keySet());
    assertEquals(Set.of("r2n1", "r4n1"), Set.copyOf(work.repaired.get(id).values()));
  }

  @Test
  void aStripeThatIsWholeByTheTimeItIsRefusedIsForgotten() throws Exception {
    budgets = new RepairBudgets(1, 1, 1);
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        unused -> {
          cluster.revive("r0n0");
          cluster.kill("r0n1");
          ticker.pass(4_000);
        });
    run();
    assertEquals(1, work.begun.size());
    assertEquals(Map.of(), work.givenUp);
  }
}
