package org.braid.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.experiment.Axis;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.DoubtfulException;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Fake;
import org.braid.experiment.RunProgress;
import org.braid.experiment.SourceLocation;
import org.braid.experiment.Trial;
import org.braid.experiment.Workload.Order;
import org.braid.experiment.WorkloadSettings;
import org.junit.jupiter.api.Test;

final class ExperimentRunnerTest {
  static final SourceLocation PLACE = new SourceLocation("e.yaml", 1);
  static final Conditions CONDITIONS =
      new Conditions("abc123", "Some CPU, 7", 2, "isa-l", "Linux 6", "a \"JVM\"", "", "size=1m");

  private final Fake fake = new Fake();
  private final List<Row> sunk = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private final List<Long> progress = new ArrayList<>();
  private long now;

  static Experiment experiment(Fake fake, int repetitions, String... blocks) throws Exception {
    return new Experiment(
        "ppr/fig7a",
        "Repair",
        "",
        "",
        "sim",
        fake.name(),
        7,
        repetitions,
        WorkloadSettings.defaults(fake),
        List.of(new Axis("blocks", List.of(blocks), PLACE)),
        List.of(system("slow"), system("fast"), system("other")),
        List.of(),
        List.of(),
        List.of());
  }

  static ComparedSystem system(String name) {
    return new ComparedSystem(name, name, Map.of("shape", new WorkloadSettings.Value(name, PLACE)));
  }

  private Results run(Experiment experiment) throws ExperimentException {
    sunk.clear();
    var environment =
        new ExperimentRunner.Environment(
            () -> Instant.ofEpochMilli(1_700_000_000_000L + (now += 500)), () -> 1.5, CONDITIONS);
    RunProgress told =
        new RunProgress() {
          @Override
          public void at(String phase, long done, long total) {
            progress.add(done);
          }

          @Override
          public void say(String line) {
            said.add(line);
          }
        };
    Results results = new ExperimentRunner(environment, told).run(experiment, fake, sunk::add);
    assertEquals(0, fake.open, "the session is closed");
    assertEquals(sunk, results.rows(), "all rows are handed on");
    return results;
  }

  @Test
  void systemsTakeTurnsAndAnotherIsFirstInEachRepetition() throws Exception {
    Results results = run(experiment(fake, 3, "4", "8"));
    assertEquals(18, results.planned());
    assertTrue(results.isComplete());
    assertEquals("", results.shortfall());
    List<String> order =
        fake.trials.stream()
            .map(t -> t.repetition() + " " + t.point().get("blocks") + " " + t.system())
            .toList();
    assertEquals(
        List.of(
            "0 4 slow",
            "0 4 fast",
            "0 4 other",
            "0 8 slow",
            "0 8 fast",
            "0 8 other",
            "1 4 fast",
            "1 4 other",
            "1 4 slow",
            "1 8 fast",
            "1 8 other",
            "1 8 slow",
            "2 4 other",
            "2 4 slow",
            "2 4 fast",
            "2 8 other",
            "2 8 slow",
            "2 8 fast"),
        order);
    assertEquals(19, progress.size());
    assertEquals(18, progress.get(18));
  }

  @Test
  void pointsMayBeFinishedOneByOne() throws Exception {
    fake.order = Order.POINTS;
    run(experiment(fake, 2, "4", "8"));
    assertEquals(
        List.of("4", "4", "4", "4", "4", "4", "8", "8", "8", "8", "8", "8"),
        fake.trials.stream().map(t -> t.point().get("blocks")).toList());
  }

  @Test
  void seedsAreSharedBySystemsAndByNothingElse() throws Exception {
    run(experiment(fake, 20, "4", "8", "12"));
    Set<Long> seeds = new HashSet<>();
    for (int i = 0; i < fake.trials.size(); i += 3) {
      long seed = fake.trials.get(i).seed();
      assertEquals(seed, fake.trials.get(i + 1).seed());
      assertEquals(seed, fake.trials.get(i + 2).seed());
      assertTrue(seed >= 0);
      seeds.add(seed);
    }
    assertEquals(60, seeds.size());
    Trial last = fake.trials.get(fake.trials.size() - 1);
    fake.trials.clear();
    run(experiment(fake, 20, "12"));
    assertEquals(
        last.seed(), fake.trials.get(fake.trials.size() - 1).seed(), "also with fewer points");
  }

