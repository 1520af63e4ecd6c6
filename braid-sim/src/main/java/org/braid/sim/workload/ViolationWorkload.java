package org.braid.sim.workload;

import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.WorkloadSettings;
import org.braid.placement.study.ViolationStudy;
import org.braid.sim.time.RandomStreams;

/** Violations of rack-level fault tolerance by preliminary EAR (EAR fig. 3 and equation 1). */
final class ViolationWorkload extends SimWorkload {
  ViolationWorkload() {
    super(
        "violation",
        "places stripes by preliminary EAR and counts those that would need a relocation, beside"
            + " EAR's equation (1)",
        Map.of("k", "12", "racks", "16", "stripes", "10000"),
        List.of(Measure.less("measured", ""), Measure.plain("equation", "")));
  }

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    int k = settings.integer("k", 2);
    int racks = settings.integer("racks", 2);
    int stripes = settings.integer("stripes", 1);
    if (racks <= k) {
      throw settings.wrong(
          "racks", "%d data blocks in a rack each need at least %d racks".formatted(k, k + 1));
    }
    return seed -> {
      var point =
          ViolationStudy.run(
                  List.of(k), List.of(racks), stripes, new RandomStreams(seed).of("stripes"))
              .get(0);
      return Map.of("measured", point.measured(), "equation", point.equation());
    };
  }
}
