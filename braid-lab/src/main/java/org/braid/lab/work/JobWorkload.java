package org.braid.lab.work;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.job.JobKind;
import org.braid.hdfs.testkit.job.JobResult;
import org.braid.hdfs.testkit.job.JobSpec;
import org.braid.hdfs.testkit.job.TextContent;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/** Runs a MapReduce job over a converted file, with a failed node or without. */
final class JobWorkload extends LabWorkload {
  private static final String OUTPUT = "/job-output";

  @Override
  public String name() {
    return "job";
  }

  @Override
  public String description() {
    return "runs a MapReduce job on YARN over a converted file of text, with a failed node or"
        + " without; its tasks read by Braid's client";
  }

  @Override
  Map<String, String> ownDefaults() {
    Map<String, String> own = new LinkedHashMap<>();
    own.put("yarn", "all");
    own.put("job", JobKind.GREP.named());
    own.put("pattern", TextContent.WORD);
    own.put("reducers", "1");
    own.put("code", "rs-6-3");
    own.put("block", "8m");
    own.put("blocks", "60");
    own.put("shape", "chain");
    // What fails: nothing, the blocks of a node (its DataNode), or the whole node with its tasks.
    own.put("fails", "blocks");
    // Tasks compute as well as read.
    own.put("max-cpu", "1");
    return own;
  }

  @Override
  List<Measure> ownMeasures() {
    return List.of(
        Measure.less("seconds", "s"),
        Measure.less("normal_task", "s"),
        Measure.less("degraded_task", "s"),
        Measure.plain("degraded_tasks", "tasks"),
        Measure.more("degraded_at_named", "of the degraded tasks"),
        Measure.plain("data_local", "of the map tasks"),
        Measure.plain("rack_local", "of the map tasks"),
        Measure.less("rebuilt_mib", "MiB"),
        Measure.less("helpers_cross_rack_mib", "MiB"));
  }

  @Override
  public void check(WorkloadSettings settings) throws ExperimentException {
    super.check(settings);
    settings.as("job", JobKind::of);
    settings.integer("reducers", 1);
    settings.size("block");
    settings.integer("blocks", 1);
    TrialLab.choice(settings, "fails", "nothing", "blocks", "node");
    TrialLab.requireYarn(settings);
  }

  @Override
  Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    JobInput input = JobInput.ensure(lab, trial);
    // Warm-up: first executions take longer, and NodeManagers fetch files once.
    lab.once("warm " + settings.text("job"), () -> run(lab, settings, input));
    String fails = settings.text("fails");
    boolean failure = !fails.equals("nothing");
    String node = input.node(lab, trial.seed());
    try (TrialLab.StoppedNodes unused = lab.stop(failure ? List.of(node) : List.of());
        TrialLab.StoppedNodeManager managers = lab.stopManager(fails.equals("node") ? node : "")) {
      int lost = failure ? input.awaitLost(lab, node) : 0;
      managers.await();
      lab.limit(settings);
      Meter meter = lab.meter();
      JobResult result = run(lab, settings, input);
      Meter.Use use = meter.stop();
      lab.unlimit();
      return new Outcome(figures(result, settings.size("block"), lost), use);
    }
  }

  private static JobResult run(TrialLab lab, WorkloadSettings settings, JobInput input)
      throws ExperimentException, InterruptedException {
    LabClient client = lab.client(0);
    JobSpec job =
        JobSpec.of(
            settings.as("job", JobKind::of),
            input.path(),
            OUTPUT,
            settings.text("pattern"),
            settings.integer("reducers", 1));
    Map<String, String> properties =
        Map.of(
            "braid.client.degraded.shape",
            settings.text("shape"),
            // On a slow network no helper counts as slow.
            "braid.client.degraded.hedges",
            "0");
    return client
        .call(new Command.RunJob(job, Command.Client.BRAID, properties), Answer.RanJob.class)
        .result();
  }

  private static Map<String, Double> figures(JobResult result, long block, int lost)
      throws ExperimentException {
    // A task also reads the end of its last line from the next block.
    Predicate<JobResult.Task> degraded = task -> task.map() && task.rebuilt() > block / 2;
    List<JobResult.Task> normal =
        result.tasks().stream().filter(task -> task.map() && !degraded.test(task)).toList();
    List<JobResult.Task> rebuilding = result.tasks().stream().filter(degraded).toList();
    if (rebuilding.size() != lost) {
      throw ExperimentException.trial(
          "%d tasks rebuilt their block, %d blocks are lost".formatted(rebuilding.size(), lost));
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("seconds", result.seconds());
    figures.put("normal_task", mean(normal, JobResult.Task::seconds));
    figures.put("degraded_tasks", (double) lost);
    if (lost > 0) {
      figures.put("degraded_task", mean(rebuilding, JobResult.Task::seconds));
      long atNamed =
          rebuilding.stream().filter(task -> task.preferred().contains(task.host())).count();
      figures.put("degraded_at_named", (double) atNamed / lost);
    }
    double maps = normal.size() + rebuilding.size();
    figures.put("data_local", result.counters().getOrDefault("DATA_LOCAL_MAPS", 0L) / maps);
    figures.put("rack_local", result.counters().getOrDefault("RACK_LOCAL_MAPS", 0L) / maps);
    figures.put("rebuilt_mib", sum(result.tasks(), JobResult.Task::rebuilt));
    // Not of tasks that only finished their last line in a lost block of another rack.
    figures.put("helpers_cross_rack_mib", sum(rebuilding, JobResult.Task::crossRack));
    return figures;
  }

  private static double sum(List<JobResult.Task> tasks, ToDoubleFunction<JobResult.Task> bytes) {
    return mib(tasks.stream().mapToDouble(bytes).sum());
  }

  private static double mean(List<JobResult.Task> tasks, ToDoubleFunction<JobResult.Task> figure) {
    return tasks.stream().mapToDouble(figure).average().orElse(0);
  }
}
