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
import org.braid.experiment.Progress;
import org.braid.experiment.Session;
import org.braid.experiment.Settings;
import org.braid.experiment.Trial;
import org.braid.experiment.Workload;

/** A workload on a cluster in the lab: what all of them have in common. */
abstract class LabWorkload implements Workload {
  private static final String MAX_CPU = "max-cpu";

  /** What it knows beside what all do, with defaults. */
  abstract Map<String, String> own();

  /** What it measures beside what all do. */
  abstract List<Measure> figures();

  /** Runs one trial; what the network and the processors did is added by the caller. */
  abstract Outcome run(Bench bench, Trial trial) throws ExperimentException, InterruptedException;

  /**
   * What a trial gave.
   *
   * @param figures by name of a measure
   * @param use what network and processors did while it was measured
   */
  record Outcome(Map<String, Double> figures, Meter.Use use) {}

  @Override
  public final Map<String, String> defaults() {
    Map<String, String> all = new LinkedHashMap<>(Bench.DEFAULTS);
    all.put(MAX_CPU, "0.95");
    all.putAll(own());
    return all;
  }

  @Override
  public final List<Measure> measures() {
    List<Measure> all = new ArrayList<>(figures());
    all.add(Measure.less("cross_rack_mib", "MiB"));
    all.add(Measure.less("moved_mib", "MiB"));
    all.add(Measure.plain("link_use", "of its rate"));
    all.add(Measure.plain("cpu_use", "of all"));
    return all;
  }

  @Override
  public void check(Settings settings) throws ExperimentException {
    Bench.check(settings);
    settings.number(MAX_CPU, 0);
    if (settings.has("code")) {
      settings.as("code", Codes::named);
    }
  }

  @Override
  public final Session open(Experiment experiment, Progress progress)
      throws ExperimentException, InterruptedException {
    Benches benches = new Benches(progress);
    return new Session() {
      @Override
      public Map<String, Double> run(Trial trial) throws ExperimentException, InterruptedException {
        return LabWorkload.this.figures(benches.of(trial.settings()), trial);
      }

      @Override
      public void close() {
        benches.close();
      }
    };
  }

  private Map<String, Double> figures(Bench bench, Trial trial)
      throws ExperimentException, InterruptedException {
    double bound = trial.settings().number(MAX_CPU, 0);
    Outcome outcome = run(bench, trial);
    Meter.Use use = outcome.use();
    Map<String, Double> figures = new LinkedHashMap<>(outcome.figures());
    figures.put("cross_rack_mib", mib(use.crossRackBytes()));
    figures.put("moved_mib", mib(use.movedBytes()));
    figures.put("link_use", use.busiestLink());
    figures.put("cpu_use", use.cpu());
    if (use.cpu() > bound) {
      throw new DoubtfulException(
          "the processors were %.0f%% busy, more than %.0f%%: they, and not the network, may be what was measured"
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
