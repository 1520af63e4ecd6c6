package org.braid.experiment.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Trial;
import org.braid.experiment.Workload;

/**
 * The order of the trials of an experiment: all systems of a point in turn, with another first
 * system in each repetition, so that changes of the machine favour no system.
 */
final class TrialOrder {
  private TrialOrder() {}

  static List<Trial> of(Experiment experiment, Workload.Order order) throws ExperimentException {
    List<Map<String, String>> points = experiment.points();
    List<Trial> trials = new ArrayList<>();
    if (order == Workload.Order.POINTS) {
      for (Map<String, String> point : points) {
        for (int repetition = 0; repetition < experiment.repetitions(); repetition++) {
          add(trials, experiment, point, repetition);
        }
      }
    } else {
      for (int repetition = 0; repetition < experiment.repetitions(); repetition++) {
        for (Map<String, String> point : points) {
          add(trials, experiment, point, repetition);
        }
      }
    }
    return trials;
  }

  private static void add(
      List<Trial> trials, Experiment experiment, Map<String, String> point, int repetition)
      throws ExperimentException {
    List<ComparedSystem> systems = experiment.systems();
    long seed = seed(experiment.seed(), point, repetition);
    for (int i = 0; i < systems.size(); i++) {
      ComparedSystem system = systems.get((i + repetition) % systems.size());
      trials.add(
          new Trial(
              experiment,
              point,
              system.name(),
              repetition,
              seed,
              experiment.settings(point, system)));
    }
  }

  /** A seed, not negative, that depends on nothing but these; a run of fewer points has it, too. */
  static long seed(long seed, Map<String, String> point, int repetition) {
    long mixed = mix(seed + 0x9e3779b97f4a7c15L * (repetition + 1));
    long sum = 0;
    for (Map.Entry<String, String> value : point.entrySet()) {
      long hash = 0xcbf29ce484222325L;
      for (char c : (value.getKey() + '=' + value.getValue()).toCharArray()) {
        hash = (hash ^ c) * 0x100000001b3L;
      }
      // A sum: the order of the axes does not matter.
      sum += mix(hash);
    }
    return mix(mixed ^ sum) >>> 1;
  }

  /** The finaliser of SplitMix64. */
  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
