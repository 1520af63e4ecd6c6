package org.braid.sim.workload;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Overhead;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.WorkloadSettings;

/** Storage overhead of codes that survive one rack and parts of others (R-STAIR section V-A). */
final class StorageWorkload extends SimWorkload {
  StorageWorkload() {
    super(
        "storage",
        "builds the code of a family that survives the loss of one rack and of m'"
            + " partial racks, of n racks with r nodes each, and compares its stored blocks"
            + " with its data blocks",
        ownDefaults(),
        List.of(
            Measure.less("overhead", "x"),
            Measure.plain("blocks", "blocks"),
            Measure.plain("data-blocks", "blocks")));
  }

  private static Map<String, String> ownDefaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("family", "rstair");
    defaults.put("racks", "14");
    defaults.put("rack-nodes", "8");
    defaults.put("partial-racks", "3");
    return defaults;
  }

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    int n = settings.integer("racks", 3);
    int r = settings.integer("rack-nodes", 2);
    int partial = settings.integer("partial-racks", 1);
    if (partial + 2 > n) {
      throw settings.wrong(
          "partial-racks",
          "%d racks minus one whole and %d partial ones leave no rack for data"
              .formatted(n, partial));
    }
    String family = settings.text("family");
    String name =
        switch (family) {
          case "rs" -> "rs-%d-%d".formatted(n - 1 - partial, 1 + partial);
          case "flr" -> "flr-n%d-g%d-l2".formatted(n, 1 + partial);
          case "hlr" -> "hlr-n%d-r%d-g%d-l1".formatted(n, r, 1 + partial);
          case "rstair" ->
              "rstair-n%d-r%d-m1-e%s-l1"
                  .formatted(n, r, String.join(".", halves(settings, r, partial)));
          default ->
              throw settings.wrong(
                  "family", "\"" + family + "\" is none of rs, flr, hlr and rstair");
        };
    ErasureCode code;
    try {
      code = Codes.named(name);
    } catch (IllegalArgumentException e) {
      throw settings.wrong("family", String.valueOf(e.getMessage()));
    }
    return seed ->
        Map.of(
            "overhead", Overhead.of(code),
            "blocks", (double) code.n(),
            "data-blocks", (double) code.k());
  }

  /** The vector e: half of the nodes of each partial rack. */
  private static List<String> halves(WorkloadSettings settings, int r, int partial)
      throws ExperimentException {
    if (r % 2 != 0) {
      throw settings.wrong(
          "rack-nodes", "%d nodes in a rack cannot be halved: give an even number".formatted(r));
    }
    return Collections.nCopies(partial, String.valueOf(r / 2));
  }
}
