package org.braid.lab.work;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.experiment.WorkloadSettings;

/**
 * The labs of an experiment: one for each combination of settings that need a lab of their own,
 * started when a trial first needs it. Labs that are not in use are nearly idle.
 */
final class TrialLabs {
  private final RunProgress progress;
  private final Map<List<String>, TrialLab> open = new LinkedHashMap<>();

  TrialLabs(RunProgress progress) {
    this.progress = progress;
  }

  TrialLab of(WorkloadSettings settings) throws ExperimentException, InterruptedException {
    List<String> like = TrialLab.fixed(settings);
    TrialLab known = open.get(like);
    if (known == null) {
      known = TrialLab.open(settings, progress);
      open.put(like, known);
    }
    return known;
  }

  void close() {
    open.values().forEach(TrialLab::close);
    open.clear();
  }
}
