package org.braid.sim.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.WorkloadSettings;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.cost.Network;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.RepairCounts;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.time.RandomStreams;

/**
 * Repairs that the product's scheduler and planners plan a second, in real time on this machine
 * (PPR section 7.6). Nothing is simulated.
 */
final class PlanningWorkload extends SimWorkload {
  private static final int WARM_UP = 3;

  PlanningWorkload() {
    super(
        "planning",
        "schedules and plans the repairs of many stripes, in real time on one core",
        ownDefaults(),
        List.of(Measure.more("repairs-per-second", "1/s"), Measure.less("milliseconds", "ms")));
  }

  private static Map<String, String> ownDefaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("topology", "50x20");
    defaults.put("code", "rs-12-4");
    defaults.put("scheduler", "mppr");
    defaults.put("shape", "ppr");
    defaults.put("stripes", "500");
    return defaults;
  }

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    Topology topology = settings.as("topology", Topology::parse);
    ErasureCode code = settings.as("code", Codes::named);
    StripeRule rule = StripeRules.on(code, OptionalInt.empty(), EligibleNodes.all(topology));
    RepairScheduler scheduler = settings.as("scheduler", RepairSchedulers::named);
    PlanSettings planning =
        new PlanSettings(settings.as("shape", RepairPlanners::named), Network.of(topology));
    int stripes = settings.integer("stripes", 1);
    return seed -> {
      RandomGenerator random = new RandomStreams(seed).of("stripes");
      List<LostStripe> lost = lost(rule, topology, stripes, random);
      ClusterSnapshot servers = ClusterSnapshot.of(topology);
      double best = Double.POSITIVE_INFINITY;
      for (int round = 0; round <= WARM_UP; round++) {
        long since = System.nanoTime();
        int planned =
            scheduler
                .schedule(lost, new RepairCounts(servers), planning, random)
                .assigned()
                .stream()
                .mapToInt(assignment -> assignment.plans().get(0).fragments().size())
                .sum();
        double seconds = (System.nanoTime() - since) / 1e9;
        best = planned > 0 ? Math.min(best, seconds) : best;
      }
      return Map.of("repairs-per-second", stripes / best, "milliseconds", 1e3 * best / stripes);
    };
  }

  private static List<LostStripe> lost(
      StripeRule rule, Topology topology, int stripes, RandomGenerator random) {
    List<LostStripe> lost = new ArrayList<>();
    int n = rule.code().n();
    List<Integer> all = IntStream.range(0, n).boxed().toList();
    for (int i = 0; i < stripes; i++) {
      int[] nowhere = new int[n];
      Arrays.fill(nowhere, StripeRule.NOWHERE);
      int[] nodeOf = rule.destinations(EligibleNodes.all(topology), nowhere, all, random);
      lost.add(LostStripe.of("s" + i, rule, 64L << 20, nodeOf, List.of(random.nextInt(n))));
    }
    return lost;
  }
}