  @Test
  void rowsSayWhatWasMeasuredAndWhen() throws Exception {
    Row row = run(experiment(fake, 1, "4", "8")).rows().get(1);
    assertEquals(2, row.trial());
    assertEquals("fast", row.system());
    assertEquals(Map.of("seconds", 1.0, "bytes", 4.0 * (1 << 20)), row.figures());
    assertEquals(List.of("seconds", "bytes"), List.copyOf(row.figures().keySet()));
    assertEquals("2023-11-14T22:13:22Z", row.date());
    assertEquals(0.5, row.took(), 1e-9);
    assertEquals(1.5, row.load());
    assertEquals(Row.State.OK, row.state());
  }

  @Test
  void aFailedTrialIsMarkedAndTheNextFollows() throws Exception {
    fake.act =
        trial -> {
          if (trial.system().equals("fast")) {
            throw ExperimentException.trial("node 3 died\nat once");
          }
          if (trial.system().equals("other")) {
            throw new IllegalStateException("odd");
          }
          return Fake.figures(trial);
        };
    Results results = run(experiment(fake, 1, "4", "8"));
    assertEquals(6, results.rows().size());
    assertEquals(4, results.count(Row.State.FAILED));
    assertFalse(results.isComplete());
    assertEquals(
        "partial: 2 of 6 trials gave figures, 4 failed (node 3 died)", results.shortfall());
    assertEquals(
        "internal error, java.lang.IllegalStateException: odd", results.rows().get(2).note());
    assertEquals("fast blocks=4, repetition 1, failed: node 3 died\nat once", said.get(0));
  }

  @Test
  void whatEndsTheRunKeepsWhatThereIs() throws Exception {
    fake.act =
        trial -> {
          if (fake.trials.size() == 4) {
            throw ExperimentException.failed("the NameNode died");
          }
          return Fake.figures(trial);
        };
    Results results = run(experiment(fake, 1, "4", "8"));
    assertEquals(4, results.rows().size());
    assertEquals("the NameNode died", results.problem());
    assertEquals(
        "partial: 3 of 6 trials gave figures, 1 failed (the NameNode died)", results.shortfall());
  }

  @Test
  void anInterruptEndsTheRunAndIsUsedUp() throws Exception {
    fake.before =
        trial -> {
          if (fake.trials.size() == 2) {
            Thread.currentThread().interrupt();
          }
        };
    Results results = run(experiment(fake, 1, "4", "8"));
    assertEquals(2, results.rows().size());
    assertEquals("interrupted after 2 of 6 trials", results.problem());
    assertFalse(Thread.currentThread().isInterrupted());
    fake.trials.clear();
    fake.act =
        trial -> {
          throw new InterruptedException();
        };
    fake.before = trial -> {};
    assertEquals(
        "partial: 0 of 6 trials gave figures (interrupted after 0 of 6 trials)",
        run(experiment(fake, 1, "4", "8")).shortfall());
  }

  @Test
  void doubtfulTrialsAreRepeatedAFewTimes() throws Exception {
    fake.act =
        trial -> {
          if (trial.system().equals("slow") || fake.trials.size() == 4) {
            throw new DoubtfulException("the processors were 97% busy", Fake.figures(trial));
          }
          return Fake.figures(trial);
        };
    Results results = run(experiment(fake, 1, "4"));
    assertEquals(
        List.of("slow", "slow", "slow", "fast", "fast", "other"),
        fake.trials.stream().map(Trial::system).toList());
    Row slow = results.rows().get(0);
    assertEquals(Row.State.DOUBTFUL, slow.state());
    assertEquals(3, slow.attempts());
    assertEquals(4.0, slow.figures().get("seconds"));
    assertEquals(Row.State.OK, results.rows().get(1).state());
    assertEquals(2, results.rows().get(1).attempts());
    assertTrue(results.isComplete());
    assertEquals("1 doubtful (the processors were 97% busy)", results.shortfall());
  }

  @Test
  void figuresThatAreNoneFailTheTrial() throws Exception {
    fake.act =
        trial ->
            switch (trial.system()) {
              case "slow" -> Map.of("seconds", Double.NaN);
              case "fast" -> Map.of("second", 1.0);
              default -> Map.of();
            };
    Results results = run(experiment(fake, 1, "4"));
    assertEquals(
        List.of(
            "measured seconds = NaN",
            "measured [second], workload repair has [seconds, bytes]",
            "measured [], workload repair has [seconds, bytes]"),
        results.rows().stream().map(Row::note).toList());
  }

  @Test
  void wrongSettingsAreFoundBeforeAnythingRuns() throws Exception {
    Experiment experiment = experiment(fake, 1, "4", "-8");
    ExperimentException e = assertThrows(ExperimentException.class, () -> run(experiment));
    assertEquals("e.yaml:1: blocks: -8 is too small: write a number of at least 0", e.getMessage());
    assertEquals(List.of(), fake.trials);
  }
}
