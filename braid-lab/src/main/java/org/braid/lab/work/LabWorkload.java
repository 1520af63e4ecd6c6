package org.braid.lab.work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.Codes;
import org.braid.experiment.DoubtfulException;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.RunProgress;
import org.braid.experiment.Trial;
import org.braid.experiment.Workload;
import org.braid.experiment.WorkloadSession;
import org.braid.experiment.WorkloadSettings;

/** The base of workloads on a cluster in the lab. */
abstract class LabWorkload implements Workload {
  private static final String MAX_CPU = "max-cpu";

  /** Settings of the workload besides the common ones, with defaults. */
  abstract Map<String, String> ownDefaults();

  /** Measures of the workload besides the common ones. */
  abstract List<Measure> ownMeasures();

  /** Runs one trial; the caller adds the measures of network and processors. */
  abstract Outcome run(TrialLab lab, Trial trial) throws ExperimentException, InterruptedException;

  /**
   * The result of a trial.
   *
   * @param figures by name of the measure
   * @param use use of network and processors during the measurement
   */
  record Outcome(Map<String, Double> figures, Meter.Use use) {}

  @Override
  public final Map<String, String> defaults() {
    Map<String, String> all = new LinkedHashMap<>(TrialLab.DEFAULTS);
    all.put(MAX_CPU, "0.95");
    all.putAll(ownDefaults());
    return all;
  }

  @Override
  public final List<Measure> measures() {
    List<Measure> all = new ArrayList<>(ownMeasures());
    all.add(Measure.less("cross_rack_mib", "MiB"));
    all.add(Measure.less("moved_mib", "MiB"));
    all.add(Measure.plain("link_use", "of its rate"));
    all.add(Measure.plain("cpu_use", "of all"));
    return all;
  }

  @Override
  public void check(WorkloadSettings settings) throws ExperimentException {
    TrialLab.check(settings);
    settings.number(MAX_CPU, 0);
    if (settings.has("code")) {
      settings.as("code", Codes::named);
    }
  }

  @Override
  public final WorkloadSession open(Experiment experiment, RunProgress progress)
      throws ExperimentException, InterruptedException {
    TrialLabs labs = new TrialLabs(progress);
    return new WorkloadSession() {
      @Override
      public Map<String, Double> run(Trial trial) throws ExperimentException, InterruptedException {
        return LabWorkload.this.figures(labs.of(trial.settings()), trial);
      }

      @Override
      public void close() {
        labs.close();
      }
    };
  }

  private Map<String, Double> figures(TrialLab lab, Trial trial)
      throws ExperimentException, InterruptedException {
    double bound = trial.settings().number(MAX_CPU, 0);
    Outcome outcome = run(lab, trial);
    Meter.Use use = outcome.use();
    Map<String, Double> figures = new LinkedHashMap<>(outcome.figures());
    figures.put("cross_rack_mib", mib(use.crossRackBytes()));
    figures.put("moved_mib", mib(use.movedBytes()));
    figures.put("link_use", use.busiestLink());
    figures.put("cpu_use", use.cpu());
    if (use.cpu() > bound) {
      throw new DoubtfulException(
          ("the processors were %.0f%% busy, above the limit of %.0f%%:"
                  + " they may limit the result instead of the network")
              .formatted(100 * use.cpu(), 100 * bound),
          figures);
    }
    return figures;
  }

  static double mib(long bytes) {
    return mib((double) bytes);
  }

  static double mib(double bytes) {
    return bytes / (1 << 20);
  }
}
