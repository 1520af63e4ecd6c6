package org.braid.lab.work;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Progress;
import org.braid.experiment.Settings;

/**
 * The labs of an experiment: one for all trials that differ in nothing that needs another one,
 * started when a trial first needs it. Those that are not in use do next to nothing.
 */
final class Benches {
  private final Progress progress;
  private final Map<List<String>, Bench> open = new LinkedHashMap<>();

  Benches(Progress progress) {
    this.progress = progress;
  }

  Bench of(Settings settings) throws ExperimentException, InterruptedException {
    List<String> like = Bench.FIXED.stream().map(settings::text).toList();
    Bench known = open.get(like);
    if (known == null) {
      known = Bench.open(settings, progress);
      open.put(like, known);
    }
    return known;
  }

  void close() {
    open.values().forEach(Bench::close);
    open.clear();
  }
}
