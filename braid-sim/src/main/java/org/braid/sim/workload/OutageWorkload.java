package org.braid.sim.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Settings;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;
import org.braid.plan.RepairPlanners;
import org.braid.plan.manage.Budgets;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairScheduler;
import org.braid.plan.manage.RepairScheduler.Shaping;
import org.braid.plan.manage.RepairSchedulers;
import org.braid.sim.failure.Lifetime;
import org.braid.sim.failure.Trace;
import org.braid.sim.load.OutageRun;
import org.braid.sim.load.Outages;
import org.braid.sim.load.RecoveryRun;
import org.braid.sim.load.StripeTable;
import org.braid.sim.net.Wires;
import org.braid.sim.time.Streams;

/** Days in the life of a cluster whose nodes and racks fail. */
final class OutageWorkload extends SimWorkload {
  private static final double DAY = 86_400;
  private static final String NONE = "none";

  OutageWorkload() {
    super(
        "outages",
        "nodes and racks fail for days, by rates or by a trace, some for a while only, and sectors"
            + " become unreadable; clients read; the repair manager waits and rebuilds",
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
  Model model(Settings settings) throws ExperimentException {
    ClusterSettings cluster = ClusterSettings.of(settings);
    Topology topology = cluster.topology();
    ErasureCode code = settings.as("code", Codes::named);
    StripeRule rule = StripeRules.on(code, OptionalInt.of(1), topology, node -> true);
    long stripes = settings.whole("stripes", 1);
    long block = settings.size("block");
    double racks = settings.number("rack-mtbf-days", 0) * DAY;
    var rates =
        new Outages.Rates(
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
    List<Outages.Outage> trace = trace(settings, topology);
    var slices = new RecoveryRun.SlicePolicy(settings.size("slice"), settings.integer("queue", 1));
    var shaping =
        new Shaping(
            settings.as("shape", RepairPlanners::named),
            cluster.network(Math.max(1, block / code.alpha()), slices.bytes()));
    RepairScheduler scheduler = settings.as("scheduler", RepairSchedulers::named);
    long delay = Math.round(settings.number("delay-minutes", 0) * 60_000);
    var management =
        new RepairManager.Settings(
            new Budgets(settings.integer("per-node", 1), settings.integer("per-uplink", 1)),
            delay,
            settings.integer("urgent-spare", 0),
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            Long.MAX_VALUE);
    return new Model() {
      @Override
      public Map<String, Double> run(long seed) {
        Streams streams = new Streams(seed);
        List<Outages.Outage> outages =
            settings.text("trace").equals(NONE)
                ? Outages.draw(topology, rates, seconds, streams.of("outages"))
                : trace;
        Wires wires = cluster.wires();
        var setting =
            new OutageRun.Setting(
                rule,
                block,
                stripes,
                outages,
                latent,
                scrub,
                reads,
                seconds,
                scheduler,
                shaping,
                management,
                slices);
        OutageRun.Result result = new OutageRun(setting, wires, streams).run();
        wires.conservation().verifyEnded();
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
        return cluster.memory() + 2 * StripeTable.memory(code.n(), stripes) + 200 * stripes;
      }
    };
  }

  private static List<Outages.Outage> trace(Settings settings, Topology topology)
      throws ExperimentException {
    String file = settings.text("trace");
    if (file.equals(NONE)) {
      return List.of();
    }
    try {
      return Outages.of(Trace.parse(file, Files.readAllLines(Path.of(file)), topology), topology);
    } catch (IOException e) {
      throw settings.wrong("trace", "cannot read " + file + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw settings.wrong("trace", String.valueOf(e.getMessage()));
    }
  }
}
