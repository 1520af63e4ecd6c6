package org.braid.lab.work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.job.JobKind;
import org.braid.hdfs.testkit.job.JobResult;
import org.braid.hdfs.testkit.job.JobSpec;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/**
 * Runs jobs of many sizes on replicated files, while other files are converted or not (EAR,
 * experiment 3).
 */
final class JobMixWorkload extends LabWorkload {
  private static final String MIX = "/mix";
  private static final String INPUT = MIX + "/in/";
  private static final String OUTPUT = MIX + "/out";
  private static final double WHOLE_SECONDS = 120;

  @Override
  public String name() {
    return "job-mix";
  }

  @Override
  public String description() {
    return "runs MapReduce jobs of many sizes on YARN, which read replicated files and write others,"
        + " while Braid converts files of others or not";
  }

  @Override
  Map<String, String> ownDefaults() {
    // Of the files that are converted, and how they and those of jobs are written.
    Map<String, String> own = new LinkedHashMap<>(new ConversionWorkload().ownDefaults());
    own.put("yarn", "all");
    own.put("jobs", "12");
    own.put("most-blocks", "12");
    own.put("gap", "4");
    own.put("convert", "false");
    // Tasks compute as well as read.
    own.put("max-cpu", "1");
    return own;
  }

  @Override
  List<Measure> ownMeasures() {
    return List.of(
        Measure.less("seconds", "s"),
        Measure.less("job_seconds", "s"),
        Measure.less("small_job_seconds", "s"),
        Measure.plain("data_local", "of the map tasks"),
        Measure.less("convert_seconds", "s"));
  }

  @Override
  public void check(WorkloadSettings settings) throws ExperimentException {
    super.check(settings);
    settings.flag("convert");
    settings.integer("jobs", 1);
    settings.integer("most-blocks", 1);
    settings.number("gap", 0);
    TrialLab.requireYarn(settings);
  }

  private static JobMix mix(Trial trial) throws ExperimentException {
    WorkloadSettings settings = trial.settings();
    return JobMix.draw(
        settings.integer("jobs", 1),
        settings.integer("most-blocks", 1),
        settings.number("gap", 0),
        trial.seed());
  }

  @Override
  Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    JobMix mix = mix(trial);
    clean(lab);
    write(lab, trial, mix);
    // Warm-up: first executions take longer.
    lab.once("warm", () -> job(lab, trial, 0, mix.jobs().get(0)).await());
    boolean converts = settings.flag("convert");
    if (converts) {
      ConversionWorkload.write(lab, trial, 1);
    }
    try {
      lab.limit(settings);
      Meter meter = lab.meter();
      Optional<LabClient.Pending<Answer.Converted>> conversion =
          converts
              ? Optional.of(
                  lab.loader().send(ConversionWorkload.conversion(trial), Answer.Converted.class))
              : Optional.empty();
      double begun = ForegroundLoad.now();
      List<LabClient.Pending<Answer.RanJob>> jobs = new ArrayList<>();
      for (JobMix.MixedJob job : mix.jobs()) {
        double wait = begun + job.at() - ForegroundLoad.now();
        Thread.sleep(Math.max(0, Math.round(1000 * wait)));
        jobs.add(job(lab, trial, jobs.size(), job));
      }
      List<JobResult> results = new ArrayList<>();
      for (LabClient.Pending<Answer.RanJob> job : jobs) {
        results.add(job.await().answer().result());
      }
      double seconds = ForegroundLoad.now() - begun;
      Meter.Use use = meter.stop();
      Map<String, Double> figures = figures(mix, results);
      figures.put("seconds", seconds);
      if (conversion.isPresent()) {
        Answer.Converted converted = conversion.get().await().answer();
        if (!converted.skipped().isEmpty()) {
          throw ExperimentException.trial("not converted: " + converted.skipped().get(0));
        }
        figures.put("convert_seconds", converted.seconds());
      }
      return new Outcome(figures, use);
    } finally {
      lab.unlimit();
      clean(lab);
    }
  }

  private static void clean(TrialLab lab) throws ExperimentException, InterruptedException {
    lab.loader().call(new Command.Delete(MIX));
    ConversionWorkload.clean(lab);
  }

  /** Writes the input of all jobs. */
  private static void write(TrialLab lab, Trial trial, JobMix mix)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    LabClient loader = lab.loader();
    loader.call(new Command.MakeDirectory(MIX, ConversionWorkload.attribute(settings), ""));
    long block = settings.size("block");
    for (int i = 0; i < mix.jobs().size(); i++) {
      loader.call(
          new Command.WriteText(
              INPUT + i,
              block * mix.jobs().get(i).blocks(),
              settings.integer("replication", 1),
              block,
              trial.seed() + i),
          Answer.Written.class);
    }
    loader.call(new Command.AwaitWhole(MIX, WHOLE_SECONDS, false), Answer.Whole.class);
  }

  private static LabClient.Pending<Answer.RanJob> job(
      TrialLab lab, Trial trial, int number, JobMix.MixedJob job) throws ExperimentException {
    JobSpec spec =
        new JobSpec(
            JobKind.REPLAY.named(),
            INPUT + number,
            OUTPUT + "/" + number,
            "",
            job.shuffle(),
            job.written(),
            job.reducers(),
            trial.settings().integer("replication", 1));
    return lab.client(number)
        .send(new Command.RunJob(spec, Command.Client.PLAIN, Map.of()), Answer.RanJob.class);
  }

  private static Map<String, Double> figures(JobMix mix, List<JobResult> results) {
    double all = 0;
    double small = 0;
    int smalls = 0;
    long maps = 0;
    long local = 0;
    for (int i = 0; i < results.size(); i++) {
      JobResult result = results.get(i);
      all += result.seconds();
      if (mix.jobs().get(i).blocks() == 1) {
        small += result.seconds();
        smalls++;
      }
      maps += result.tasks().stream().filter(JobResult.Task::map).count();
      local += result.counters().getOrDefault("DATA_LOCAL_MAPS", 0L);
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("job_seconds", all / results.size());
    if (smalls > 0) {
      figures.put("small_job_seconds", small / smalls);
    }
    figures.put("data_local", local / (double) maps);
    return figures;
  }
}
