package org.braid.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Fake;
import org.braid.experiment.RunProgress;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultsFileTest {
  @TempDir private Path directory;
  private final Fake fake = new Fake();

  private Results run(Experiment experiment) throws ExperimentException {
    try (ResultsWriter writer =
        new ResultsWriter(directory, experiment, fake, ExperimentRunnerTest.CONDITIONS)) {
      var environment =
          new ExperimentRunner.Environment(
              () -> Instant.EPOCH, () -> 0.25, ExperimentRunnerTest.CONDITIONS);
      Results results =
          new ExperimentRunner(environment, RunProgress.NONE).run(experiment, fake, writer);
      writer.finish(results);
      return results;
    }
  }

  private Path whole() {
    return directory.resolve("ppr/fig7a.sim.csv");
  }

  private Path partial() {
    return directory.resolve("ppr/fig7a.sim.partial.csv");
  }

  @Test
  void wholeResultsAreReadBackAsTheyWere() throws Exception {
    Experiment experiment = ExperimentRunnerTest.experiment(fake, 2, "4", "8");
    fake.act = trial -> Map.of("seconds", trial.seed() / 3.0);
    Results results = run(experiment);
    assertTrue(Files.exists(whole()));
    assertFalse(Files.exists(partial()));
    assertEquals(Optional.of(results), ResultsReader.find(directory, experiment));
    List<String> lines = Files.readAllLines(whole());
    assertEquals(
        "experiment,engine,trial,trials,system,repetition,state,blocks,seconds,bytes,attempts,note,"
            + "seed,date,took,load1m,commit,cpu,cores,kernel,os,jvm,options,settings,system_settings",
        lines.get(0));
    assertTrue(
        lines
            .get(1)
            .endsWith(
                ",1970-01-01T00:00:00Z,0.000,0.25,abc123,\"Some CPU, 7\",2,isa-l,Linux 6,\"a"
                    + " \"\"JVM\"\"\",,size=1m,shape=slow"),
        lines.get(1));
  }

  @Test
  void partialResultsStayBesideWholeOnes() throws Exception {
    Experiment experiment = ExperimentRunnerTest.experiment(fake, 1, "4", "8");
    Results before = run(experiment);
    fake.act =
        trial -> {
          throw ExperimentException.failed("no space");
        };
    Results cut = run(experiment);
    assertEquals(1, cut.rows().size());
    assertEquals(Optional.of(before), ResultsReader.find(directory, experiment));
    Results read = ResultsReader.read(partial(), experiment);
    assertEquals(cut.rows(), read.rows());
    assertEquals(6, read.planned());
    assertEquals("partial: 0 of 6 trials gave figures, 1 failed (no space)", read.shortfall());
    Files.delete(whole());
    assertEquals(Optional.of(read), ResultsReader.find(directory, experiment));
    Files.delete(partial());
    assertEquals(Optional.empty(), ResultsReader.find(directory, experiment));
  }

  @Test
  void rowsAreThereWhenTheProcessIsKilled() throws Exception {
    Experiment experiment = ExperimentRunnerTest.experiment(fake, 1, "4", "8");
    Results results = run(experiment);
    String text = Files.readString(whole());
    Files.delete(whole());
    // Cut in the middle of the last line.
    Files.writeString(partial(), text.substring(0, text.length() - 20));
    Results read = ResultsReader.find(directory, experiment).orElseThrow();
    assertEquals(results.rows().subList(0, 5), read.rows());
    assertEquals("partial: 5 of 6 trials gave figures", read.shortfall());
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamedOnceWithTheReason() throws Exception {
    Experiment experiment = ExperimentRunnerTest.experiment(fake, 1, "4", "8");
    Files.writeString(directory.resolve("ppr"), "");
    assertEquals(
        "results cannot be written to "
            + partial()
            + " (File exists): name another directory with --out",
        assertThrows(ExperimentException.class, () -> run(experiment)).getMessage());
  }

  @Test
  void wrongFilesAreToldWithTheirLine() throws Exception {
    Experiment experiment = ExperimentRunnerTest.experiment(fake, 1, "4", "8");
    run(experiment);
    String text = Files.readString(whole());
    for (String[] change :
        new String[][] {
          {"ppr/fig7a,sim,2", "ppr/fig8,sim,2", ":3: is of experiment ppr/fig8, not of ppr/fig7a"},
          {"ppr/fig7a,sim,2", "sim,2", ":3: has 24 cells, the header has 25"},
          {",ok,8,", ",good,8,", ":5: is not as it was written: No enum constant"},
          {"state,blocks", "state,block", ":1: has no column \"blocks\": run the experiment again"},
          {"shape=slow\n", "\"shape=slow\n", ":3: Unexpected character"},
        }) {
      Files.writeString(whole(), text.replaceFirst(change[0], change[1]));
      String message =
          assertThrows(ExperimentException.class, () -> ResultsReader.find(directory, experiment))
              .getMessage();
      assertTrue(message.startsWith(whole() + change[2]), message);
    }
    Files.writeString(whole(), "");
    assertEquals(
        whole() + ":1: is empty: run the experiment again",
        assertThrows(ExperimentException.class, () -> ResultsReader.find(directory, experiment))
            .getMessage());
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsRefused() throws Exception {
    Experiment experiment = ExperimentRunnerTest.experiment(fake, 1, "4", "8");
    Files.writeString(directory.resolve("ppr"), "a file");
    ExperimentException e = assertThrows(ExperimentException.class, () -> run(experiment));
    assertEquals(ExperimentException.Cause.REFUSED, e.cause());
    assertTrue(e.getMessage().endsWith("name another directory with --out"), e.getMessage());
    assertEquals(List.of(), fake.trials);
  }

  @Test
  void anyCellsAreReadBack() throws Exception {
    Random random = Seeds.random(ResultsFileTest.class);
    String letters = "a,\" \u00e9=%#'\\;\t";
    List<String> columns = List.of("first", "second", "third");
    List<List<String>> rows = new ArrayList<>();
    StringBuilder text = new StringBuilder(CsvTable.line(columns));
    for (int i = 0; i < 2000; i++) {
      List<String> cells =
          columns.stream()
              .map(
                  column -> {
                    StringBuilder cell = new StringBuilder();
                    for (int n = random.nextInt(6); n > 0; n--) {
                      cell.append(letters.charAt(random.nextInt(letters.length())));
                    }
                    return cell.toString();
                  })
              .toList();
      rows.add(cells);
      text.append(CsvTable.line(cells));
    }
    Path file = Files.writeString(directory.resolve("any.csv"), text);
    CsvTable table = CsvTable.read(file);
    assertEquals(
        rows, table.rows().stream().map(row -> columns.stream().map(row::cell).toList()).toList());
    assertEquals(file + ":2001", table.rows().get(1999).location().toString());
  }

  @Test
  void aRowIsOneLine() throws Exception {
    assertEquals(",a b,\"c,d\", e\n", CsvTable.line(List.of("", "a\nb", "c,d", " e")));
  }
}
