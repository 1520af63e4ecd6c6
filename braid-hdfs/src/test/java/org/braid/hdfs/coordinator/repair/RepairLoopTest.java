package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.FakeTicker;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.manage.RepairFailure;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.schedule.ScheduledRepair;
import org.braid.plan.shape.RepairPlanners;
import org.junit.jupiter.api.Test;

final class RepairLoopTest {
  private static final String[] HOMES = {"r0n0", "r1n0", "r2n0", "r3n0", "r4n0"};
  private static final long TIMEOUT = 5_000;

  /** Repairs pass one by one, once the loop has begun all that it may and waits. */
  private final Semaphore gate = new Semaphore(0);

  private final FakeTicker ticker = new FakeTicker(gate::release);
  private final BadReplicas bad = new BadReplicas();
  private FakeCluster cluster = new FakeCluster(5, 2);
  private RepairBudgets budgets = new RepairBudgets(4, 32, 8);
  private long delay;
  private boolean awaited;

  /** What a repair of a stripe does to the cluster, instead of putting blocks at their places. */
  private interface Attempt {
    void run(Map<Integer, String> destinations) throws IOException;
  }

  private final class OnFakes implements RepairLoop.Work {
    final Map<String, String> givenUp = new TreeMap<>();
    final List<String> begun = Collections.synchronizedList(new ArrayList<>());
    final Map<String, Map<Integer, String>> repaired = Collections.synchronizedMap(new TreeMap<>());
    final List<Attempt> attempts = Collections.synchronizedList(new ArrayList<>());
    final Map<String, Integer> busy = new HashMap<>();
    int most;
    boolean halted;
    Runnable looked = () -> {};

    @Override
    public ClusterState look() {
      looked.run();
      return cluster.look();
    }

    @Override
    public StripeStatus refreshed(StripeStatus stripe) {
      return cluster.status(stripe.stripe().id());
    }

    @Override
    public void repair(Damaged stripe, ScheduledRepair scheduled, Topology known)
        throws IOException {
      begun.add(stripe.id());
      Map<Integer, String> destinations = new TreeMap<>();
      scheduled.destinations().forEach((b, node) -> destinations.put(b, known.nodeName(node)));
      Set<String> nodes = new HashSet<>();
      scheduled.nodes().forEach(node -> nodes.add(known.nodeName(node)));
      count(nodes, 1);
      try {
        gate.acquireUninterruptibly();
        if (!attempts.isEmpty()) {
          attempts.remove(0).run(destinations);
        }
      } finally {
        count(nodes, -1);
      }
      destinations.forEach((b, node) -> cluster.put(cluster.block(stripe.id(), b), node));
      repaired.put(stripe.id(), destinations);
    }

    private synchronized void count(Set<String> nodes, int change) {
      for (String node : nodes) {
        most = Math.max(most, busy.merge(node, change, Integer::sum));
      }
    }

    @Override
    public void giveUp(Damaged stripe, String reason) {
      assertFalse(givenUp.containsKey(stripe.id()), "given up twice");
      givenUp.put(stripe.id(), reason);
    }

    @Override
    public boolean halted() {
      return halted;
    }
  }

  private final OnFakes work = new OnFakes();

  /** Stripes of which each is listed when the one before it is repaired or given up. */
  private final class OneByOne implements RepairLoop.Feed {
    private final Deque<Damaged> left;
    private int listed;
    private boolean healthy;

    OneByOne(List<Damaged> stripes) {
      left = new ArrayDeque<>(stripes);
    }

    @Override
    public Optional<List<Damaged>> next(ClusterState state, long millis) {
      if (work.repaired.size() + work.givenUp.size() < listed) {
        return Optional.empty();
      }
      healthy = !healthy; // of every other page no stripe is damaged
      if (healthy) {
        return Optional.of(List.of());
      }
      listed++;
      return Optional.of(List.of(left.pop()));
    }

    @Override
    public boolean ended() {
      return left.isEmpty();
    }
  }

  private int run() throws IOException {
    return run(RepairLoop.Feed.of(damaged()));
  }

  private List<Damaged> damaged() throws IOException {
    ClusterState state = cluster.look();
    List<Damaged> damaged = new ArrayList<>();
    for (StripeStatus status : cluster.stripes()) {
      Damaged stripe = new Damaged(status, Members.of(status, state, bad));
      if (stripe.members().damaged()) {
        damaged.add(stripe);
      }
    }
    return damaged;
  }

  private int run(RepairLoop.Feed feed) throws IOException {
    ClusterState state = cluster.look();
    var planning = new PlanSettings(RepairPlanners.named("chain"), Network.of(state.topology()));
    var management = new RepairManager.Settings(budgets, delay, 0, TIMEOUT, 5, 0);
    var setup =
        new RepairLoop.Setup(management, RepairSchedulers.MPPR, planning, 1, 30_000, awaited);
    return new RepairLoop(work, setup, bad, state, ticker).run(feed);
  }

  private long seconds(long since) {
    return (ticker.millis() - since) / 1000;
  }

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
    RepairLoop.Feed feed =
        new RepairLoop.Feed() {
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
    int[] looks = new int[1];
    work.looked =
        () -> {
          if (++looks[0] == 10) {
            cluster.revive("r0n1");
          }
        };
    run();
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
    assertEquals(Map.of(), work.givenUp);
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
    int[] looks = new int[1];
    work.looked =
        () -> {
          if (++looks[0] == 5) {
            cluster.deleting(block, List.of());
          }
        };
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

  @Test
  void aLossThatOnlySeemsSoIsWaitedForWhenThereIsNoPlace() throws Exception {
    cluster = new FakeCluster(5, 1);
    cluster.stripe("rs-3-2", 1, HOMES);
    cluster.distrust("r0n0");
    int[] looks = new int[1];
    work.looked =
        () -> {
          if (++looks[0] == 4) {
            cluster.trust("r0n0");
          }
        };
    run();
    assertEquals(List.of(), work.begun);
    assertEquals(Map.of(), work.givenUp);
    assertEquals(4, looks[0]);
  }

  @Test
  void lostBlocksComeBackThoughMisplacedOnesFindNoPlace() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.put(cluster.block(id, 1), "r2n1");
    cluster.kill("r1n0");
    cluster.kill("r1n1");
    run();
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
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
    int[] looks = new int[1];
    work.looked =
        () -> {
          if (++looks[0] == 3) {
            cluster.join("late", "/r0");
            cluster.join("helper", "/r4");
            cluster.put(cluster.block(id, 4), "helper");
          }
        };
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
  void blocksOnNodesThatAreSilentForAMomentAreWaitedFor() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.silence("r1n0");
    cluster.silence("r2n0");
    int[] looks = new int[1];
    work.looked =
        () -> {
          if (++looks[0] == 4) {
            cluster.revive("r1n0");
            cluster.revive("r2n0");
          }
        };
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
