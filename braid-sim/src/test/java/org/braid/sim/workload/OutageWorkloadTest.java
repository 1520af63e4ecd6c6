package org.braid.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.SourceLocation;
import org.braid.experiment.WorkloadSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class OutageWorkloadTest {
  private static final SourceLocation PLACE = new SourceLocation("test.yaml", 3);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path dir;

  private Map<String, Double> run(String topology, double days, String... trace)
      throws ExperimentException, IOException {
    Path file = Files.write(dir.resolve("t.trace"), List.of(trace));
    Map<String, String> settings = new HashMap<>(Map.of("stripes", "20", "code", "rs-6-3"));
    settings.put("topology", topology);
    settings.put("days", Double.toString(days));
    settings.put("delay-minutes", "0");
    settings.put("trace", file.toString());
    Map<String, WorkloadSettings.Value> values = new HashMap<>();
    settings.forEach((key, text) -> values.put(key, new WorkloadSettings.Value(text, PLACE)));
    OutageWorkload workload = new OutageWorkload();
    return workload.model(WorkloadSettings.defaults(workload).with(values)).run(4);
  }

  /** A site with more blocks of each stripe than there are parities does not come back. */
  @Test
  void stripesThatAreNeverWholeAgainMissBlocksUntilTheEnd() throws Exception {
    Map<String, Double> figures = run("2x5x1", 1, "1 down site s0");
    assertEquals(23 * 3600, figures.get("longest"), 1e-6);
    assertEquals(23 * 20, figures.get("degraded-hours"), 1e-6);
    assertEquals(0, figures.get("lost-stripes"));
  }

  @Test
  void stripesThatLoseDataMissedBlocksBefore() throws Exception {
    Map<String, Double> figures = run("2x5x1", 1, "1 down site s0", "3 fail site s0");
    assertEquals(20, figures.get("lost-stripes"));
    assertEquals(2 * 3600, figures.get("longest"), 1e-6);
    assertEquals(2 * 20, figures.get("degraded-hours"), 1e-6);
  }

  /** Each rack has a block of each stripe, so that those of a lost rack have no new place. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aRunEndsWhereBlocksHaveNoNewPlace() throws Exception {
    Map<String, Double> figures = run("9x1", 0.05, "1 down rack r0");
    assertEquals(0, figures.get("rebuilt"));
    assertEquals(0.2 * 3600, figures.get("longest"), 1e-6);
    assertEquals(0.2 * 20, figures.get("degraded-hours"), 1e-6);
  }
}
