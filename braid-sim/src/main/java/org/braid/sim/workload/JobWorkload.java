package org.braid.sim.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.WorkloadSettings;
import org.braid.placement.EligibleNodes;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.load.DegradedReads;
import org.braid.sim.load.JobRun;
import org.braid.sim.load.RecoveryRun;
import org.braid.sim.time.RandomStreams;

/** A MapReduce-like job with a failed node (R-STAIR section V-B and fig. 8). */
final class JobWorkload extends SimWorkload {
  JobWorkload() {
    super(
        "job",
        "runs a MapReduce-like job over encoded blocks, with a failed node or without",
        ownDefaults(),
        List.of(
            Measure.less("seconds", "s"),
            Measure.less("normal-task", "s"),
            Measure.less("degraded-task", "s"),
            Measure.less("cross-rack", "GB")));
  }

  private static Map<String, String> ownDefaults() {
    Map<String, String> defaults = ClusterSettings.defaults("5x4", "1gbit", "10:1");
    defaults.put("network", "fair");
    defaults.put("disk", "0.96gbit");
    defaults.put("code", "rs-3-2");
    defaults.put("blocks", "330");
    defaults.put("block", "64m");
    defaults.put("slice", "4m");
    defaults.put("queue", "4");
    defaults.put("shape", "star");
    defaults.put("slots", "2");
    defaults.put("map-rate", "1gbit");
    defaults.put("output", "0.01");
    defaults.put("reduce-rate", "1gbit");
    defaults.put("failure", "node");
    defaults.put("tasks-in-failed-rack", "no");
    return defaults;
  }

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    ClusterSettings cluster = ClusterSettings.of(settings);
    ErasureCode code = settings.as("code", Codes::named);
    StripeRule rule =
        StripeRules.on(code, OptionalInt.empty(), EligibleNodes.all(cluster.topology()));
    long block = settings.size("block");
    long slice = settings.size("slice");
    var setting =
        new JobRun.Setting(
            rule,
            settings.integer("blocks", 1),
            settings.integer("slots", 1),
            settings.rate("map-rate"),
            settings.number("output", 0),
            settings.rate("reduce-rate"),
            settings.constant("failure", JobRun.Failure.class),
            settings.flag("tasks-in-failed-rack"),
            new DegradedReads.Setting(
                code,
                block,
                settings.as("shape", RepairPlanners::named),
                cluster.plannerNetwork(Math.max(1, block / code.alpha()), slice),
                new RecoveryRun.SlicePolicy(slice, settings.integer("queue", 1))));
    return seed -> {
      var network = cluster.network();
      JobRun.Result result = new JobRun(setting, network, new RandomStreams(seed)).run();
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("seconds", result.seconds());
      figures.put("normal-task", result.normalTask());
      if (!Double.isNaN(result.degradedTask())) {
        figures.put("degraded-task", result.degradedTask());
      }
      figures.put("cross-rack", network.crossRackBytes() / 1e9);
      return figures;
    };
  }
}
