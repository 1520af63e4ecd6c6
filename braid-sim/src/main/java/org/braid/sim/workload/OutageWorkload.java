package org.braid.sim.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.failure.FailureProcess;
import org.braid.sim.failure.FailureTrace;
import org.braid.sim.failure.Lifetime;
import org.braid.sim.load.CompactStripes;
import org.braid.sim.load.OutageRun;
import org.braid.sim.load.RecoveryRun;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.RandomStreams;

/** A cluster over days, with failures of nodes and racks. */
final class OutageWorkload extends SimWorkload {
  private static final double DAY = 86_400;
  private static final String NONE = "none";

  OutageWorkload() {
    super(
        "outages",
        "nodes and racks fail and return over days, by rates or by a trace, and"
            + " sectors become unreadable, while clients read blocks; after the repair"
            + " delay the repair manager rebuilds lost blocks",
        ownDefaults(),
        List.of(
            Measure.plain("outages", ""),
            Measure.less("rebuilt", "blocks"),
            Measure.less("degraded-hours", "h"),
            Measure.less("longest", "s"),
            Measure.less("lost-stripes", ""),
            Measure.plain("latent-errors", ""),
            Measure.plain("found-by-scrub", ""),
            Measure.plain("found-on-read", ""),
            Measure.less("read-seconds", "s"),
            Measure.less("degraded-read-seconds", "s"),
            Measure.less("degraded-reads", ""),
            Measure.less("failed-reads", ""),
            Measure.less("cross-rack", "GB")));
  }

  private static Map<String, String> ownDefaults() {
    Map<String, String> defaults = ClusterSettings.defaults("20x5", "10gbit", "5:1");
    defaults.put("network", "held");
    defaults.put("disk", "2gbit");
    defaults.put("code", "rs-10-4");
    defaults.put("stripes", "1000");
    defaults.put("block", "128m");
    defaults.put("slice", "32m");
    defaults.put("queue", "2");
    defaults.put("shape", "chain");
    defaults.put("scheduler", "mppr");
    defaults.put("per-node", "2");
    defaults.put("per-uplink", "8");
    defaults.put("delay-minutes", "15");
    defaults.put("urgent-spare", "1");
    defaults.put("days", "30");
    defaults.put("node-mtbf-days", "100");
    defaults.put("shape-of-failures", "1");
    defaults.put("transient-share", "0.9");
    defaults.put("downtime-minutes", "20");
    defaults.put("rack-mtbf-days", "0");
    defaults.put("trace", NONE);
    defaults.put("latent-errors-a-day", "0");
    defaults.put("scrub-days", "14");
    defaults.put("read-rate", "0");
    return defaults;
  }

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    ClusterSettings cluster = ClusterSettings.of(settings);
    Topology topology = cluster.topology();
    ErasureCode code = settings.as("code", Codes::named);
    StripeRule rule = StripeRules.on(code, OptionalInt.of(1), EligibleNodes.all(topology));
    long stripes = settings.whole("stripes", 1);
    long block = settings.size("block");
    double racks = settings.number("rack-mtbf-days", 0) * DAY;
    var process =
        new FailureProcess(
            new Lifetime(
                settings.number("node-mtbf-days", 0) * DAY,
                settings.number("shape-of-failures", 0)),
            settings.number("transient-share", 0),
            settings.number("downtime-minutes", 0) * 60,
            racks == 0 ? Lifetime.ENDLESS : Lifetime.exponential(racks));
    double seconds = settings.number("days", 0) * DAY;
    double latent = settings.number("latent-errors-a-day", 0) / DAY;
    double scrub = settings.number("scrub-days", 0) * DAY;
    double reads = settings.number("read-rate", 0);
    Optional<FailureTrace> trace = trace(settings, topology);
    var slices = new RecoveryRun.SlicePolicy(settings.size("slice"), settings.integer("queue", 1));
    var planning =
        new PlanSettings(
            settings.as("shape", RepairPlanners::named),
            cluster.plannerNetwork(Math.max(1, block / code.alpha()), slices.bytes()));
    RepairScheduler scheduler = settings.as("scheduler", RepairSchedulers::named);
    long delay = Math.round(settings.number("delay-minutes", 0) * 60_000);
    var management =
        new RepairManager.Settings(
            new RepairBudgets(settings.integer("per-node", 1), settings.integer("per-uplink", 1)),
            delay,
            settings.integer("urgent-spare", 0),
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            Long.MAX_VALUE);
    return new Model() {
      @Override
      public Map<String, Double> run(long seed) {
        RandomStreams streams = new RandomStreams(seed);
        FailureTrace failures =
            trace.orElseGet(() -> process.draw(topology, seconds, streams.of("outages")));
        SimulatedNetwork network = cluster.network();
        var setting =
            new OutageRun.Setting(
                rule,
                block,
                stripes,
                failures,
                latent,
                scrub,
                reads,
                seconds,
                scheduler,
                planning,
                management,
                slices);
        OutageRun.Result result = new OutageRun(setting, network, streams).run();
        network.conservation().verifyEnded();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("outages", (double) result.outages());
        figures.put("rebuilt", (double) result.rebuilt());
        figures.put("degraded-hours", result.degradedHours());
        figures.put("longest", result.longestSeconds());
        figures.put("lost-stripes", (double) result.lostStripes());
        figures.put("latent-errors", (double) result.latentErrors());
        figures.put("found-by-scrub", (double) result.foundByScrub());
        figures.put("found-on-read", (double) result.foundOnRead());
        put(figures, "read-seconds", result.reads().seconds());
        put(figures, "degraded-read-seconds", result.reads().degradedSeconds());
        figures.put("degraded-reads", (double) result.reads().degradedReads());
        figures.put("failed-reads", (double) result.reads().failed());
        figures.put("cross-rack", result.crossRackBytes() / 1e9);
        return figures;
      }

      @Override
      public long memory() {
        return cluster.memory() + 2 * CompactStripes.memory(code.n(), stripes) + 200 * stripes;
      }
    };
  }

  private static Optional<FailureTrace> trace(WorkloadSettings settings, Topology topology)
      throws ExperimentException {
    String file = settings.text("trace");
    if (file.equals(NONE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(FailureTrace.parse(file, Files.readAllLines(Path.of(file)), topology));
    } catch (IOException e) {
      throw settings.wrong("trace", "cannot read " + file + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw settings.wrong("trace", String.valueOf(e.getMessage()));
    }
  }
}
