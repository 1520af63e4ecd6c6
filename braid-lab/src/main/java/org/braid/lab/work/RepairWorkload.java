package org.braid.lab.work;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.lab.network.LinkLimits;

/** Stops the nodes of blocks of a stripe and rebuilds the blocks on other nodes. */
final class RepairWorkload extends LabWorkload {
  private static final String COPY = "copy";

  @Override
  public String name() {
    return "repair";
  }

  @Override
  public String description() {
    return "rebuilds a block of a stripe whose node was stopped; or, for reference, has one node"
        + " copy a block of the same size from another one, as HDFS's Balancer does";
  }

  @Override
  Map<String, String> ownDefaults() {
    Map<String, String> own = new LinkedHashMap<>(ConvertedFiles.DEFAULTS);
    own.put("shape", "chain");
    own.put("lost", "1");
    own.put("slice", "64k");
    return own;
  }

  @Override
  List<Measure> ownMeasures() {
    return List.of(
        Measure.less("seconds", "s"),
        Measure.more("rate", "MiB/s"),
        Measure.less("read_seconds", "s"),
        Measure.less("decode_seconds", "s"),
        Measure.less("wait_seconds", "s"),
        Measure.less("verify_seconds", "s"),
        Measure.less("publish_seconds", "s"),
        Measure.less("helpers_mib", "MiB"),
        Measure.less("worker_cpu_seconds", "s"));
  }

  @Override
  public void check(WorkloadSettings settings) throws ExperimentException {
    super.check(settings);
    ConvertedFiles.check(settings, settings.integer("lost", 1));
  }

  @Override
  Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    String shape = trial.settings().text("shape");
    if (shape.equals(COPY)) {
      return copy(lab, trial);
    }
    // Warm-up: first executions take longer.
    lab.once("warm " + shape, () -> repair(lab, trial, LinkLimits.NONE));
    return repair(lab, trial, TrialLab.limits(trial.settings()));
  }

  private static Outcome repair(TrialLab lab, Trial trial, LinkLimits limits)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    ConvertedFiles.File file = ConvertedFiles.ensure(lab, trial);
    int lost = settings.integer("lost", 1);
    List<String> victims = victims(lab.settled(file.path()), lost, trial);
    try (TrialLab.StoppedNodes unused = lab.stop(victims)) {
      lab.lab().limit(limits);
      Meter meter = lab.meter();
      Answer.Repaired repaired =
          lab.loader()
              .call(
                  new Command.Repair(
                      file.path(),
                      settings.text("shape"),
                      "",
                      0,
                      0,
                      1,
                      settings.sizeOfBuffer("slice"),
                      trial.seed()),
                  Answer.Repaired.class);
      Meter.Use use = meter.stop();
      if (!repaired.unrepairable().isEmpty() || repaired.blocks().size() < victims.size()) {
        throw ExperimentException.trial(
            "%d of %d blocks were rebuilt: %s"
                .formatted(repaired.blocks().size(), lost, repaired.unrepairable()));
      }
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("seconds", repaired.rebuildSeconds());
      figures.put("rate", mib(file.blockBytes() * lost) / repaired.rebuildSeconds());
      figures.put("read_seconds", repaired.phases().readSeconds());
      figures.put("decode_seconds", repaired.phases().decodeSeconds());
      figures.put("wait_seconds", repaired.phases().waitSeconds());
      figures.put("verify_seconds", repaired.verifySeconds());
      figures.put("publish_seconds", repaired.publishSeconds());
      figures.put(
          "helpers_mib",
          mib(repaired.traffic().crossRackBytes() + repaired.traffic().inRackBytes()));
      figures.put("worker_cpu_seconds", repaired.traffic().cpuSeconds());
      return new Outcome(figures, use);
    }
  }

  /** The nodes of the first blocks, or of random blocks. */
  private static List<String> victims(List<Answer.Block> blocks, int lost, Trial trial)
      throws ExperimentException {
    List<Answer.Block> drawn = new ArrayList<>(blocks);
    if (trial.settings().flag("drawn-anew")) {
      Collections.shuffle(drawn, new Random(trial.seed()));
    }
    return drawn.subList(0, Math.min(lost, drawn.size())).stream()
        .map(block -> block.nodes().get(0).host())
        .distinct()
        .toList();
  }

  /** Copies one block from one node to another: the lower bound of the time of a repair. */
  private static Outcome copy(TrialLab lab, Trial trial)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    long block = settings.size("block");
    String path = "/reference-" + block;
    lab.once(
        path,
        () ->
            lab.loader()
                .call(
                    new Command.Write(path, 1, block, 1, block, 1, trial.seed()),
                    Answer.Written.class));
    Answer.Node from = lab.settled(path).get(0).nodes().get(0);
    String to = lab.nodeElsewhere(from, trial.seed());
    lab.limit(settings);
    Meter meter = lab.meter();
    Answer.Moved moved =
        lab.loader().call(new Command.MoveBlock(path, 0, from.host(), to), Answer.Moved.class);
    Meter.Use use = meter.stop();
    lab.unlimit();
    return new Outcome(
        Map.of("seconds", moved.seconds(), "rate", mib(moved.bytes()) / moved.seconds()), use);
  }
}
