package org.braid.experiment.judge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Fake;
import org.braid.experiment.RunProgress;
import org.braid.experiment.file.Experiments;
import org.braid.experiment.file.NotCompared;
import org.braid.experiment.file.Overrides;
import org.braid.experiment.judge.Evidence.Defect;
import org.braid.experiment.judge.Evidence.Entry;
import org.braid.experiment.run.Conditions;
import org.braid.experiment.run.ExperimentRunner;
import org.braid.experiment.run.Results;
import org.braid.experiment.run.ResultsWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether the evidence is of the experiments as they stand. */
final class EvidenceTest {
  private static final String FILE =
      """
      title: Repair
      engine: sim
      workload: repair
      seed: 7
      axes:
        blocks: [4, 8]
      systems:
        slow: {shape: slow, rate: 50mbit}
        fast: {shape: fast}
      """;

  @TempDir private Path home;
  private final Fake fake = new Fake();

  @BeforeEach
  void anExperimentThatWasRun() throws Exception {
    Files.createDirectories(home.resolve("experiments/ppr"));
    write(FILE);
    run();
  }

  private void write(String text) throws Exception {
    Files.writeString(home.resolve("experiments/ppr/fig7a.yaml"), text);
  }

  private Path directory() {
    return home.resolve(Experiments.DIRECTORY);
  }

  private void run() throws ExperimentException {
    Experiment experiment =
        new Experiments(home, fake.workloads()).named("ppr/fig7a", Overrides.NONE);
    Conditions conditions =
        new Conditions("c", "CPU", 2, "k", "os", "jvm", "", experiment.common().toString());
    try (ResultsWriter writer = new ResultsWriter(directory(), experiment, fake, conditions)) {
      var environment = new ExperimentRunner.Environment(() -> Instant.EPOCH, () -> 0, conditions);
      Results results =
          new ExperimentRunner(environment, RunProgress.NONE).run(experiment, fake, writer);
      writer.finish(results);
    }
  }

  private Entry entry() throws ExperimentException {
    List<Entry> entries = Evidence.gather(home, directory(), List.of(fake.workloads())).entries();
    assertEquals(1, entries.size());
    return entries.get(0);
  }

  private void assertProblem(String problem) throws ExperimentException {
    assertEquals(problem, entry().problem());
    assertEquals(problem.isEmpty() ? Defect.NONE : Defect.INCOMPLETE, entry().defect());
  }

  private void assertChanged(String from, String to, String problem) throws Exception {
    write(FILE.replace(from, to));
    assertProblem(problem);
  }

  @Test
  void anExperimentAsItWasRunHasNoProblem() throws Exception {
    assertProblem("");
    assertChanged("title: Repair", "title: Repairs", "");
  }

  @Test
  void changedSettingsSeedsPointsAndSystemsAreTold() throws Exception {
    String changed = "the file has changed since: ";
    assertChanged("seed: 7", "seed: 8\nsettings: {size: 2m}", changed + "size was 1m, other seed");
    assertChanged("seed: 7", "seed: 8", changed + "other seed");
    assertChanged("[4, 8]", "[4, 16]", changed + "no trial of blocks=16, now without blocks=8");
    assertChanged("  fast:", "  quick:", changed + "no trial of quick, now without fast");
    assertChanged("50mbit", "60mbit", changed + "rate of slow was 50mbit");
    assertChanged("{shape: fast}", "{shape: slow}", changed + "shape of fast was fast");
    assertChanged(", rate: 50mbit", "", changed + "rate of slow was 50mbit");
    assertChanged("fast}", "fast, rate: 50mbit}", changed + "rate of fast was 100mbit");
  }

  /** Files of results that were written before there was such a column. */
  @Test
  void resultsThatDoNotTellTheirSystemsAreReadAsBefore() throws Exception {
    Path whole = directory().resolve("ppr/fig7a.sim.csv");
    String text = Files.readString(whole);
    Files.writeString(
        whole,
        text.replaceAll("(?m),system_settings$", "")
            .replaceAll("(?m),(rate=50mbit shape=slow|shape=fast)$", ""));
    assertProblem("");
    assertChanged("50mbit", "60mbit", "");
  }

  /** The whole results are still what is judged. */
  @Test
  void aLaterRunThatWasCutShortIsTold() throws Exception {
    fake.act =
        trial -> {
          throw ExperimentException.failed("no space");
        };
    run();
    assertProblem(
        "a later run is partial: 0 of 12 trials gave figures, 1 failed (no space); what is told is of"
            + " the whole run before it");
    assertEquals(Optional.of(12), entry().findings().map(f -> f.results().rows().size()));
  }

  @Test
  void aLaterRunThatCannotBeReadIsTold() throws Exception {
    Path partial = Files.writeString(directory().resolve("ppr/fig7a.sim.partial.csv"), "");
    assertProblem(
        "a later run is partial: %s:1: is empty: run the experiment again; what is told is of the whole run before it"
            .formatted(partial));
  }

  /** Their file is no experiment. */
  @Test
  void figuresThatAreNotComparedAreTold() throws Exception {
    Path file = directory().resolve("not-compared.yaml");
    assertEquals(
        List.of(), Evidence.gather(home, directory(), List.of(fake.workloads())).notCompared());
    Files.writeString(file, "figures:\n  - {figures: \"PPR, fig. 1\", why: It is a drawing.}\n");
    assertEquals(
        List.of(new NotCompared("PPR, fig. 1", "It is a drawing.")),
        Evidence.gather(home, directory(), List.of(fake.workloads())).notCompared());
    assertProblem("");
    Files.writeString(file, "figures:\n  - {figures: \"PPR, fig. 1\", why: A drawing}\n");
    assertEquals(
        "experiments/not-compared.yaml:2: why is no sentence on one line that ends with \".\"",
        assertThrows(ExperimentException.class, this::entry).getMessage());
  }
}
