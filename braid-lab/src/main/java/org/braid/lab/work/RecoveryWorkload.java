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
import org.braid.experiment.Settings;
import org.braid.experiment.Trial;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/** Stops a node and rebuilds its blocks, by Braid or by HDFS's own erasure coding. */
final class RecoveryWorkload extends LabWorkload {
  private static final String DATA = "/recovery";
  private static final double WHOLE_SECONDS = 900;
  private static final int PARALLEL_WRITES = 4;

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
    return own;
  }

  @Override
  List<Measure> ownMeasures() {
    return List.of(
        Measure.more("rate", "MiB/s"),
        Measure.less("seconds", "s"),
        Measure.plain("lost_mib", "MiB"),
        Measure.plain("units", "blocks"));
  }

  @Override
  Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    boolean stock = TrialLab.choice(settings, "by", "braid", "hdfs").equals("hdfs");
    long block = settings.size("block");
    lab.loader().call(new Command.Delete(DATA));
    write(lab, trial, stock, block);
    try {
      Map<String, Integer> units = units(lab, stock);
      // The node closest to the mean, so that trials lose similar amounts.
      double mean = units.values().stream().mapToInt(Integer::intValue).average().orElse(0);
      Map.Entry<String, Integer> victim =
          units.entrySet().stream()
              .min(Comparator.comparingDouble(e -> Math.abs(e.getValue() - mean)))
              .orElseThrow();
      int lost = victim.getValue();
      return recover(lab, trial, stock, victim.getKey(), lost, mib(lost * (double) block));
    } finally {
      lab.loader().call(new Command.Delete(DATA));
    }
  }

  private static void write(TrialLab lab, Trial trial, boolean stock, long block)
      throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    ErasureCode code = settings.as("code", Codes::named);
    int stripes = settings.integer("stripes", 1);
    LabClient loader = lab.loader();
    loader.call(
        new Command.MakeDirectory(
            DATA, stock ? "" : code.name(), stock ? settings.text("policy") : ""));
    loader.call(
        new Command.Write(
            DATA + "/f", stripes, block * code.k(), 3, block, PARALLEL_WRITES, trial.seed()),
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

  private static Outcome recover(
      TrialLab lab, Trial trial, boolean stock, String victim, int lost, double lostMib)
      throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    lab.limit(settings);
    LabClient loader = lab.loader();
    double seconds;
    Meter.Use use;
    if (stock) {
      LabClient.Pending<Answer.Whole> whole =
          loader.send(new Command.AwaitWhole(DATA, WHOLE_SECONDS, true), Answer.Whole.class);
      try (TrialLab.StoppedNodes unused = lab.kill(List.of(victim))) {
        Meter meter = lab.meter();
        Answer.Whole answer = whole.await().answer();
        use = meter.stop();
        seconds = answer.wholeAfter() - answer.brokenAfter();
      }
    } else {
      try (TrialLab.StoppedNodes unused = lab.stop(List.of(victim))) {
        Meter meter = lab.meter();
        Answer.Repaired repaired =
            loader.call(
                new Command.Repair(
                    DATA,
                    settings.text("shape"),
                    settings.text("scheduler"),
                    settings.integer("per-node", 0),
                    settings.integer("per-uplink", 0),
                    settings.integer("parallel", 1),
                    settings.sizeOfBuffer("slice"),
                    trial.seed()),
                Answer.Repaired.class);
        use = meter.stop();
        seconds = repaired.seconds();
        if (repaired.blocks().size() != lost) {
          throw ExperimentException.trial(
              "%d of %d blocks were rebuilt: %s"
                  .formatted(repaired.blocks().size(), lost, repaired.unrepairable()));
        }
      }
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("rate", lostMib / seconds);
    figures.put("seconds", seconds);
    figures.put("lost_mib", lostMib);
    figures.put("units", (double) lost);
    return new Outcome(figures, use);
  }
}
