package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.api.RepairPreview.Expected;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.schedule.ScheduledRepair;
import org.braid.plan.shape.RepairPlanners;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.Throttle;
import org.junit.jupiter.api.Test;

/** What is planned without being done, by the loop that does it. */
final class ExpectedRepairsTest {
  private static final String[] HOMES = {"r0n0", "r1n0", "r2n0", "r3n0", "r4n0"};
  private static final long BLOCK = 1 << 20;
  private static final Network.Rates RATES = new Network.Rates(8 << 20, 1);

  private final FakeCluster cluster = new FakeCluster(5, 2);
  private final ExpectedRepairs expected = new ExpectedRepairs(RATES, BLOCK, 4);
  private final Map<String, String> givenUp = new TreeMap<>();
  private long delay;

  private int plan() throws IOException {
    ClusterState state = cluster.look();
    List<Damaged> damaged = new ArrayList<>();
    for (StripeStatus status : cluster.stripes()) {
      Damaged stripe = Damaged.of(status, state, new BadReplicas());
      if (stripe.members().damaged()) {
        damaged.add(stripe);
      }
    }
    var planning =
        new PlanSettings(RepairPlanners.named("star"), Network.of(state.topology()).with(RATES));
    var management = new RepairManager.Settings(new RepairBudgets(4, 32, 4), delay, -1, 5000, 5, 0);
    var setup = new RepairSetup(management, RepairSchedulers.MPPR, planning, 1, 30_000, false);
    RepairWork onPaper =
        new RepairWork() {
          @Override
          public ClusterState look() {
            return state;
          }

          @Override
          public StripeStatus refreshed(StripeStatus stripe) {
            return stripe;
          }

          @Override
          public void repair(Damaged stripe, ScheduledRepair scheduled, Topology known) {
            expected.add(stripe, scheduled, known);
          }

          @Override
          public void finish(Damaged stripe) {}

          @Override
          public void giveUp(Damaged stripe, String reason) {
            givenUp.put(stripe.id(), reason);
          }

          @Override
          public boolean halted() {
            return false;
          }
        };
    return new RepairLoop(onPaper, setup, new BadReplicas(), state, new PlannedTime())
        .run(RepairsOnFakes.feed(damaged));
  }

  private static Throttle limit(Kind kind, long bytes) {
    return new Throttle(Map.of(kind, bytes), Throttle.NONE.shares(), 0);
  }

  @Test
  void everyBlockThatWouldGoOverALinkIsCounted() throws Exception {
    for (int i = 0; i < 10; i++) {
      cluster.stripe("rs-3-2", 1, HOMES);
    }
    cluster.kill("r1n0");
    assertEquals(0, plan());
    Expected total = expected.total(Throttle.NONE);
    // Each block is rebuilt in its rack, from three others.
    assertEquals(10 * BLOCK, total.bytes());
    assertEquals(30 * BLOCK, total.crossRackBytes());
    assertEquals(0, total.inRackBytes());
    // The one node left in the rack gets all 30 blocks.
    assertEquals(30 / 8.0, total.seconds(), 1e-9);
    assertEquals(Map.of(), givenUp);
  }

  @Test
  void theThrottleHoldsBackWhatIsNotUrgent() throws Exception {
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r1n0");
    plan();
    long limit = 1 << 18;
    assertEquals(
        3 * BLOCK / (0.95 * limit), expected.total(limit(Kind.NODE, limit)).seconds(), 1e-6);
    assertNull(expected.total(limit(Kind.NODE, 0)).seconds());
  }

  @Test
  void whatIsUrgentIsNotHeldBack() throws Exception {
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r1n0");
    cluster.kill("r2n0");
    plan();
    Double seconds = expected.total(limit(Kind.NODE, 0)).seconds();
    assertTrue(seconds != null && seconds < 2, seconds + " s");
  }

  @Test
  void blocksInWrongPlacesMoveOnce() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.put(cluster.block(id, 1), "r0n1");
    plan();
    Expected total = expected.total(Throttle.NONE);
    assertEquals(BLOCK, total.bytes());
    assertEquals(BLOCK, total.crossRackBytes());
  }

  @Test
  void nobodyWaitsForNodesThatAreSilent() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.silence("r0n1");
    long since = System.nanoTime();
    plan();
    assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since) < 20);
    assertTrue(givenUp.containsKey(id), givenUp.toString());
    assertEquals(Expected.NOTHING, expected.total(Throttle.NONE));
  }

  @Test
  void stripesWhoseNodesMayComeBackArePostponed() throws Exception {
    delay = 60_000;
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.silence("r1n0");
    cluster.heardOf("r1n0", 1000);
    assertEquals(1, plan());
    assertEquals(Expected.NOTHING, expected.total(Throttle.NONE));
  }
}
