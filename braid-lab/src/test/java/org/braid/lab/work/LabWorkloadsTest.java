package org.braid.lab.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Machine;
import org.braid.experiment.RunProgress;
import org.braid.experiment.Workload;
import org.braid.experiment.file.Experiments;
import org.braid.experiment.file.Overrides;
import org.braid.experiment.run.Conditions;
import org.braid.experiment.run.ExperimentRunner;
import org.braid.experiment.run.Results;
import org.braid.experiment.run.Row;
import org.braid.lab.LabRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The experiments are well formed, and two of them run, small, where a lab can be had. */
@Tag("lab")
final class LabWorkloadsTest {
  private static final Path HOME = Path.of("..");

  @Test
  void everyExperimentIsUnderstood() throws ExperimentException {
    List<Experiments.Listed> all = new Experiments(HOME, LabWorkloads.ALL).all();
    assertFalse(all.isEmpty());
    for (Experiments.Listed listed : all) {
      assertEquals("", listed.problem(), listed.id());
      Experiment experiment = listed.experiment().orElseThrow();
      ExperimentRunner.check(experiment, workload(experiment));
    }
  }

  private static Workload workload(Experiment experiment) {
    return LabWorkloads.ALL.named(experiment.workload()).orElseThrow();
  }

  private static Results run(String id, Map<String, String> settings) throws Exception {
    Optional<String> obstacle = LabRegistry.obstacle();
    assumeTrue(obstacle.isEmpty(), () -> "no lab here: " + obstacle.orElse(""));
    Experiment experiment =
        new Experiments(HOME, LabWorkloads.ALL)
            .named(
                id,
                new Overrides(
                    Overrides.Size.QUICK,
                    OptionalLong.empty(),
                    OptionalInt.of(1),
                    settings,
                    List.of()));
    Conditions conditions = Conditions.of(Machine.here(), "", "", "", "");
    Results results =
        new ExperimentRunner(
                new ExperimentRunner.Environment(InstantSource.system(), () -> 0, conditions),
                RunProgress.NONE)
            .run(experiment, workload(experiment), row -> {});
    for (Row row : results.rows()) {
      assertEquals(Row.State.OK, row.state(), row::toString);
    }
    return results;
  }

  private static double figure(Results results, String system, String measure) {
    Row row =
        results.rows().stream().filter(r -> r.system().equals(system)).findFirst().orElseThrow();
    Double figure = row.figures().get(measure);
    assertTrue(figure != null, () -> row + " lacks " + measure);
    return figure;
  }

  /** Ten nodes are few, and a machine that runs tests is no place to measure on. */
  private static Map<String, String> small(String clients) {
    return Map.of("topology", "5x2", "room", "2g", "max-cpu", "2", "clients", clients);
  }

  @Test
  void aBlockIsRepaired() throws Exception {
    Results results = run("ppr/fig7a", small("0"));
    for (String system : List.of("star", "chain")) {
      // Six helpers send a block of 2 MiB each, and it is written once.
      assertEquals(12, figure(results, system, "helpers_mib"), system);
      assertTrue(figure(results, system, "moved_mib") >= 12, system);
      double seconds = figure(results, system, "seconds");
      assertTrue(seconds > 2.0 * (1 << 20) * 8 / 50e6, () -> "took " + seconds + " s");
    }
  }

  @Test
  void filesAreConvertedInPlaceAndByCopying() throws Exception {
    Map<String, String> settings = new HashMap<>(small("1"));
    settings.put("stripes", "1");
    settings.put("oversubscription", "4");
    Results results = run("conversion/copy", settings);
    for (String system : List.of("ear", "copy")) {
      assertEquals(1.5, figure(results, system, "stored"), 1e-9, system);
      assertTrue(figure(results, system, "peak") >= 3, system);
    }
    assertEquals(0, figure(results, "ear", "downloads"));
    assertEquals(0, figure(results, "ear", "relocated"));
    double ear = figure(results, "ear", "cross_rack_mib");
    double copy = figure(results, "copy", "cross_rack_mib");
    assertTrue(ear < copy, () -> ear + " MiB across racks by Braid, " + copy + " by copying");
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void filesAreConvertedWithAndWithoutSyncing() throws Exception {
    Map<String, String> settings = new HashMap<>(small("0"));
    settings.put("code", "rs-3-2");
    settings.put("stripes", "1");
    Results results = run("conversion/sync", settings);
    for (String system : List.of("synced", "unsynced")) {
      assertEquals(5.0 / 3, figure(results, system, "stored"), 1e-9, system);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void aThrottledConversionIsMeasuredBesideItsDryRunAndClients() throws Exception {
    Map<String, String> settings = new HashMap<>(small("2"));
    settings.put("code", "rs-3-2");
    settings.put("foresee", "true");
    Results results = run("throttle/convert", settings);
    double used = figure(results, "throttled", "cap_use");
    assertTrue(used > 0.2 && used <= 1.05, () -> used + " of the limit");
    assertEquals(
        figure(results, "throttled", "saved_mib_foreseen"),
        figure(results, "throttled", "saved_mib"),
        1e-9);
    assertTrue(
        figure(results, "throttled", "seconds_foreseen")
            <= figure(results, "throttled", "seconds"));
    for (String word : List.of("read", "write")) {
      assertTrue(figure(results, "throttled", word + "_quiet_p99_ms") > 0);
      assertTrue(figure(results, "throttled", word + "_p99_ms") > 0);
    }
  }

  /** Tasks of lost blocks run in their rack and get nothing from others. */
  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void jobsReadThroughLostBlocksInTheirRack() throws Exception {
    Results results = run("jobs/grep", Map.of("room", "2g"));
    assertEquals(0, figure(results, "normal", "rebuilt_mib"));
    for (String system : List.of("rstair", "rs")) {
      double lost = figure(results, system, "degraded_tasks");
      assertTrue(lost > 0, system);
      assertTrue(figure(results, system, "rebuilt_mib") >= lost, system);
    }
    assertEquals(0, figure(results, "rstair", "helpers_cross_rack_mib"));
    assertTrue(figure(results, "rs", "helpers_cross_rack_mib") > 0);
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void jobsRunBesideAConversion() throws Exception {
    Results results = run("ear/exp3", Map.of("room", "2g"));
    for (String system : List.of("random-encoding", "ear-encoding")) {
      assertTrue(figure(results, system, "convert_seconds") > 0, system);
      assertTrue(figure(results, system, "job_seconds") > 0, system);
    }
  }
}
