package org.braid.sim.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.RunProgress;
import org.braid.experiment.Trial;
import org.braid.experiment.Workload;
import org.braid.experiment.WorkloadSession;
import org.braid.experiment.WorkloadSettings;
import org.braid.experiment.text.Sizes;
import org.braid.placement.PlacementException;

/**
 * A workload of the simulator. Settings and memory are checked before the first trial. A trial
 * depends on its settings and its seed alone.
 */
abstract class SimWorkload implements Workload {
  private final String name;
  private final String description;
  private final Map<String, String> defaults;
  private final List<Measure> measures;

  SimWorkload(
      String name, String description, Map<String, String> defaults, List<Measure> measures) {
    this.name = name;
    this.description = description;
    this.defaults = new LinkedHashMap<>(defaults);
    this.measures = List.copyOf(measures);
  }

  /** A model that trials run. */
  interface Model {
    /** Runs it with a seed; returns the measures. */
    Map<String, Double> run(long seed);

    /** Approximate bytes of memory of a run. */
    default long memory() {
      return 0;
    }
  }

  /**
   * Reads settings.
   *
   * @throws ExperimentException when a setting is wrong, with its place in the file
   * @throws IllegalArgumentException when settings contradict each other
   */
  abstract Model model(WorkloadSettings settings) throws ExperimentException;

  /** Whether a setting is the first of two words. */
  static boolean choice(WorkloadSettings settings, String key, String yes, String no)
      throws ExperimentException {
    String text = settings.text(key);
    if (!text.equals(yes) && !text.equals(no)) {
      throw settings.wrong(key, "\"" + text + "\" is neither " + yes + " nor " + no);
    }
    return text.equals(yes);
  }

  /** Puts a mean unless it is NaN. */
  static void put(Map<String, Double> figures, String name, double mean) {
    if (!Double.isNaN(mean)) {
      figures.put(name, mean);
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String description() {
    return description;
  }

  @Override
  public final Map<String, String> defaults() {
    return new LinkedHashMap<>(defaults);
  }

  @Override
  public final List<Measure> measures() {
    return measures;
  }

  @Override
  public final void check(WorkloadSettings settings) throws ExperimentException {
    Model model;
    try {
      model = model(settings);
    } catch (PlacementException e) {
      throw ExperimentException.refused(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw ExperimentException.wrong(String.valueOf(e.getMessage()));
    }
    long memory = model.memory();
    long available = Runtime.getRuntime().maxMemory();
    if (memory > available) {
      throw ExperimentException.refused(
          ("a run needs about %s of memory, this process may use %s: make it smaller or start with"
                  + " BRAID_JAVA_OPTS=-Xmx%dg")
              .formatted(Sizes.format(memory), Sizes.format(available), (memory >> 30) + 2));
    }
  }

  @Override
  public final WorkloadSession open(Experiment experiment, RunProgress progress) {
    return new WorkloadSession() {
      @Override
      public Map<String, Double> run(Trial trial) throws ExperimentException {
        try {
          return model(trial.settings()).run(trial.seed());
        } catch (PlacementException | IllegalArgumentException | IllegalStateException e) {
          throw ExperimentException.trial(String.valueOf(e.getMessage()), e);
        }
      }

      @Override
      public void close() {}
    };
  }
}
