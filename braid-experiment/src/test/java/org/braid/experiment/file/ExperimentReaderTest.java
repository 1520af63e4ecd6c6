package org.braid.experiment.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.braid.experiment.Axis;
import org.braid.experiment.Chart;
import org.braid.experiment.Claim;
import org.braid.experiment.Claim.Between;
import org.braid.experiment.Claim.Trend;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Fake;
import org.braid.experiment.Quantity.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExperimentReaderTest {
  private static final String GOOD =
      """
      title: Repair of one block
      source: PPR, fig. 7a
      engine: [lab, sim]
      workload: repair
      seed: 7
      settings:
        rate: 200mbit
      axes:
        blocks: [4, 8, 12]
        code: [x, y]
      systems:
        slow: {label: Slow, shape: slow}
        fast: {shape: fast}
      figures:
        - {measure: seconds, of: reduction, against: slow, system: fast, at: {code: x}, along: blocks, values: {4: 0.5, 12: 60%}}
      claims:
        - claim: Fast takes {goal} time than slow.
          measure: seconds
          of: reduction
          system: fast
          against: slow
          at: {blocks: 12, code: x}
          paper: 60%
          goal: ">= 0.59"
          because: Slow waits for nobody.
          shown-by: ./braid sim run ppr/fig7a --seed 8
        - claim: The time of fast {goal}.
          measure: seconds
          system: fast
          at: {code: y}
          goal: rises along blocks within 5%
      charts:
        - {kind: lines, measure: seconds, x: blocks, systems: [fast], at: {code: x}}
      quick:
        settings: {size: 64k}
        axes: {blocks: [2]}
        systems: [fast]
      """;

  private static Experiment read(String text, Overrides overrides) throws ExperimentException {
    return new ExperimentReader(new Fake().workloads(), "ppr/fig7a", Path.of("none"))
        .read(YamlFile.parse(text, "e.yaml", ExperimentFile.class), overrides);
  }

  private static Overrides set(String... pairs) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      settings.put(pairs[i], pairs[i + 1]);
    }
    return new Overrides(
        Overrides.Size.FULL, OptionalLong.empty(), OptionalInt.empty(), settings, List.of());
  }

  private static void refused(String text, Overrides overrides, String message) {
    ExperimentException e =
        assertThrows(ExperimentException.class, () -> read(text, overrides), message);
    assertEquals(ExperimentException.Cause.WRONG, e.cause());
    assertEquals(message, e.getMessage());
  }

  @Test
  void everythingIsRead() throws Exception {
    Experiment e = read(GOOD, Overrides.NONE);
    assertEquals("Repair of one block", e.title());
    assertEquals("PPR, fig. 7a", e.source());
    assertEquals("sim", e.engine());
    assertEquals(7, e.seed());
    assertEquals(3, e.repetitions());
    assertEquals("200mbit", e.settings().text("rate"));
    assertEquals("1m", e.settings().text("size"));
    assertEquals(6, e.points().size());
    assertEquals(Map.of("blocks", "4", "code", "y"), e.points().get(1));
    assertEquals(36, e.trials());
    assertEquals(List.of("Slow", "fast"), e.systems().stream().map(ComparedSystem::label).toList());
    assertEquals("fast", e.settings(e.points().get(0), e.system("fast")).text("shape"));
    assertEquals("12", e.settings(e.points().get(5), e.system("fast")).text("blocks"));
    assertEquals("rate=200mbit size=1m", e.common().toString());
    assertEquals(2, e.figures().size());
    assertEquals(0.6, e.figures().get(1).value(), 1e-12);
    assertEquals(Map.of("blocks", "12", "code", "x"), e.figures().get(1).at());
    Claim claim = e.claims().get(0);
    assertEquals(Form.REDUCTION, claim.quantity().form());
    assertEquals("Fast takes at least 59% less time than slow.", claim.text());
    assertEquals("slow", claim.quantity().against().system());
    assertEquals(0.6, claim.paper().orElseThrow(), 1e-12);
    assertEquals(new Between(0.59, Double.POSITIVE_INFINITY, ">= 0.59"), claim.bound());
    assertEquals(
        Optional.of(
            new Claim.Cause("Slow waits for nobody.", "./braid sim run ppr/fig7a --seed 8")),
        claim.cause());
    assertEquals(Optional.empty(), e.claims().get(1).cause());
    assertEquals(
        new Trend("blocks", Claim.Direction.RISES, 0.05, "rises along blocks within 5%"),
        e.claims().get(1).bound());
    assertEquals(Chart.Kind.LINES, e.charts().get(0).kind());
  }

  @Test
  void chartsFollowFromClaimsWhereNoneAreGiven() throws Exception {
    String text =
        GOOD.substring(0, GOOD.indexOf("charts:")) + GOOD.substring(GOOD.indexOf("quick:"));
    List<Chart> charts = read(text, Overrides.NONE).charts();
    assertEquals(1, charts.size());
    assertEquals("seconds", charts.get(0).quantity().measure());
    assertEquals("blocks", charts.get(0).x());
    assertEquals(Chart.Kind.LINES, charts.get(0).kind());
  }

  @Test
  void theSmallerSizeReplacesWhatItNames() throws Exception {
    Experiment e =
        read(
            GOOD,
            new Overrides(
                Overrides.Size.QUICK,
                OptionalLong.of(9),
                OptionalInt.empty(),
                Map.of(),
                List.of()));
    assertEquals(1, e.repetitions());
    assertEquals(9, e.seed());
    assertEquals("64k", e.settings().text("size"));
    assertEquals("200mbit", e.settings().text("rate"));
    assertEquals(2, e.points().size());
    assertEquals(List.of("fast"), e.systems().stream().map(ComparedSystem::name).toList());
  }

  @Test
  void optionsRestrictAxesAndReplaceSettings() throws Exception {
    Experiment e = read(GOOD, set("code", "y", "blocks", "8, 20", "rate", "1gbit"));
    assertEquals(List.of("8", "20"), axis(e, "blocks").values());
    assertEquals(List.of("y"), axis(e, "code").values());
    assertEquals("1gbit", e.settings().text("rate"));
    assertEquals(
        List.of("--set 'blocks=8, 20'", "--set code=y", "--set rate=1gbit"),
        set("code", "y", "blocks", "8, 20", "rate", "1gbit").options());
  }

  private static Axis axis(Experiment e, String name) {
    return e.axes().stream().filter(a -> a.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void wrongOptionsSayWhatToDo() {
    refused(
        GOOD,
        set("shape", "star"),
        "--set: shape is what the systems of ppr/fig7a differ in (slow, fast): choose among them"
            + " with --systems");
    refused(
        GOOD,
        set("sice", "1m"),
        "--set: unknown setting \"sice\"; did you mean \"size\"? known: blocks, code, rate, shape,"
            + " size");
    refused(GOOD, set("code", " ,"), "--set: code has no value: write code=VALUE");
    refused(
        GOOD,
        new Overrides(
            Overrides.Size.FULL,
            OptionalLong.empty(),
            OptionalInt.empty(),
            Map.of(),
            List.of("fats")),
        "--systems: unknown system \"fats\"; did you mean \"fast\"? known: slow, fast");
  }

  /** Each replaces a text of the good file, and makes one mistake. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "seed: 7|sed: 7|e.yaml:5: unknown key \"sed\"; did you mean \"seed\"? known: about,"
            + " axes, charts, claims, engine, figures, quick, repetitions, seed, settings, source,"
            + " systems, title, workload",
        "seed: 7|seed: x|e.yaml:5: seed should be a whole number",
        "seed: 7|seed: -7|e.yaml:5: -7 is not from 0 to 9223372036854775807",
        "seed: 7|seed:|e.yaml:5: seed has no value: write one or remove the line",
        "seed: 7|seed: [7]|e.yaml:5: seed should be a whole number",
        "seed: 7|title: x|e.yaml:5: 'title' is there twice: remove one",
        "workload: repair|workload: repairs|e.yaml:4: unknown workload \"repairs\" of engine sim;"
            + " did you mean \"repair\"? known: repair",
        "workload: repair|repetitions: 2|e.yaml:1: there is no workload: write workload:"
            + " repair",
        "[lab, sim]|lab|e.yaml:3: is for engine lab: run it with ./braid lab run ppr/fig7a",
        "rate: 200mbit|raet: 200mbit|e.yaml:7: unknown setting \"raet\"; did you mean \"rate\"?"
            + " known: blocks, code, rate, shape, size",
        "rate: 200mbit|blocks: 9|e.yaml:9: blocks is an axis, and line 7 sets it: remove one",
        "[4, 8, 12]|[4]|e.yaml:9: axis blocks has 1 value, so nothing varies: give two or more, or"
            + " move it to settings",
        "[4, 8, 12]|[]|e.yaml:9: axis blocks has 0 values, so nothing varies: give two or more, or"
            + " move it to settings",
        "[4, 8, 12]|[4, 8, 4]|e.yaml:9: axis blocks has 4 twice: remove one",
        "[4, 8, 12]|{a: b}|e.yaml:9: blocks should be a single value",
        "blocks: [4, 8, 12]|block: [4, 8, 12]|e.yaml:9: unknown setting \"block\"; did you mean"
            + " \"blocks\"? known: blocks, code, rate, shape, size",
        "fast: {shape: fast}|fast: {shape: fast, code: z}|e.yaml:13: code is an axis, and system"
            + " fast sets it: remove one",
        "fast: {shape: fast}|fast: {form: fast}|e.yaml:13: unknown setting \"form\"; known:"
            + " blocks, code, rate, shape, size",
        "    system: fast\\n|    system: fsat\\n|e.yaml:20: unknown system \"fsat\"; did you mean"
            + " \"fast\"? known: slow, fast",
        "against: slow\\n|against: star\\n|e.yaml:21: unknown system \"star\"; known: slow, fast",
        "at: {blocks: 12, code: x}|at: {code: x}|e.yaml:17: at does not say which blocks: write"
            + " at: {blocks: 4}",
        "at: {blocks: 12, code: x}|at: {blocks: 13, code: x}|e.yaml:22: unknown value of axis"
            + " blocks: \"13\"; did you mean \"12\"? known: 4, 8, 12",
        "at: {blocks: 12, code: x}|at: {rate: 12, code: x}|e.yaml:22: unknown axis \"rate\"; known:"
            + " blocks, code",
        "paper: 60%|paper: most|e.yaml:23: \"most\" is not a number such as 0.59 or 59%",
        "goal: \">= 0.59\"|goal: \"~ 0.59\"|e.yaml:24: goal \"~ 0.59\" is not understood: write"
            + " \">= 0.59\", \"<= 1.25\", \"> 0\", \"0.2 .. 0.34\", \"within 10%\" or \"rises along"
            + " code within 5%\" (or falls, flat; of gains and reductions within 5 points)",
        "goal: \">= 0.59\"|goal: 0.4 .. 0.3|e.yaml:24: goal \"0.4 .. 0.3\" is empty: the smaller"
            + " number comes first",
        "because: Slow|becuase: Slow|e.yaml:25: unknown key \"becuase\"; did you mean \"because\"?"
            + " known: against, against-at, against-measure, at, because, claim, goal, measure,"
            + " measured, of, paper, shown-by, system",
        "because: Slow waits for nobody.|because:|e.yaml:25: because has no value: write one or"
            + " remove the line",
        "because: Slow waits for nobody.|because: '  '|e.yaml:25: because is no sentence on one"
            + " line that ends with \".\": write one, or remove it",
        "because: Slow waits for nobody.|because: Slow waits|e.yaml:25: because is no sentence on"
            + " one line that ends with \".\": write one, or remove it",
        "    because: Slow waits for nobody.\\n||e.yaml:25: shown-by shows nothing: write because:"
            + " SENTENCE.",
        "shown-by: ./braid sim|shown-by: sim|e.yaml:26: \"sim run ppr/fig7a --seed 8\" is no"
            + " command of Braid: write shown-by: ./braid sim run ear/exp2",
        "shown-by: ./braid sim run ppr/fig7a --seed 8|shown-by:|e.yaml:26: shown-by has no value:"
            + " write one or remove the line",
        "goal: rises along blocks within 5%|goal: within 5%|e.yaml:31: goal \"within 5%\" needs the"
            + " paper's figure: write paper: 0.59",
        "goal: rises along blocks within 5%|goal: rises along rate|e.yaml:31: unknown axis"
            + " \"rate\"; known: blocks, code",
        "at: {code: y}|at: {code: y, blocks: 4}|e.yaml:30: the claim follows axis blocks, so it"
            + " cannot be at one blocks: remove it from at",
        "    of: reduction|    of: loss|e.yaml:19: unknown of \"loss\"; known: value, ratio, gain,"
            + " reduction",
        "    of: reduction\\n||e.yaml:17: against needs to know how: write of: ratio, gain or"
            + " reduction",
        "    against: slow\\n||e.yaml:17: of: reduction needs something to compare with: write"
            + " against: SYSTEM",
        "    measure: seconds\\n    of|    of|e.yaml:17: there is no measure: write measure:"
            + " seconds",
        "    measure: seconds\\n    of|    measure: second\\n    of|e.yaml:18: unknown measure"
            + " \"second\"; did you mean \"seconds\"? known: seconds, bytes",
        "kind: lines|kind: pie|e.yaml:33: unknown kind \"pie\"; known: bars, lines, box",
        "x: blocks, systems|systems|e.yaml:33: lines go along an axis: write x: AXIS",
        "systems: [fast], at|systems: [best], at|e.yaml:33: unknown system \"best\"; did you mean"
            + " \"fast\"? known: slow, fast",
        "12: 60%|13: 60%|e.yaml:15: unknown value of axis blocks: \"13\"; did you mean \"12\"?"
            + " known: 4, 8, 12",
        "systems: [fast]\\n"
            + "|systems: [none]\\n"
            + "|e.yaml:37: unknown system \"none\"; known: slow, fast",
        "[4, 8, 12]|[4, 8, 12|e.yaml:10: is not YAML: expected ',' or ']', but got :",
      })
  void mistakesAreToldWithTheirLine(String text, String instead, String message) {
    String changed =
        GOOD.replace(text.translateEscapes(), instead == null ? "" : instead.translateEscapes());
    assertTrue(!changed.equals(GOOD), text);
    refused(changed, Overrides.NONE, message);
  }

  @Test
  void emptyFilesLoopsAndDepthsAreRefused() {
    refused("", Overrides.NONE, "e.yaml:1: the file is empty");
    refused(
        GOOD.replace("[x, y]", "&a [*a]"),
        Overrides.NONE,
        "e.yaml:10: aliases are not known here: write the value");
    String deep = GOOD.replace("seed: 7", "seed: " + "[".repeat(30) + "]".repeat(30));
    String told =
        assertThrows(ExperimentException.class, () -> read(deep, Overrides.NONE)).getMessage();
    assertTrue(told.startsWith("e.yaml: is not YAML: Document nesting depth (21) exceeds"), told);
  }
}
