package org.braid.hdfs.coordinator.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.api.view.Health.Word;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.proto.BraidProtos.CodeTotalProto;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.proto.BraidProtos.HiddenStripeProto;
import org.braid.hdfs.proto.BraidProtos.TotalsResponseProto;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class HealthTallyTest {
  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String one = stripe();
  private final String other = stripe();
  private boolean safeMode;
  private boolean served = true;
  private int waiting;

  private String stripe() {
    return cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  }

  private void lose(String stripe, int... positions) {
    for (int position : positions) {
      cluster.lose(cluster.block(stripe, position));
    }
  }

  private ClusterState state() {
    CoordinationProto.Builder coordination =
        CoordinationProto.newBuilder()
            .setDeferring(true)
            .setWaitMillis(1)
            .setWaiting(waiting)
            .setServed(served)
            .setHearsHeartbeats(true);
    if (served) {
      coordination.setCoordinator("daemon");
    }
    return cluster.look(coordination.build(), safeMode);
  }

  private Health health(int undescribed) {
    HealthTally tally = new HealthTally(state());
    tally.add(cluster.stripes());
    return tally.health(true, undescribed);
  }

  private void assertHealth(Word word, String... causes) {
    Health health = health(0);
    assertEquals(word, health.word(), health.toString());
    assertEquals(causes.length, health.causes().size(), health.toString());
    for (int i = 0; i < causes.length; i++) {
      assertTrue(health.causes().get(i).what().startsWith(causes[i]), health.toString());
    }
  }

  /** Fewer blocks are there to rebuild the others from than was promised. */
  @Test
  void whatDeletionsLeaveIsNotAsPromised() {
    HealthTally tally = new HealthTally(state());
    List<MemberStatus> members = new ArrayList<>(cluster.status(one).members());
    members.set(0, MemberStatus.GONE);
    StripeStatus all = cluster.status(one);
    tally.add(
        List.of(new StripeStatus(all.stripe(), all.parityPath(), all.parityInode(), members)));
    Health health = tally.health(true, 0);
    assertEquals(Word.DEGRADED, health.word());
    assertTrue(health.causes().get(0).what().startsWith("1 stripe with blocks that were deleted"));
    HealthTally whole = new HealthTally(state());
    whole.setThinned(2);
    whole.setPaused(Instant.parse("2026-12-01T00:00:00Z"));
    List<Health.Cause> causes = whole.health(true, 0).causes();
    assertTrue(causes.get(0).what().startsWith("2 stripes with blocks that were deleted"));
    assertTrue(causes.get(1).what().startsWith("repair is paused until 2026-12-01T00:00:00Z"));
    whole.setPaused(Instant.MAX);
    assertEquals(
        "repair is paused until it is resumed: what is lost is not rebuilt until then",
        whole.health(true, 0).causes().get(1).what());
  }

  @Test
  void whatIsAtHomeIsHealthy() {
    assertHealth(Word.HEALTHY);
  }

  @Test
  void theWorstStripeGivesTheWord() {
    lose(one, 1);
    assertHealth(Word.DEGRADED, "1 stripe with lost blocks and spare ones left");
    lose(other, 0, 4);
    assertHealth(Word.AT_RISK, "1 stripe with lost blocks and no spare", "1 stripe with lost");
    lose(one, 2, 3);
    assertHealth(Word.LOST, "1 stripe with blocks that can neither", "1 stripe with lost blocks");
  }

  @Test
  void whatClientsCanReadIsNotLost() {
    lose(one, 0, 3);
    cluster.unplug("r4n0");
    cluster.unplug("r1n0");
    cluster.unplug("r2n0");
    // Braid can read no block of it, clients two data blocks of three.
    assertEquals(Word.LOST, health(0).word());
    cluster.put(cluster.block(one, 0), "r2n0");
    assertEquals(Word.AT_RISK, health(0).word());
  }

  /** As where the others of the stripe are of a file that only a snapshot has. */
  @Test
  void whatALaterStripeGivesBackIsNotLost() {
    cluster.reencode(cluster.block(one, 0));
    lose(one, 0, 3, 4);
    assertHealth(Word.AT_RISK, "1 stripe with lost blocks and no spare one");
    lose(one, 1);
    assertHealth(Word.LOST, "1 stripe with blocks that can neither");
  }

  @Test
  void misplacedBlocksAndThoseOfLeavingNodesDegrade() {
    cluster.put(cluster.block(one, 1), "r0n1");
    assertHealth(Word.DEGRADED, "1 stripe with blocks in wrong places");
    cluster.retire("r3n0");
    assertHealth(Word.DEGRADED, "2 stripes with blocks in wrong places");
  }

  @Test
  void surplusCopiesAndParityThatNothingNeedsAreWell() {
    cluster.copy(cluster.block(one, 0), "r5n0");
    for (int i = 0; i < 3; i++) {
      cluster.raise(cluster.block(other, i), 3);
    }
    lose(other, 3, 4);
    assertHealth(Word.HEALTHY);
  }

  @Test
  void nodesAreCountedByWhatAilsThem() {
    cluster.kill("r5n0");
    cluster.silence("r5n1");
    cluster.unplug("r4n1");
    assertHealth(
        Word.DEGRADED,
        "1 DataNode dead",
        "1 DataNode not answering",
        "1 DataNode running without Braid's plugin");
    cluster.retire("r5n0"); // its blocks are elsewhere: it may stay away
    assertHealth(Word.DEGRADED, "1 DataNode not answering", "1 DataNode running without");
  }

  @Test
  void safeModeSaysNothingOfDamage() {
    lose(one, 0, 1, 2);
    safeMode = true;
    assertHealth(Word.DEGRADED, "the NameNode is in safe mode: nothing is converted");
  }

  @Test
  void stripesNeedADaemonAndDescriptions() {
    served = false;
    waiting = 2;
    assertHealth(Word.DEGRADED, "no daemon runs", "2 calls of clients waiting");
    assertEquals(Word.HEALTHY, new HealthTally(cluster.look()).health(false, 0).word());
    assertEquals(Word.AT_RISK, health(3).word());
    assertTrue(health(3).causes().get(0).what().startsWith("3 stripes that this release cannot"));
  }

  private static CodeTotalProto total(String code, boolean known, int stripes) {
    return CodeTotalProto.newBuilder()
        .setCode(code)
        .setKnown(known)
        .setCopied(false)
        .setStripes(stripes)
        .setDataBlocks(0)
        .setDataBytes(0)
        .setReplicatedBytes(0)
        .setParityBlocks(0)
        .setParityBytes(0)
        .build();
  }

  /** Nobody would repair them, as the page and figures of the NameNode say, too. */
  @Test
  void stripesOfCodesThatAreNotKnownHereAreAtRiskThoughNothingIsLost() {
    TotalsResponseProto totals =
        TotalsResponseProto.newBuilder()
            .setBlocks(1)
            .setStoredBytes(1)
            .setThinned(0)
            .addCodes(total("rs-6-3", true, 5))
            .addCodes(total("new-6-3 (not usable here)", false, 4))
            .build();
    assertEquals(4, Overview.unusable(totals));
    HealthTally tally = new HealthTally(state());
    tally.setUnusable(Overview.unusable(totals));
    Health health = tally.health(true, 1);
    assertEquals(Word.AT_RISK, health.word());
    assertTrue(health.causes().get(0).what().startsWith("5 stripes that this release cannot"));
  }

  /** As after a return to an earlier release. */
  @Test
  void stripesThatAreTooManyToBeNamedCount() {
    TotalsResponseProto.Builder totals =
        TotalsResponseProto.newBuilder()
            .setBlocks(1)
            .setStoredBytes(1)
            .addHidden(HiddenStripeProto.newBuilder().setPath("/a").setProblem("version 3"));
    assertEquals(1, Overview.undescribed(totals.build()), "of an earlier NameNode");
    assertEquals(20_000, Overview.undescribed(totals.setUnreadable(20_000).build()));
  }

  @Test
  void aBlockWithoutACopyIsLostUnlessItIsBeingWritten() {
    HealthTally tally = new HealthTally(state());
    lose(one, 0);
    tally.addReplicated(cluster.status(one).member(1).status());
    assertEquals(Word.HEALTHY, tally.health(true, 0).word());
    tally.addReplicated(cluster.status(one).member(0).status());
    assertEquals(Word.LOST, tally.health(true, 0).word());
  }

  @Test
  void manyDamagedStripesAreEnoughToKnow() {
    lose(one, 1);
    HealthTally tally = new HealthTally(state());
    tally.add(Collections.nCopies(HealthTally.MOST_STRIPES - 1, cluster.status(one)));
    assertFalse(tally.isFull());
    tally.add(List.of(cluster.status(one)));
    assertTrue(tally.isFull());
    assertTrue(
        tally.health(true, 0).causes().get(0).what().startsWith("at least 10000 stripes"),
        tally.health(true, 0).toString());
  }
}
