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
import org.braid.experiment.Settings;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;
import org.braid.plan.Network;
import org.braid.plan.RepairPlanners;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairScheduler;
import org.braid.plan.manage.RepairScheduler.Shaping;
import org.braid.plan.manage.RepairSchedulers;
import org.braid.plan.manage.Servers;
import org.braid.plan.manage.Work;
import org.braid.sim.time.Streams;

/**
 * How many repairs a second the product's scheduler and planners can hand out, in real time on this
 * machine (PPR section 7.6); nothing is simulated.
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
  Model model(Settings settings) throws ExperimentException {
    Topology topology = settings.as("topology", Topology::parse);
    ErasureCode code = settings.as("code", Codes::named);
    StripeRule rule = StripeRules.on(code, OptionalInt.empty(), topology, node -> true);
    RepairScheduler scheduler = settings.as("scheduler", RepairSchedulers::named);
    Shaping shaping =
        new Shaping(settings.as("shape", RepairPlanners::named), Network.of(topology));
    int stripes = settings.integer("stripes", 1);
    return seed -> {
      RandomGenerator random = new Streams(seed).of("stripes");
      List<LostStripe> lost = lost(rule, topology, stripes, random);
      Servers servers = Servers.of(topology);
      double best = Double.POSITIVE_INFINITY;
      for (int round = 0; round <= WARM_UP; round++) {
        long since = System.nanoTime();
        int planned =
            scheduler.schedule(lost, new Work(servers), shaping, random).assigned().stream()
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
      int[] nodeOf = rule.destinations(topology, node -> true, nowhere, all, random);
      lost.add(LostStripe.of("s" + i, rule, 64L << 20, nodeOf, List.of(random.nextInt(n))));
    }
    return lost;
  }
}
