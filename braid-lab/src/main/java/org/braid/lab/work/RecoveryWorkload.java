package org.braid.lab.work;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;
import org.jspecify.annotations.Nullable;

/** Stops a node and rebuilds its blocks, by Braid or by HDFS's own erasure coding. */
final class RecoveryWorkload extends LabWorkload {
  private static final String DATA = "/recovery";
  private static final double WHOLE_SECONDS = 900;
  private static final int PARALLEL_WRITES = 4;

  private static final List<Measure> OWN_MEASURES =
      List.of(
          Measure.more("rate", "MiB/s"),
          Measure.less("seconds", "s"),
          Measure.more("cap_use", "of the limit"),
          Measure.plain("seconds_foreseen", "s"),
          Measure.plain("crossed_mib", "MiB"),
          Measure.plain("crossed_mib_foreseen", "MiB"),
          Measure.plain("lost_mib", "MiB"),
          Measure.plain("units", "blocks"),
          Measure.plain("bound_seconds", "s"),
          Measure.more("bound_use", "of the bound"),
          Measure.less("rebuild_seconds", "s"),
          Measure.less("verify_seconds", "s"),
          Measure.less("publish_seconds", "s"),
          Measure.less("copy_seconds", "s"),
          Measure.more("copy_bound_use", "of the bound"));

  @Override
  public String name() {
    return "recovery";
  }

  @Override
  public String description() {
    return "stops a node and rebuilds all that was on it, by Braid or by HDFS's own erasure"
        + " coding, whose time counts from when the NameNode knows the node dead";
  }

  @Override
  Map<String, String> ownDefaults() {
    Map<String, String> own = new LinkedHashMap<>();
    own.put("by", "braid");
    own.put("code", "rs-6-3");
    own.put("policy", "RS-6-3-1024k");
    own.put("block", "8m");
    own.put("stripes", "12");
    own.put("shape", "chain");
    own.put("scheduler", "mppr");
    own.put("per-node", "0");
    own.put("per-uplink", "0");
    own.put("parallel", "8");
    own.put("slice", "128k");
    own.put("replication", "3");
    // Whether a dry run comes before Braid's repair, with which it is compared.
    own.put("foresee", "false");
    // What is measured behind the recovery, with the same links and nodes: none, copy (as many
    // blocks are copied from node to node).
    own.put("beside", "none");
    own.putAll(TrialThrottle.DEFAULTS);
    own.putAll(ForegroundLoad.DEFAULTS);
    return own;
  }

  @Override
  List<Measure> ownMeasures() {
    return ForegroundLoad.beside(OWN_MEASURES);
  }

  @Override
  public void check(WorkloadSettings settings) throws ExperimentException {
    super.check(settings);
    ForegroundLoad.check(settings);
    TrialThrottle.check(settings);
    settings.flag("foresee");
    TrialLab.choice(settings, "beside", "none", "copy");
  }

