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
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.load.CompactStripes;
import org.braid.sim.load.RecoveryRun;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.RandomStreams;

/** Recovery of failed nodes by the product's repair manager (PPR section 7.5). */
final class RecoverWorkload extends SimWorkload {
  RecoverWorkload() {
    super(
        "recover",
        "nodes fail; the repair manager, its scheduler and the planners rebuild their blocks",
        ownDefaults(),
        List.of(
            Measure.less("seconds", "s"),
            Measure.less("mean-seconds", "s"),
            Measure.more("throughput", "MB/s"),
            Measure.less("cross-rack", "GB"),
            Measure.plain("repaired", "blocks"),
            Measure.less("given-up", "blocks"),
            Measure.plain("at-once", "repairs"),
            Measure.plain("events", "")));
  }

  private static Map<String, String> ownDefaults() {
    Map<String, String> defaults = ClusterSettings.defaults("20x20", "1gbit", "none");
    defaults.put("network", "fair");
    defaults.put("code", "rs-12-4");
    defaults.put("per-rack", "smallest");
    defaults.put("block", "64m");
    defaults.put("slice", "4m");
    defaults.put("queue", "2");
    defaults.put("shape", "ppr");
    defaults.put("scheduler", "mppr");
    defaults.put("stripes", "0");
    defaults.put("lost-blocks", "50");
    defaults.put("failed-nodes", "1");
    defaults.put("per-node", "4");
    defaults.put("per-uplink", "1000000");
    return defaults;
  }

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    ClusterSettings cluster = ClusterSettings.of(settings);
    Topology topology = cluster.topology();
    ErasureCode code = settings.as("code", Codes::named);
    OptionalInt perRack =
        settings.text("per-rack").equals("smallest")
            ? OptionalInt.empty()
            : OptionalInt.of(settings.integer("per-rack", 1));
    StripeRule rule = StripeRules.on(code, perRack, EligibleNodes.all(topology));
    long block = settings.size("block");
    String slice = settings.text("slice");
    long sliceBytes =
        slice.equals("block") ? Math.max(1, block / code.alpha()) : settings.size("slice");
    var policy = new RecoveryRun.SlicePolicy(sliceBytes, settings.integer("queue", 1));
    var management =
        RepairManager.Settings.at(
            new RepairBudgets(settings.integer("per-node", 1), settings.integer("per-uplink", 1)));
    var setting =
        new RecoveryRun.Setting(
            rule,
            block,
            settings.whole("stripes", 0),
            settings.integer("lost-blocks", 1),
            settings.integer("failed-nodes", 1),
            settings.as("scheduler", RepairSchedulers::named),
            new PlanSettings(
                settings.as("shape", RepairPlanners::named),
                cluster.plannerNetwork(Math.max(1, block / code.alpha()), sliceBytes)),
            management,
            policy);
    setting.check(topology);
    return new Model() {
      @Override
      public Map<String, Double> run(long seed) {
        SimulatedNetwork network = cluster.network();
        RecoveryRun.Result result =
            new RecoveryRun(setting, network, new RandomStreams(seed)).run();
        network.conservation().verifyEnded();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("seconds", result.seconds());
        figures.put("mean-seconds", result.meanSeconds());
        figures.put(
            "throughput",
            result.seconds() > 0 ? result.repaired() * (double) block / 1e6 / result.seconds() : 0);
        figures.put("cross-rack", network.crossRackBytes() / 1e9);
        figures.put("repaired", (double) result.repaired());
        figures.put("given-up", (double) result.givenUp());
        figures.put("at-once", (double) result.mostAtOnce());
        figures.put("events", (double) network.simulation().happened());
        return figures;
      }

      @Override
      public long memory() {
        long lost = setting.stripes() * code.n() / topology.nodes() * setting.failedNodes();
        return cluster.memory()
            + CompactStripes.memory(code.n(), setting.stripes())
            + 24 * lost
            + Math.max(1000, setting.lostBlocks()) * (1000L + 200L * code.n());
      }
    };
  }
}
