package org.braid.cli.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicationPolicy;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.manage.RecoveryForecast;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairManager.AbandonedStripe;
import org.braid.plan.manage.RepairPriority;
import org.braid.plan.manage.RepairPriority.Urgency;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LoadReport;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.RepairCounts;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairScheduler.Schedule;

/**
 * Stripes on a cluster with lost nodes, and the schedules of their repairs.
 *
 * @param code the code of all stripes
 * @param topology the cluster
 * @param limits the limits of all stripes
 * @param policy placement policy of the replicas before encoding
 * @param blockSize bytes of a block
 */
record RecoverySchedules(
    ErasureCode code,
    Topology topology,
    StripeLimits limits,
    ReplicationPolicy policy,
    long blockSize) {
  private static final int REPLICAS = 3;

  /**
   * The recovery under one scheduler.
   *
   * @param seconds predicted time until all stripes are repaired
   * @param readSeconds predicted time until the last reader has its block
   * @param mostAtOnce largest number of concurrent repairs
   * @param planningMicros wall time of scheduling and planning for each stripe
   */
  record Result(
      String scheduler,
      LoadReport load,
      double seconds,
      double readSeconds,
      int mostAtOnce,
      double planningMicros,
      List<AbandonedStripe> refused) {}

  /** Places stripes at random and returns those that lost a block. */
  List<LostStripe> damaged(
      int stripes, Set<Integer> lostNodes, double cached, int reads, RandomGenerator random) {
    StripeRule rule = StripeRules.of(code, limits);
    BlockPlacer placer = policy.placer(rule, ReplicaLayout.HDFS);
    EligibleNodes all = EligibleNodes.all(topology);
    List<LostStripe> damaged = new ArrayList<>();
    for (int i = 0; i < stripes; i++) {
      List<int[]> replicas = placer.placeStripe(code.k(), all, REPLICAS, random).replicas();
      int[] nodeOf = policy.encode(rule, all, replicas, random).nodes();
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

  /** Schedules once to measure the time, then runs the repair manager until its queue is empty. */
  static Result run(
      List<LostStripe> damaged,
      ClusterSnapshot servers,
      PlanSettings planning,
      RepairScheduler scheduler,
      RepairBudgets budgets,
      RandomGenerator random) {
    long since = System.nanoTime();
    Schedule schedule = scheduler.schedule(damaged, new RepairCounts(servers), planning, random);
    double micros = (System.nanoTime() - since) / 1e3 / Math.max(1, damaged.size());
    RepairManager manager =
        new RepairManager(RepairManager.Settings.at(budgets), scheduler, planning, servers, random);
    for (LostStripe stripe : damaged) {
      boolean read = stripe.notes().reader().isPresent();
      manager.submit(stripe, new RepairPriority(read ? Urgency.READ : Urgency.LOSS, 0));
    }
    RecoveryForecast forecast = RecoveryForecast.of(manager, servers, planning);
    double readSeconds =
        forecast.repairs().stream()
            .filter(r -> r.job().repair().stripe().notes().reader().isPresent())
            .mapToDouble(RecoveryForecast.Timed::end)
            .max()
            .orElse(0);
    return new Result(
        scheduler.name(),
        LoadReport.of(
            forecast.repairs().stream().map(r -> r.job().repair()).toList(),
            servers.topology(),
            planning.network()),
        forecast.seconds(),
        readSeconds,
        mostAtOnce(forecast),
        schedule.assigned().isEmpty() ? 0 : micros,
        manager.givenUp());
  }

  private static int mostAtOnce(RecoveryForecast forecast) {
    TreeMap<Double, Integer> changes = new TreeMap<>();
    for (RecoveryForecast.Timed repair : forecast.repairs()) {
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
