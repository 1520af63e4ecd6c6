package org.braid.experiment.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.braid.experiment.Claim;
import org.braid.experiment.Claim.Between;
import org.braid.experiment.Claim.Unknown;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReferencesTest {
  private static final String MEASURED =
      "{experiment: ear/exp2, engine: lab, system: ear, at: {code: rs-6-3}, measure: ms, times: 0.001}";

  private static final String ROWS =
      """
      experiment,engine,system,state,code,ms
      ear/exp2,lab,ear,ok,rs-6-3,4000
      ear/exp2,lab,ear,doubtful,rs-6-3,1000
      ear/exp2,lab,ear,failed,rs-6-3,
      ear/exp2,lab,ear,ok,rs-8-3,9000
      ear/exp2,lab,random,ok,rs-6-3,8000
      """;

  @TempDir private Path home;

  private Claim claim(String measured) throws IOException, ExperimentException {
    Path file = home.resolve("experiments/ear/exp5.yaml");
    Files.createDirectories(home.resolve("experiments/ear"));
    Files.writeString(
        file,
        """
        title: As in the lab
        engine: sim
        workload: repair
        systems: [a]
        claims:
          - claim: It takes {goal}.
            measure: seconds
            goal: within 10%
            measured: """
            + " "
            + measured
            + "\n");
    return new Experiments(home, new Fake().workloads())
        .named("ear/exp5", Overrides.NONE)
        .claims()
        .get(0);
  }

  private void results(String rows) throws IOException {
    Files.createDirectories(home.resolve("experiments/ear"));
    Files.writeString(home.resolve("experiments/ear/exp2.lab.csv"), rows);
  }

  @Test
  void theMedianOfTheOtherRowsTakesThePlaceOfThePapersFigure() throws Exception {
    results(ROWS);
    Claim claim = claim(MEASURED);
    assertEquals(2.5, claim.paper().orElseThrow(), 1e-12);
    Between between = (Between) claim.bound();
    assertEquals(2.25, between.least(), 1e-12);
    assertEquals(2.75, between.most(), 1e-12);
    assertEquals(
        "It takes 2.5 s, within 10% of what ear/exp2 on lab measured (2.25 to 2.75 s).",
        claim.text());
    assertEquals("ear/exp2 on lab", claim.reference().orElseThrow().origin());
  }

  @Test
  void withoutResultsNobodyKnows() throws Exception {
    Claim claim = claim(MEASURED);
    assertEquals(OptionalDouble.empty(), claim.paper());
    assertEquals("It takes what ear/exp2 on lab measured, within 10%.", claim.text());
    assertEquals(
        new Unknown(
            "within 10%",
            "no results of ear/exp2 on lab: ./braid lab run ear/exp2 --out experiments"),
        claim.bound());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ms,|seconds,|:1: has no column "seconds", it has experiment
          : rs-6-3|: rs-4-2|:1: has no ms of system ear at {code=rs-4-2}
          system: ear|system: best|:1: has no ms of system best
          code:|rack:|:1: has no column "rack"
          times: 0.001|times: 0|exp5.yaml:9: times is not above 0
          engine: lab, ||exp5.yaml:9: there is no engine: write engine: lab
          at:|on:|exp5.yaml:9: unknown key "on"; known: at, engine
          """)
  void mistakesAreToldWithTheirPlace(String text, String instead, String message) throws Exception {
    results(ROWS);
    String changed = MEASURED.replace(text, instead == null ? "" : instead);
    String told =
        String.valueOf(assertThrows(ExperimentException.class, () -> claim(changed)).getMessage());
    assertTrue(told.contains(message), told);
  }

  @Test
  void rowsThatAreNoneAreToldWithTheirLine() throws Exception {
    results(ROWS.replace(",4000", ",soon"));
    String told =
        String.valueOf(assertThrows(ExperimentException.class, () -> claim(MEASURED)).getMessage());
    assertTrue(told.contains("exp2.lab.csv:2: ms is \"soon\", not a number"), told);
    results(ROWS.replace("lab,ear,ok,rs-8-3", "lab,rs-8-3"));
    String cells =
        String.valueOf(assertThrows(ExperimentException.class, () -> claim(MEASURED)).getMessage());
    assertTrue(cells.contains("exp2.lab.csv:5: has 4 cells, the header has 6"), cells);
  }
}
