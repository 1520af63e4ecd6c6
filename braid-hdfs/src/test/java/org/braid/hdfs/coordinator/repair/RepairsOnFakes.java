package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.FakeTicker;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.schedule.ScheduledRepair;
import org.braid.plan.shape.RepairPlanners;
import org.jspecify.annotations.Nullable;

/** Runs the loop of repairs on a cluster in memory, whose clock passes while it waits. */
abstract class RepairsOnFakes {
  static final String[] HOMES = {"r0n0", "r1n0", "r2n0", "r3n0", "r4n0"};
  static final long TIMEOUT = 5_000;
  static final int ATTEMPTS = 5;

  /** Milliseconds that nodes have that were late. */
  static final long PATIENCE = 8_000;

  /** Repairs pass one by one, once the loop has begun all that it may and waits. */
  final Semaphore gate = new Semaphore(0);

  final FakeTicker ticker = new FakeTicker(gate::release);
  final BadReplicas bad = new BadReplicas();
  FakeCluster cluster = new FakeCluster(5, 2);
  RepairBudgets budgets = new RepairBudgets(4, 32, 8);
  long delay;
  long timeout = TIMEOUT;
  boolean awaited;

  /** What a repair of a stripe does to the cluster, instead of putting blocks at their places. */
  interface Attempt {
    void run(Map<Integer, String> destinations) throws IOException;
  }

  final class OnFakes implements RepairWork {
    final Map<String, String> givenUp = new TreeMap<>();
    final List<String> begun = Collections.synchronizedList(new ArrayList<>());
    final Map<String, Map<Integer, String>> repaired = Collections.synchronizedMap(new TreeMap<>());
    final List<Attempt> attempts = Collections.synchronizedList(new ArrayList<>());
    final List<String> finished = Collections.synchronizedList(new ArrayList<>());
    final List<Attempt> finishes = Collections.synchronizedList(new ArrayList<>());
    final Map<String, Integer> busy = new HashMap<>();

    /** Nodes that do not answer now, and do if they have more time. */
    final Set<String> slow = new HashSet<>();

    /** The last repair that was begun, and the topology that numbers its nodes. */
    volatile @Nullable ScheduledRepair last;

    volatile @Nullable Topology numbers;
    int most;
    int mostFinishing;
    private int finishing;
    boolean halted;
    int looks;
    long lookMillis;
    long refreshMillis;
    int failures;
    IOException failure = new ConnectException("the NameNode does not answer for a moment");
    boolean paper;
    private int failsFrom;
    private int failsUntil;
    private IOException lookFails = new IOException();
    private int changesAt;
    private Runnable change = () -> {};

    @Override
    public ClusterState look() throws IOException {
      ticker.pass(lookMillis);
      if (++looks == changesAt) {
        change.run();
      }
      if (looks >= failsFrom && looks < failsUntil) {
        throw lookFails;
      }
      return cluster.look();
    }

    @Override
    public ClusterState patiently(ClusterState seen) {
      if (slow.isEmpty()) {
        return seen;
      }
      ticker.pass(PATIENCE);
      slow.forEach(cluster::revive);
      slow.clear();
      return cluster.look();
    }

    /** Fails looks at the cluster, from the nth on. */
    void failLooks(int from, int count, IOException failure) {
      failsFrom = from;
      failsUntil = from + count;
      lookFails = failure;
    }

    /** Changes the cluster just before the loop looks at it for the nth time. */
    void atLook(int n, Runnable what) {
      changesAt = n;
      change = what;
    }

    @Override
    public StripeStatus refreshed(StripeStatus stripe) throws IOException {
      ticker.pass(refreshMillis);
      if (failures > 0) {
        failures--;
        throw failure;
      }
      return cluster.status(stripe.stripe().id());
    }

    @Override
    public void repair(Damaged stripe, ScheduledRepair scheduled, Topology known)
        throws IOException {
      begun.add(stripe.id());
      last = scheduled;
      numbers = known;
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
      repaired.put(stripe.id(), destinations);
      if (paper) {
        return;
      }
      destinations.forEach((b, node) -> cluster.put(cluster.block(stripe.id(), b), node));
    }

    @Override
    public void finish(Damaged stripe) throws IOException {
      finished.add(stripe.id());
      countFinishing(1);
      try {
        gate.acquireUninterruptibly();
        if (!finishes.isEmpty()) {
          finishes.remove(0).run(Map.of());
        }
      } finally {
        countFinishing(-1);
      }
    }

    private synchronized void countFinishing(int change) {
      finishing += change;
      mostFinishing = Math.max(mostFinishing, finishing);
    }

    private synchronized void count(Set<String> nodes, int change) {
      for (String node : nodes) {
        most = Math.max(most, busy.merge(node, change, Integer::sum));
      }
    }

    @Override
    public boolean changes() {
      return !paper;
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

  final OnFakes work = new OnFakes();

  /** Stripes of which each is listed when the one before it is repaired or given up. */
  final class OneByOne implements RepairFeed {
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

  /** These and no others. */
  static RepairFeed feed(Collection<Damaged> stripes) {
    Deque<List<Damaged>> left = new ArrayDeque<>(List.of(List.copyOf(stripes)));
    return new RepairFeed() {
      @Override
      public Optional<List<Damaged>> next(ClusterState state, long millis) {
        return Optional.of(left.pop());
      }

      @Override
      public boolean ended() {
        return left.isEmpty();
      }
    };
  }

  int run() throws IOException {
    return run(feed(damaged()));
  }

  List<Damaged> damaged() throws IOException {
    ClusterState state = cluster.look();
    List<Damaged> damaged = new ArrayList<>();
    for (StripeStatus status : cluster.stripes()) {
      Damaged stripe = Damaged.of(status, state, bad);
      if (stripe.members().damaged()) {
        damaged.add(stripe);
      }
    }
    return damaged;
  }

  int run(RepairFeed feed) throws IOException {
    ClusterState state = cluster.look();
    var planning = new PlanSettings(RepairPlanners.named("chain"), Network.of(state.topology()));
    var management = new RepairManager.Settings(budgets, delay, 0, timeout, ATTEMPTS, 0);
    var setup = new RepairSetup(management, RepairSchedulers.MPPR, planning, 1, 30_000, awaited);
    return new RepairLoop(work, setup, bad, state, ticker).run(feed);
  }

  long seconds(long since) {
    return (ticker.millis() - since) / 1000;
  }
}
