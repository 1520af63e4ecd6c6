package org.braid.lab.work;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Settings;
import org.braid.experiment.Trial;
import org.braid.hdfs.lab.Answer;
import org.braid.hdfs.lab.Command;

/** Reads one block of a converted file at a client, whose node was stopped or not. */
final class DegradedReadWorkload extends LabWorkload {
  @Override
  public String name() {
    return "degraded-read";
  }

  @Override
  public String description() {
    return "reads a block whose node was stopped, decoded at the client; or, for reference, the"
        + " same block by HDFS's own client while its node is there";
  }

  @Override
  Map<String, String> own() {
    Map<String, String> own = new LinkedHashMap<>(ConvertedFiles.DEFAULTS);
    own.put("shape", "chain");
    own.put("lost", "true");
    // Beside the node of the block, or where: same, other.
    own.put("client-rack", "same");
    own.put("slice", "64k");
    return own;
  }

  @Override
  List<Measure> figures() {
    return List.of(
        Measure.more("rate", "MiB/s"),
        Measure.less("seconds", "s"),
        Measure.less("helpers_mib", "MiB"),
        Measure.less("helpers_cross_rack_mib", "MiB"));
  }

  @Override
  public void check(Settings settings) throws ExperimentException {
    super.check(settings);
    // What is read is not rebuilt on another node.
    ConvertedFiles.check(settings, 0);
  }

  @Override
  Outcome run(Bench bench, Trial trial) throws ExperimentException, InterruptedException {
    Settings settings = trial.settings();
    ConvertedFiles.File file = ConvertedFiles.ensure(bench, trial);
    List<Answer.Block> blocks = bench.settled(file.path());
    Answer.Block block = blocks.get((int) Long.remainderUnsigned(trial.seed(), blocks.size()));
    Answer.Node home = block.nodes().get(0);
    LabClient client = bench.client(home.rack(), settings.text("client-rack").equals("same"));
    boolean lost = settings.flag("lost");
    Map<String, String> properties =
        Map.of(
            "braid.client.degraded.shape", settings.text("shape"),
            "braid.client.degraded.slice", settings.text("slice"),
            // A slow network is not a slow helper.
            "braid.client.degraded.hedges", "0");
    Command.Read read =
        new Command.Read(
            block.path(),
            lost ? Command.Client.BRAID : Command.Client.PLAIN,
            lost ? properties : Map.of(),
            block.offset(),
            block.bytes(),
            true);
    try (Bench.Stopped unused = bench.stop(lost ? List.of(home.host()) : List.of())) {
      // What a process does for the first time takes longer.
      bench.once(
          "warm " + client.host() + lost + settings.text("shape") + settings.text("code"),
          () -> client.tell(read, Answer.Been.class));
      bench.limit(settings);
      Meter meter = bench.meter();
      Answer.Been been = client.tell(read, Answer.Been.class);
      Meter.Use use = meter.stop();
      long rebuilt = been.counters().getOrDefault("braid_degraded_bytes", 0L);
      if (lost && rebuilt != block.bytes()) {
        throw ExperimentException.trial(
            "%d of %d bytes were rebuilt: the block was not lost"
                .formatted(rebuilt, block.bytes()));
      }
      file.check(block, been.crc32c());
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("rate", mib(block.bytes()) / been.seconds());
      figures.put("seconds", been.seconds());
      if (lost) {
        figures.put(
            "helpers_mib", mib(been.counters().getOrDefault("braid_degraded_bytes_moved", 0L)));
        figures.put(
            "helpers_cross_rack_mib",
            mib(been.counters().getOrDefault("braid_degraded_bytes_cross_rack", 0L)));
      }
      return new Outcome(figures, use);
    }
  }
}