  @Override
  Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    boolean stock = TrialLab.choice(settings, "by", "braid", "hdfs").equals("hdfs");
    long block = settings.size("block");
    lab.loader().call(new Command.Delete(DATA));
    write(lab, trial, stock, block);
    ForegroundLoad.prepare(lab, trial);
    try {
      Map<String, Integer> units = units(lab, stock);
      // The node closest to the mean, so that trials lose similar amounts.
      double mean = units.values().stream().mapToInt(Integer::intValue).average().orElse(0);
      Map.Entry<String, Integer> victim =
          units.entrySet().stream()
              .min(Comparator.comparingDouble(e -> Math.abs(e.getValue() - mean)))
              .orElseThrow();
      int lost = victim.getValue();
      return recover(lab, trial, stock, victim.getKey(), lost, lost * (double) block);
    } finally {
      lab.loader().call(new Command.Delete(DATA));
      lab.loader().call(new Command.Delete(PlainCopy.DATA));
    }
  }

  private static void write(TrialLab lab, Trial trial, boolean stock, long block)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    ErasureCode code = settings.as("code", Codes::named);
    int stripes = settings.integer("stripes", 1);
    LabClient loader = lab.loader();
    loader.call(
        new Command.MakeDirectory(
            DATA, stock ? "" : code.name(), stock ? settings.text("policy") : ""));
    loader.call(
        new Command.Write(
            DATA + "/f",
            stripes,
            block * code.k(),
            settings.integer("replication", 1),
            block,
            PARALLEL_WRITES,
            trial.seed()),
        Answer.Written.class);
    loader.call(new Command.AwaitWhole(DATA, WHOLE_SECONDS, false), Answer.Whole.class);
    if (!stock) {
      lab.converted(
          new Command.Convert(
              List.of(DATA),
              code.name(),
              Command.Placement.USUAL,
              ConvertedFiles.IN_ORDER,
              PARALLEL_WRITES,
              256 << 10,
              trial.seed()));
      lab.settled(DATA);
      // A copy that is still to be dropped would be no loss.
      lab.settled(ConvertedFiles.PARITY);
    }
  }

  /** Number of blocks, or of units of block groups, by host. */
  private static Map<String, Integer> units(TrialLab lab, boolean stock)
      throws ExperimentException, InterruptedException {
    Map<String, Integer> units = new TreeMap<>();
    for (String path : stock ? List.of(DATA) : List.of(DATA, ConvertedFiles.PARITY)) {
      for (Answer.Block block :
          lab.loader().call(new Command.Blocks(path), Answer.BlockLocations.class).blocks()) {
        block.nodes().forEach(node -> units.merge(node.host(), 1, Integer::sum));
      }
    }
    return units;
  }

  /** The measurements of a recovery. */
  private record Recovered(
      double seconds, Map<String, Double> figures, Meter.Use use, ForegroundLoad load) {}

  private static Outcome recover(
      TrialLab lab, Trial trial, boolean stock, String victim, int lost, double lostBytes)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    PlainCopy copy =
        settings.text("beside").equals("copy")
            ? PlainCopy.prepare(lab, trial, victim, lost, settings.size("block"))
            : null;
    lab.limit(settings);
    Recovered recovered =
        stock ? byHdfs(lab, trial, victim, copy) : byBraid(lab, trial, victim, lost, copy);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("rate", mib(lostBytes) / recovered.seconds());
    figures.put("seconds", recovered.seconds());
    figures.put("lost_mib", mib(lostBytes));
    figures.put("units", (double) lost);
    figures.putAll(recovered.figures());
    figures.putAll(recovered.load().figures());
    putBounds(settings, victim, lostBytes, figures);
    return new Outcome(figures, recovered.use());
  }

  /**
   * Adds the lower bounds of the links: of the plain copy, and of the recovery for RS codes only,
   * as helpers of other codes may send less than k blocks.
   */
  private static void putBounds(
      WorkloadSettings settings, String victim, double lostBytes, Map<String, Double> figures)
      throws ExperimentException {
    ErasureCode code = settings.as("code", Codes::named);
    LabTopology topology = TrialLab.topology(settings);
    LinkLimits limits = TrialLab.limits(settings);
    if (code.name().startsWith("rs-") && Double.isFinite(limits.link())) {
      int perRack = RecoveryBound.ceilDiv(code.n(), topology.topology().racks());
      int crossings = RecoveryBound.crossings(code.k(), perRack);
      double bound =
          RecoveryBound.seconds(topology, limits, victim, lostBytes, code.k(), crossings);
      figures.put("bound_seconds", bound);
      figures.put("bound_use", bound / figures.getOrDefault("seconds", Double.NaN));
    }
    if (figures.containsKey("copy_seconds")) {
      double bound = RecoveryBound.seconds(topology, limits, victim, lostBytes, 1, 1);
      figures.put("copy_bound_use", bound / figures.getOrDefault("copy_seconds", Double.NaN));
    }
  }

  /** Copies blocks while the lost node is away. */
  private static void copy(@Nullable PlainCopy copy, String victim, Map<String, Double> figures)
      throws ExperimentException, InterruptedException {
    if (copy != null) {
      figures.put("copy_seconds", copy.run(victim));
    }
  }

  private static Recovered byHdfs(
      TrialLab lab, Trial trial, String victim, @Nullable PlainCopy copy)
      throws ExperimentException, InterruptedException {
    try (ForegroundLoad load = ForegroundLoad.start(lab, trial, DATA)) {
      double sent = ForegroundLoad.now();
      LabClient.Pending<Answer.Whole> whole =
          lab.loader().send(new Command.AwaitWhole(DATA, WHOLE_SECONDS, true), Answer.Whole.class);
      try (TrialLab.StoppedNodes unused = lab.kill(List.of(victim))) {
        Meter meter = lab.meter();
        Answer.Whole answer = whole.await().answer();
        Meter.Use use = meter.stop();
        load.worked(sent + answer.brokenAfter(), sent + answer.wholeAfter());
        // What is asked while the node starts again is not counted.
        load.close();
        Map<String, Double> figures = new LinkedHashMap<>();
        copy(copy, victim, figures);
        return new Recovered(answer.wholeAfter() - answer.brokenAfter(), figures, use, load);
      }
    }
  }

  private static Recovered byBraid(
      TrialLab lab, Trial trial, String victim, int lost, @Nullable PlainCopy copy)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    Command.Repair repair =
        new Command.Repair(
            DATA,
            settings.text("shape"),
            settings.text("scheduler"),
            settings.integer("per-node", 0),
            settings.integer("per-uplink", 0),
            settings.integer("parallel", 1),
            settings.sizeOfBuffer("slice"),
            trial.seed());
    Map<String, Double> figures = new LinkedHashMap<>();
    try (TrialLab.StoppedNodes unused = lab.stop(List.of(victim));
        TrialThrottle throttle = TrialThrottle.set(lab, settings)) {
      if (settings.flag("foresee")) {
        Answer.Foreseen foreseen =
            lab.loader().call(new Command.ForeseeRepair(repair), Answer.Foreseen.class);
        figures.put("seconds_foreseen", foreseen.seconds());
        figures.put("crossed_mib_foreseen", mib(foreseen.crossRackBytes()));
      }
      Recovered recovered = byBraid(lab, trial, repair, lost, throttle, figures);
      copy(copy, victim, recovered.figures());
      return recovered;
    }
  }

  private static Recovered byBraid(
      TrialLab lab,
      Trial trial,
      Command.Repair repair,
      int lost,
      TrialThrottle throttle,
      Map<String, Double> figures)
      throws ExperimentException, InterruptedException {
    try (ForegroundLoad load = ForegroundLoad.start(lab, trial, DATA)) {
      Meter meter = lab.meter();
      Answer.Repaired repaired = lab.loader().call(repair, Answer.Repaired.class);
      Meter.Use use = meter.stop();
      load.worked();
      if (repaired.blocks().size() != lost) {
        throw ExperimentException.trial(
            "%d of %d blocks were rebuilt: %s"
                .formatted(repaired.blocks().size(), lost, repaired.unrepairable()));
      }
      load.close();
      figures.put("rebuild_seconds", repaired.rebuildSeconds());
      figures.put("verify_seconds", repaired.verifySeconds());
      figures.put("publish_seconds", repaired.publishSeconds());
      figures.put("crossed_mib", mib(repaired.traffic().crossRackBytes()));
      throttle
          .used(repaired.traffic(), repaired.seconds())
          .ifPresent(used -> figures.put("cap_use", used));
      return new Recovered(repaired.seconds(), figures, use, load);
    }
  }
}
