package org.braid.experiment.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.braid.experiment.Claim;
import org.braid.experiment.Claim.Between;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Fake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sentence of a claim says what its goal demands. */
final class ClaimSentenceTest {
  private static final String FILE =
      """
      title: Repair
      engine: sim
      workload: repair
      settings: {code: rs-6-3, size: 64m}
      axes:
        blocks: [4, 8, 1000]
      systems: [star, ppr]
      claims:
        - claim: "%s"
          measure: %s
          of: %s
          system: ppr
          %s
          %s
          %s
          goal: "%s"
      """;

  private static Claim claim(
      String sentence, String measure, String form, String paper, String goal)
      throws ExperimentException {
    boolean trend = goal.contains("along");
    String text =
        FILE.formatted(
            sentence,
            measure,
            form,
            form.equals("value") ? "" : "against: star",
            trend ? "" : "at: {blocks: 1000}",
            paper.isEmpty() ? "" : "paper: " + paper,
            goal);
    return new ExperimentReader(new Fake().workloads(), "ppr/fig7a", Path.of("none"))
        .read(YamlFile.parse(text, "e.yaml", ExperimentFile.class), Overrides.NONE)
        .claims()
        .get(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          seconds|value    |     |>= 2            |at least 2 s
          seconds|value    |     |<= 2.50         |at most 2.5 s
          seconds|value    |     |< 2             |less than 2 s
          bytes  |value    |     |0               |0 B
          seconds|value    |     |1.5 .. 2        |1.5 to 2 s
          seconds|ratio    |     |>= 3            |at least 3 times
          seconds|ratio    |     |< 1             |less
          seconds|ratio    |     |<= 1            |no more
          seconds|ratio    |     |> 1             |more
          seconds|ratio    |     |0.9 .. 1.1      |0.9 to 1.1 times
          seconds|gain     |     |>= 0.575        |at least 57.5% more
          seconds|gain     |     |20% .. 34%      |20% to 34% more
          seconds|gain     |     |> 0             |more
          seconds|gain     |     |>= 0            |no less
          seconds|reduction|     |>= 59%          |at least 59% less
          seconds|reduction|     |> 0             |less
          seconds|reduction|     |<= 0            |no less
          seconds|reduction|     |>= 0            |no more
          """)
  void theGoalStandsInTheSentence(
      String measure, String form, String paper, String goal, String words) throws Exception {
    assertEquals(
        "Then it is " + words + " so.",
        claim("Then it is {goal} so.", measure, form, paper == null ? "" : paper, goal).text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          seconds|value    |7.5|within 10%|7.5 s so, within 10% of the paper's figure (6.75 to 8.25 s).
          seconds|ratio    |2.5|within 4%|2.5 times so, within 4% of the paper's figure (2.4 to 2.6 times).
          seconds|gain     |70%|within 10%|70% more so, within 10% of the paper's figure (63% to 77% more).
          seconds|reduction|0.132|within 10%|13.2% less so, within 10% of the paper's figure (11.88% to 14.52% less).
          seconds|value    |''|rises along blocks|rises along blocks from 4 to 1000 so, with no step back.
          seconds|ratio    |''|falls along blocks within 5%|falls along blocks from 4 to 1000 so, with no step back of more than 5%.
          seconds|gain     |''|rises along blocks within 5 points|rises along blocks from 4 to 1000 so, with no step back of more than 5 points.
          seconds|value    |''|flat along blocks within 10%|stays within 10% of its mean along blocks from 4 to 1000 so.
          """)
  void aToleranceEndsTheSentence(
      String measure, String form, String paper, String goal, String words) throws Exception {
    assertEquals("It is " + words, claim("It is {goal} so.", measure, form, paper, goal).text());
  }

  @Test
  void toleranceIsAShareOfThePapersFigure() throws Exception {
    Between judged =
        (Between) claim("It is {goal}.", "seconds", "reduction", "13.2%", "within 10%").bound();
    assertEquals(0.1188, judged.least(), 1e-12);
    assertEquals(0.1452, judged.most(), 1e-12);
  }

  @Test
  void aStrictLimitIsOutside() throws Exception {
    Between more = (Between) claim("It is {goal}.", "seconds", "gain", "", "> 0").bound();
    assertEquals(Math.nextUp(0.0), more.least());
    Between less = (Between) claim("It is {goal}.", "seconds", "ratio", "", "< 1").bound();
    assertEquals(Math.nextDown(1.0), less.most());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "With RS(6,3) it is {goal}.",
        "With 1,000 blocks it is {goal}.",
        "At 1000:1 it is {goal}.",
        "With blocks of 64 MiB it is {goal}."
      })
  void settingsMayBeNamed(String sentence) throws Exception {
    assertEquals(
        sentence.replace("{goal}", "at least 3 s"),
        claim(sentence, "seconds", "value", "", ">= 3").text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          It is at least 3.|is no sentence that ends with "." and has its goal once
          It is {goal} and {goal}.|is no sentence that ends with "." and has its goal once
          It is {goal}|is no sentence that ends with "." and has its goal once
          With 12 blocks it is {goal}.|has the number 12, which is no setting of what it is about
          It is {goal}, not 2.5 s.|has the number 2.5, which is no setting of what it is about
          It is {goal}, 6% in all.|has a figure beside its goal
          It is {goal}, or twice that.|has a figure beside its goal
          It is half as long, {goal}.|has a figure beside its goal
          """)
  void figuresBesideTheGoalAreRefused(String sentence, String message) {
    ExperimentException e =
        assertThrows(
            ExperimentException.class, () -> claim(sentence, "seconds", "value", "", ">= 3"));
    assertEquals(
        "e.yaml:9: claim \"%s\" %s".formatted(sentence, message),
        String.valueOf(e.getMessage()).replaceFirst(": (write|figures).*", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gain |within 0.1|e.yaml:16: goal "within 0.1" is not understood
          gain |rises along blocks within 5%|e.yaml:16: goal "rises along blocks within 5%" has a tolerance in percent: write it in points
          ratio|rises along blocks within 5 points|e.yaml:16: goal "rises along blocks within 5 points" has a tolerance in points: write it in percent
          """)
  void aToleranceSaysOfWhatItIs(String form, String goal, String message) {
    String told =
        String.valueOf(
            assertThrows(
                    ExperimentException.class,
                    () -> claim("It is {goal}.", "seconds", form, "", goal))
                .getMessage());
    assertEquals(message, told.substring(0, message.length()));
  }
}
