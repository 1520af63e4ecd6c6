package org.braid.sim.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Progress;
import org.braid.experiment.Session;
import org.braid.experiment.Settings;
import org.braid.experiment.Trial;
import org.braid.experiment.Workload;
import org.braid.experiment.text.Sizes;
import org.braid.placement.PlacementException;

/**
 * A workload of the simulator: reads its settings into a model, which is checked, and has its
 * memory estimated, before anything runs. A trial depends on nothing but its settings and its seed.
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

  /** What a trial runs. */
  interface Model {
    /** Runs it from a seed. */
    Map<String, Double> run(long seed);

    /** Bytes that a run holds at most, roughly. */
    default long memory() {
      return 0;
    }
  }

  /**
   * Reads settings.
   *
   * @throws ExperimentException when one is wrong by itself, with its place
   * @throws IllegalArgumentException when they do not fit together
   */
  abstract Model model(Settings settings) throws ExperimentException;

  /** Whether a setting is the first of two words. */
  static boolean choice(Settings settings, String key, String yes, String no)
      throws ExperimentException {
    String text = settings.text(key);
    if (!text.equals(yes) && !text.equals(no)) {
      throw settings.wrong(key, "\"" + text + "\" is neither " + yes + " nor " + no);
    }
    return text.equals(yes);
  }

  /** A mean, unless it is one of nothing. */
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
  public final void check(Settings settings) throws ExperimentException {
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
  public final Session open(Experiment experiment, Progress progress) {
    return new Session() {
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
