package org.braid.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.SourceLocation;
import org.braid.experiment.WorkloadSettings;
import org.junit.jupiter.api.Test;

/** What readers of one file have nodes read from their disks. */
final class ReadersWorkloadTest {
  private static final SourceLocation PLACE = new SourceLocation("test.yaml", 3);
  private static final double FILE = 20 * 6 * 1048576 / 1e9;

  private static Map<String, Double> read(Map<String, String> others) throws ExperimentException {
    Map<String, WorkloadSettings.Value> values = new HashMap<>();
    Map<String, String> all =
        new HashMap<>(Map.of("topology", "30x1", "client-nodes", "10", "clients", "5"));
    all.putAll(Map.of("stripes", "20", "block", "1m", "files", "same"));
    all.putAll(others);
    all.forEach((key, text) -> values.put(key, new WorkloadSettings.Value(text, PLACE)));
    ReadersWorkload workload = new ReadersWorkload();
    return workload.model(WorkloadSettings.defaults(workload).with(values)).run(7);
  }

  private static double figure(Map<String, Double> figures, String name) {
    return figures.getOrDefault(name, Double.NaN);
  }

  @Test
  void aStripedFileIsReadFromDisksOnce() throws ExperimentException {
    Map<String, Double> figures = read(Map.of("layout", "striped"));
    assertEquals(5 * FILE, figure(figures, "served"), 1e-9);
    assertEquals(FILE, figure(figures, "from-disks"), 1e-9);
  }

  /** Five readers of three replicas touch 3 (1 - (2/3)^5) = 2.6 of them. */
  @Test
  void aReplicatedFileIsReadFromAsManyDisksAsServeIt() throws ExperimentException {
    Map<String, Double> figures = read(Map.of("layout", "contiguous", "replicas", "3"));
    assertEquals(5 * FILE, figure(figures, "served"), 1e-9);
    assertEquals(2.605 * FILE, figure(figures, "from-disks"), 0.15 * FILE);
  }

  @Test
  void filesOfTheirOwnAreEachReadFromDisks() throws ExperimentException {
    Map<String, Double> figures = read(Map.of("files", "distinct"));
    assertEquals(5 * FILE, figure(figures, "served"), 1e-9);
    assertEquals(5 * FILE, figure(figures, "from-disks"), 1e-9);
  }
}
