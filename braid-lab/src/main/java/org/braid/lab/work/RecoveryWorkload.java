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
import org.braid.hdfs.lab.Answer;
import org.braid.hdfs.lab.Command;

/** Stops a node and has all rebuilt that was on it, by Braid or by HDFS's own erasure coding. */
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
  Map<String, String> own() {
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
  List<Measure> figures() {
    return List.of(
        Measure.more("rate", "MiB/s"),
        Measure.less("seconds", "s"),
        Measure.plain("lost_mib", "MiB"),
        Measure.plain("units", "blocks"));
  }

  @Override
  Outcome run(Bench bench, Trial trial) throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    boolean stock = Bench.choice(settings, "by", "braid", "hdfs").equals("hdfs");
    long block = settings.size("block");
    bench.loader().tell(new Command.Delete(DATA));
    write(bench, trial, stock, block);
    try {
      Map<String, Integer> units = units(bench, stock);
      // One with as many as most have, so that luck is the same for all.
      double mean = units.values().stream().mapToInt(Integer::intValue).average().orElse(0);
      Map.Entry<String, Integer> victim =
          units.entrySet().stream()
              .min(Comparator.comparingDouble(e -> Math.abs(e.getValue() - mean)))
              .orElseThrow();
      int lost = victim.getValue();
      return recover(bench, trial, stock, victim.getKey(), lost, mib(lost * (double) block));
    } finally {
      bench.loader().tell(new Command.Delete(DATA));
    }
  }

  private static void write(Bench bench, Trial trial, boolean stock, long block)
      throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    ErasureCode code = settings.as("code", Codes::named);
    int stripes = settings.integer("stripes", 1);
    LabClient loader = bench.loader();
    loader.tell(
        new Command.MakeDirectory(
            DATA, stock ? "" : code.name(), stock ? settings.text("policy") : ""));
    loader.tell(
        new Command.Write(
            DATA + "/f", stripes, block * code.k(), 3, block, PARALLEL_WRITES, trial.seed()),
        Answer.Written.class);
    loader.tell(new Command.AwaitWhole(DATA, WHOLE_SECONDS, false), Answer.Whole.class);
    if (!stock) {
      bench.converted(
          new Command.Convert(
              List.of(DATA),
              code.name(),
              Command.Spread.USUAL,
              ConvertedFiles.IN_ORDER,
              PARALLEL_WRITES,
              256 << 10,
              trial.seed()));
      bench.settled(DATA);
    }
  }

  /** Blocks, or units of groups, by host. */
  private static Map<String, Integer> units(Bench bench, boolean stock)
      throws ExperimentException, InterruptedException {
    Map<String, Integer> units = new TreeMap<>();
    for (String path : stock ? List.of(DATA) : List.of(DATA, ConvertedFiles.PARITY)) {
      for (Answer.Block block :
          bench.loader().tell(new Command.Blocks(path), Answer.Placed.class).blocks()) {
        block.nodes().forEach(node -> units.merge(node.host(), 1, Integer::sum));
      }
    }
    return units;
  }

  private static Outcome recover(
      Bench bench, Trial trial, boolean stock, String victim, int lost, double lostMib)
      throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    bench.limit(settings);
    LabClient loader = bench.loader();
    double seconds;
    Meter.Use use;
    if (stock) {
      LabClient.Pending<Answer.Whole> whole =
          loader.begin(new Command.AwaitWhole(DATA, WHOLE_SECONDS, true), Answer.Whole.class);
      try (Bench.Stopped unused = bench.kill(List.of(victim))) {
        Meter meter = bench.meter();
        Answer.Whole answer = whole.await().answer();
        use = meter.stop();
        seconds = answer.wholeAfter() - answer.brokenAfter();
      }
    } else {
      try (Bench.Stopped unused = bench.stop(List.of(victim))) {
        Meter meter = bench.meter();
        Answer.Repaired repaired =
            loader.tell(
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
