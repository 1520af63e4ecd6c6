package org.braid.lab.work;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/** A client reads one block of a converted file, with the node of the block stopped or running. */
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
  Map<String, String> ownDefaults() {
    Map<String, String> own = new LinkedHashMap<>(ConvertedFiles.DEFAULTS);
    own.put("shape", "chain");
    own.put("lost", "true");
    // The rack of the client, relative to the node of the block: same or other.
    own.put("client-rack", "same");
    own.put("slice", "64k");
    return own;
  }

  @Override
  List<Measure> ownMeasures() {
    return List.of(
        Measure.more("rate", "MiB/s"),
        Measure.less("seconds", "s"),
        Measure.less("helpers_mib", "MiB"),
        Measure.less("helpers_cross_rack_mib", "MiB"));
  }

  @Override
  public void check(WorkloadSettings settings) throws ExperimentException {
    super.check(settings);
    // A degraded read needs no node for a rebuilt block.
    ConvertedFiles.check(settings, 0);
  }

  @Override
  Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    ConvertedFiles.File file = ConvertedFiles.ensure(lab, trial);
    List<Answer.Block> blocks = lab.settled(file.path());
    Answer.Block block = blocks.get((int) Long.remainderUnsigned(trial.seed(), blocks.size()));
    Answer.Node home = block.nodes().get(0);
    LabClient client = lab.client(home.rack(), settings.text("client-rack").equals("same"));
    boolean lost = settings.flag("lost");
    Map<String, String> properties =
        Map.of(
            "braid.client.degraded.shape", settings.text("shape"),
            "braid.client.degraded.slice", settings.text("slice"),
            // On a slow network no helper counts as slow.
            "braid.client.degraded.hedges", "0");
    Command.Read read =
        new Command.Read(
            block.path(),
            lost ? Command.Client.BRAID : Command.Client.PLAIN,
            lost ? properties : Map.of(),
            block.offset(),
            block.bytes(),
            true);
    try (TrialLab.StoppedNodes unused = lab.stop(lost ? List.of(home.host()) : List.of())) {
      // Warm-up: first executions take longer.
      lab.once(
          "warm " + client.host() + lost + settings.text("shape") + settings.text("code"),
          () -> client.call(read, Answer.RangeRead.class));
      lab.limit(settings);
      Meter meter = lab.meter();
      Answer.RangeRead answer = client.call(read, Answer.RangeRead.class);
      Meter.Use use = meter.stop();
      long rebuilt = answer.counters().getOrDefault("braid_degraded_bytes", 0L);
      if (lost && rebuilt != block.bytes()) {
        throw ExperimentException.trial(
            "%d of %d bytes were rebuilt: the block was not lost"
                .formatted(rebuilt, block.bytes()));
      }
      file.check(block, answer.crc32c());
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("rate", mib(block.bytes()) / answer.seconds());
      figures.put("seconds", answer.seconds());
      if (lost) {
        figures.put(
            "helpers_mib", mib(answer.counters().getOrDefault("braid_degraded_bytes_moved", 0L)));
        figures.put(
            "helpers_cross_rack_mib",
            mib(answer.counters().getOrDefault("braid_degraded_bytes_cross_rack", 0L)));
      }
      return new Outcome(figures, use);
    }
  }
}
