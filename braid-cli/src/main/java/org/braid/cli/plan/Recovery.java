package org.braid.cli.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.placement.BlockPlacer;
import org.braid.placement.EncodingAwareReplication.StripeState;
import org.braid.placement.ReplicaLayout;
import org.braid.placement.ReplicationPolicies;
import org.braid.placement.ReplicationPolicy;
import org.braid.placement.StripeLimits;
import org.braid.placement.StripePlacement.StripeLayout;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.SubstripePlacement;
import org.braid.placement.Topology;
import org.braid.plan.manage.Budgets;
import org.braid.plan.manage.Demand;
import org.braid.plan.manage.Demand.Urgency;
import org.braid.plan.manage.Forecast;
import org.braid.plan.manage.LoadReport;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairManager.GivenUp;
import org.braid.plan.manage.RepairScheduler;
import org.braid.plan.manage.RepairScheduler.Schedule;
import org.braid.plan.manage.RepairScheduler.Shaping;
import org.braid.plan.manage.Servers;
import org.braid.plan.manage.Work;

/**
 * Stripes on a cluster, some nodes of which are lost, and what schedulers make of that.
 *
 * @param code the code of all stripes
 * @param topology the cluster
 * @param limits the limits of all stripes
 * @param policy how the blocks were placed before encoding
 * @param blockSize bytes of a block
 */
record Recovery(
    ErasureCode code,
    Topology topology,
    StripeLimits limits,
    ReplicationPolicy policy,
    long blockSize) {
  private static final int REPLICAS = 3;

  /**
   * What a scheduler made of it.
   *
   * @param seconds until all is repaired, predicted
   * @param readSeconds until the last reader has its block, predicted
   * @param mostAtOnce repairs that ran at once at most
   * @param planningMicros wall time of scheduling and planning, for each stripe
   */
  record Result(
      String scheduler,
      LoadReport load,
      double seconds,
      double readSeconds,
      int mostAtOnce,
      double planningMicros,
      List<GivenUp> refused) {}

  /** The stripes that lost a block with some nodes, in random places. */
  List<LostStripe> damaged(
      int stripes, Set<Integer> lostNodes, double cached, int reads, RandomGenerator random) {
    BlockPlacer placer = policy.on(topology, code, limits, ReplicaLayout.HDFS);
    StripeRule rule = rule();
    List<LostStripe> damaged = new ArrayList<>();
    for (int i = 0; i < stripes; i++) {
      int[] nodeOf = place(placer, random);
      List<Integer> lost = new ArrayList<>();
      Set<Integer> inMemory = new HashSet<>();
      for (int block = 0; block < nodeOf.length; block++) {
        if (lostNodes.contains(nodeOf[block])) {
          lost.add(block);
        } else if (random.nextDouble() < cached) {
          inMemory.add(block);
        }
      }
      if (!lost.isEmpty()) {
        LostStripe stripe = LostStripe.of("s" + i, rule, blockSize, nodeOf, lost);
        LostStripe.Notes notes = LostStripe.Notes.NONE.withCached(inMemory);
        boolean read = damaged.size() < reads && Solver.decodable(code, lost);
        damaged.add(
            stripe.with(read ? notes.withReader(topology.nodes() + damaged.size()) : notes));
      }
    }
    return damaged;
  }

  private StripeRule rule() {
    return StripeRules.of(code, limits);
  }

  private int[] place(BlockPlacer placer, RandomGenerator random) {
    StripeState state = StripeState.EMPTY;
    for (int block = 0; block < code.k(); block++) {
      state = state.plus(placer.place(state, node -> true, -1, REPLICAS, random));
    }
    StripeLayout layout =
        policy == ReplicationPolicies.EAR_LRC
            ? SubstripePlacement.layout(
                topology,
                node -> true,
                state.replicas(),
                ReplicationPolicies.substripes(code, limits),
                random)
            : rule().layout(topology, node -> true, state.replicas(), random);
    int[] nodes = Arrays.copyOf(layout.dataNodes(), code.n());
    System.arraycopy(layout.parityNodes(), 0, nodes, code.k(), code.m());
    return nodes;
  }

  /** Schedules once for the clock, then runs the manager to the end of its queue. */
  static Result run(
      List<LostStripe> damaged,
      Servers servers,
      Shaping shaping,
      RepairScheduler scheduler,
      Budgets budgets,
      RandomGenerator random) {
    long since = System.nanoTime();
    Schedule schedule = scheduler.schedule(damaged, new Work(servers), shaping, random);
    double micros = (System.nanoTime() - since) / 1e3 / Math.max(1, damaged.size());
    RepairManager manager =
        new RepairManager(RepairManager.Settings.at(budgets), scheduler, shaping, servers, random);
    for (LostStripe stripe : damaged) {
      boolean read = stripe.notes().reader().isPresent();
      manager.submit(stripe, new Demand(read ? Urgency.READ : Urgency.LOSS, 0));
    }
    Forecast forecast = Forecast.of(manager, servers, shaping);
    double readSeconds =
        forecast.repairs().stream()
            .filter(r -> r.job().assignment().stripe().notes().reader().isPresent())
            .mapToDouble(Forecast.Timed::end)
            .max()
            .orElse(0);
    return new Result(
        scheduler.name(),
        LoadReport.of(
            forecast.repairs().stream().map(r -> r.job().assignment()).toList(),
            servers.topology(),
            shaping.network()),
        forecast.seconds(),
        readSeconds,
        mostAtOnce(forecast),
        schedule.assigned().isEmpty() ? 0 : micros,
        manager.givenUp());
  }

  private static int mostAtOnce(Forecast forecast) {
    TreeMap<Double, Integer> changes = new TreeMap<>();
    for (Forecast.Timed repair : forecast.repairs()) {
      changes.merge(repair.start(), 1, Integer::sum);
      changes.merge(repair.end(), -1, Integer::sum);
    }
    int running = 0;
    int most = 0;
    for (int change : changes.values()) {
      running += change;
      most = Math.max(most, running);
    }
    return most;
  }
}
