package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.coordinator.repair.RepairAttempt.Reread;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairFailure;
import org.braid.plan.schedule.RepairCounts;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.schedule.ScheduledRepair;
import org.braid.plan.shape.RepairPlanners;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RepairAttemptTest {
  private final FakeCluster cluster = new FakeCluster(5, 2);
  private final String id = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  private final BadReplicas bad = new BadReplicas();
  private Topology known = cluster.look().topology();

  @BeforeEach
  void lose() {
    cluster.kill("r0n0");
  }

  private Damaged damaged(ClusterState state) {
    StripeStatus status = cluster.status(id);
    return Damaged.of(status, state, bad);
  }

  private ScheduledRepair scheduled() {
    return scheduled(Map.of());
  }

  private ScheduledRepair scheduled(Map<Integer, Integer> standIns) {
    ClusterState state = cluster.look();
    known = state.topology();
    Damaged damaged = damaged(state);
    Members members = damaged.determined();
    return RepairSchedulers.MPPR
        .schedule(
            List.of(
                LostStripes.of(
                    damaged.status(), members, members.homeless(), standIns, state, known)),
            new RepairCounts(LostStripes.servers(known, state, new int[known.nodes()], 1)),
            new PlanSettings(RepairPlanners.named("star"), Network.of(known)),
            new SplittableRandom(1))
        .assigned()
        .get(0);
  }

  private RepairAttempt attempt(ScheduledRepair scheduled) throws IOException {
    ClusterState state = cluster.look();
    return RepairAttempt.of(damaged(state), state, scheduled, known, Map.of());
  }

  private RepairFailure refused(ScheduledRepair scheduled) {
    return assertThrows(AttemptFailed.class, () -> attempt(scheduled)).failure();
  }

  @Test
  void whatWasScheduledIsDoneByTheNumbersOfNow() throws Exception {
    ScheduledRepair scheduled = scheduled();
    cluster.join("first", "/a");
    RepairAttempt attempt = attempt(scheduled);
    assertEquals(Set.of(0), attempt.rootOf().keySet());
    assertEquals("r0n1", attempt.state().name(attempt.root(0)));
    assertEquals(scheduled.equations(), attempt.equations());
  }

  @Test
  void aDestinationThatCannotTakeABlockAnyMoreIsNamed() {
    ScheduledRepair scheduled = scheduled();
    int number = known.indexOf("r0n1").orElseThrow();
    cluster.retire("r0n1");
    RepairFailure failure = refused(scheduled);
    assertEquals("r0n1 cannot take a block any more", failure.reason());
    assertEquals(Set.of(number), failure.destinations());
  }

  @Test
  void aDestinationThatDeletesACopyOfTheBlockIsNamed() {
    ScheduledRepair scheduled = scheduled();
    cluster.deleting(cluster.block(id, 0), List.of("r0n1"));
    assertEquals("r0n1 cannot take a block any more", refused(scheduled).reason());
  }

  @Test
  void aDestinationWhoseRackWasTakenMeanwhileIsNamed() {
    ScheduledRepair scheduled = scheduled();
    cluster.put(cluster.block(id, 1), "r0n1");
    assertEquals("r0n1 cannot take a block any more", refused(scheduled).reason());
  }

  @Test
  void aBlockWhoseNodeHasABadCopyIsRebuiltAtAStandIn() throws Exception {
    cluster.revive("r0n0");
    cluster.spoil(cluster.block(id, 0), "r0n0");
    cluster.kill("r0n1");
    int own = known.indexOf("r0n0").orElseThrow();
    assertEquals(Map.of(0, own), damaged(cluster.look()).blocked(cluster.look()));
    RepairAttempt attempt = attempt(scheduled(Map.of(0, own)));
    assertEquals(Map.of(0, own), attempt.standIns());
    assertNotEquals(own, attempt.root(0));
  }

  @Test
  void anotherLossMeanwhileIsScheduledAnew() {
    ScheduledRepair scheduled = scheduled();
    cluster.silence("r3n0");
    assertEquals(
        new RepairFailure(Set.of(), Set.of(), "blocks [0] were to get a place, now it is [0, 3]"),
        refused(scheduled));
  }

  @Test
  void helpersThatAreGoneAreNotReadFrom() {
    ScheduledRepair scheduled = scheduled();
    int helper = scheduled.helpers().iterator().next();
    // Lost beyond what the others determine: it is not asked for any more, nor can it help.
    for (int i = 1; i < 4; i++) {
      cluster.lose(cluster.block(id, i));
    }
    assertTrue(helper < 4);
    String reason = refused(scheduled).reason();
    assertTrue(
        reason.startsWith("1 of the 5 blocks of its stripe can be had, 3 are needed"), reason);
  }

  @Test
  void afterAFailureHelpersAndDestinationsThatFailedAreAvoided() throws Exception {
    ScheduledRepair scheduled = scheduled();
    RepairAttempt attempt = attempt(scheduled);
    ClusterState state = attempt.state();
    int helper = state.indexOf("r2n0").orElseThrow();
    int destination = state.indexOf("r0n1").orElseThrow();
    var failed =
        new PlanFailedException(
            "two nodes", null, Map.of(helper, "reset", destination, "full"), Set.of(), Set.of());
    int number = known.indexOf("r0n1").orElseThrow();
    assertEquals(
        new RepairFailure(Set.of(2), Set.of(number), "two nodes"),
        attempt.blame(failed, Reread.WELL));
    assertEquals(
        new RepairFailure(Set.of(2), Set.of(), "two nodes"),
        attempt.blame(failed, new Reread(Set.of(1), Set.of())),
        "a bad copy explains it");
    assertEquals(List.of(1, 2, 3, 4), attempt.suspects(failed));
    var silent = new PlanFailedException("one is silent", null, Map.of(), Set.of(helper), Set.of());
    assertEquals(
        new RepairFailure(Set.of(2), Set.of(), "one is silent"),
        attempt.blame(silent, Reread.WELL));
    assertEquals(List.of(1, 3, 4), attempt.suspects(silent));
  }

  /** On a machine with too much to do, workers answer late, or are busy: their copies are well. */
  @Test
  void aHelperThatCannotBeReadForAMomentIsAvoidedAndNotBad() throws Exception {
    RepairAttempt attempt = attempt(scheduled());
    var failed = new PlanFailedException("a stream broke", null);
    Reread reread =
        attempt.reread(
            failed,
            bad,
            (node, block) -> {
              int position = (int) (block.id() % 100);
              switch (position) {
                case 1 -> throw new SocketTimeoutException("did not answer");
                case 2 -> throw told(RetriableException.class, "r2n0 is busy");
                case 3 -> throw told(IOException.class, "blk_103 is corrupt");
                default -> {
                  return position;
                }
              }
            });
    assertEquals(new Reread(Set.of(3), Set.of(1, 2)), reread);
    assertEquals(List.of(1, 2, 4), damaged(attempt.state()).members().available());
    assertEquals(
        new RepairFailure(Set.of(1, 2), Set.of(), "a stream broke"), attempt.blame(failed, reread));
  }

  private static IOException told(Class<? extends IOException> type, String message) {
    return assertThrows(
        IOException.class,
        () ->
            Rpc.call(
                () -> {
                  throw new ServiceException(new RemoteException(type.getName(), message));
                }));
  }
}
