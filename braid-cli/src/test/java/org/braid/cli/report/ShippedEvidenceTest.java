package org.braid.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.braid.experiment.Claim;
import org.braid.experiment.Claim.Between;
import org.braid.experiment.Claim.Trend;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Quantity.Form;
import org.braid.experiment.Workloads;
import org.braid.experiment.file.Experiments;
import org.braid.experiment.file.Overrides;
import org.braid.experiment.judge.Evidence;
import org.braid.lab.work.LabWorkloads;
import org.braid.sim.workload.SimWorkloads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The experiments that Braid ships: each claim says what is judged, and the evidence is theirs. */
final class ShippedEvidenceTest {
  private static final Path HOME = Path.of("..");
  private static final List<Workloads> ENGINES = List.of(LabWorkloads.ALL, SimWorkloads.all());
  private static final Pattern RUN = Pattern.compile("\\./braid (lab|sim) run (\\S+)(.*)");
  private static final Pattern OPTION =
      Pattern.compile(" --(set|systems|seed|repetitions) (\"[^\"]*\"|\\S+)");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?%?");

  static List<Claim> claims() throws ExperimentException {
    List<Claim> claims = new ArrayList<>();
    for (Workloads engine : ENGINES) {
      for (Experiments.Listed listed : new Experiments(HOME, engine).all()) {
        assertEquals("", listed.problem());
        claims.addAll(listed.experiment().orElseThrow().claims());
      }
    }
    assertFalse(claims.isEmpty());
    return claims;
  }

  @ParameterizedTest
  @MethodSource("claims")
  void theSentenceIsTheGoal(Claim claim) {
    if (claim.bound() instanceof Trend trend) {
      String direction = trend.direction().name().toLowerCase(Locale.ROOT);
      assertTrue(claim.text().contains(direction.equals("flat") ? "stays within" : direction));
      assertTrue(claim.text().contains(" along " + trend.axis() + " from "), claim.text());
      assertTrue(
          trend.tolerance() == 0
              || says(claim, trend.tolerance())
              || says(claim, 100 * trend.tolerance()),
          claim.text());
      return;
    }
    Between between = (Between) claim.bound();
    for (double end : new double[] {between.least(), between.most()}) {
      assertTrue(
          Double.isInfinite(end) || says(claim, end) || isEqual(claim, end), claim::toString);
    }
  }

  /** Whether the sentence has a number, rounded to four digits at most. */
  private static boolean says(Claim claim, double wanted) {
    Matcher numbers = NUMBER.matcher(claim.text());
    while (numbers.find()) {
      String text = numbers.group();
      double said = Double.parseDouble(text.replace("%", "")) / (text.endsWith("%") ? 100 : 1);
      if (Math.abs(said - wanted) <= 6e-4 * Math.abs(wanted)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a limit is where both sides are equal, which the sentence says without a number. */
  private static boolean isEqual(Claim claim, double limit) {
    double equal = claim.quantity().form() == Form.RATIO ? 1 : 0;
    return Math.abs(limit - equal) < 1e-12 && claim.text().matches(".* (less|more) .*");
  }

  /** A command that shows why a claim does not hold is about an experiment that Braid ships. */
  @ParameterizedTest
  @MethodSource("claims")
  void theCommandsThatShowCausesRun(Claim claim) throws ExperimentException {
    String command = claim.cause().map(Claim.Cause::shownBy).orElse("");
    if (command.isEmpty()) {
      return;
    }
    Matcher run = RUN.matcher(command);
    assertTrue(run.matches(), command);
    Map<String, String> settings = new HashMap<>();
    List<String> systems = new ArrayList<>();
    Matcher options = OPTION.matcher(run.group(3));
    int end = 0;
    while (options.lookingAt()) {
      String value = options.group(2).replace("\"", "");
      switch (options.group(1)) {
        case "set" -> settings.put(value.split("=", 2)[0], value.split("=", 2)[1]);
        case "systems" -> systems.addAll(List.of(value.split(",")));
        default -> assertTrue(value.matches("[0-9]+"), command);
      }
      end = options.end();
      options.region(end, run.group(3).length());
    }
    assertEquals(run.group(3).length(), end, command);
    Workloads engine =
        ENGINES.stream().filter(e -> e.engine().equals(run.group(1))).findFirst().orElseThrow();
    new Experiments(HOME, engine)
        .named(
            run.group(2),
            new Overrides(
                Overrides.Size.FULL, OptionalLong.empty(), OptionalInt.empty(), settings, systems));
  }

  @Test
  void theEvidenceIsWhatTheReportMakes() throws IOException, ExperimentException {
    Evidence evidence = Evidence.gather(HOME, HOME.resolve(Experiments.DIRECTORY), ENGINES);
    assertEquals(
        EvidencePage.markdown(evidence), Files.readString(HOME.resolve("docs/EVIDENCE.md")));
  }
}
