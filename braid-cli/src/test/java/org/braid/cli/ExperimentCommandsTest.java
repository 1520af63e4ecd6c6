package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.Termination;
import org.braid.cli.experiment.ListCommand;
import org.braid.cli.experiment.ReportCommand;
import org.braid.cli.experiment.RunCommand;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.RunProgress;
import org.braid.experiment.Trial;
import org.braid.experiment.Workload;
import org.braid.experiment.WorkloadSession;
import org.braid.experiment.Workloads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

final class ExperimentCommandsTest {
  private static final String FILE =
      """
      title: Repair <of> one block
      source: PPR, fig. 7a
      engine: sim
      workload: repair
      seed: 7
      repetitions: 3
      axes:
        blocks: [4, 8, 12]
      systems:
        star: {label: Star, speed: 1}
        ppr: {label: PPR, speed: 4}
      figures:
        - {measure: seconds, system: ppr, along: blocks, values: {4: 0.5, 12: 2.5}}
      claims:
        - claim: PPR takes {goal} time than star.
          measure: seconds
          of: reduction
          system: ppr
          against: star
          at: {blocks: 12}
          paper: 59%
          goal: ">= 59%"
          because: Nobody sees this while it holds.
        - claim: Star | takes {goal} the time of PPR.
          measure: seconds
          of: ratio
          system: star
          against: ppr
          at: {blocks: 4}
          goal: ">= 100"
      charts:
        - {kind: lines, measure: seconds, x: blocks}
        - {kind: box, measure: seconds, at: {blocks: 12}, title: Twelve}
      quick:
        repetitions: 1
        axes: {blocks: [4]}
      """;

  @TempDir private Path home;

  @Command(name = "sim")
  private static final class Group {}

  /** Takes a second a block, and a little more each time, divided by the system's speed. */
  private static final class Repair implements Workload {
    @Override
    public String name() {
      return "repair";
    }

    @Override
    public String description() {
      return "Repairs a block.";
    }

    @Override
    public Map<String, String> defaults() {
      return Map.of("speed", "1", "blocks", "1", "fail", "never");
    }

    @Override
    public List<Measure> measures() {
      return List.of(Measure.less("seconds", "s"), Measure.plain("bytes", "B"));
    }

    @Override
    public WorkloadSession open(Experiment experiment, RunProgress progress)
        throws ExperimentException {
      if (experiment.settings().text("fail").equals("open")) {
        throw ExperimentException.refused("needs 9 GiB, there are 2: set blocks to less");
      }
      return new WorkloadSession() {
        @Override
        public Map<String, Double> run(Trial trial) throws ExperimentException {
          if (trial.repetition() == 1 && trial.settings().text("fail").equals("second")) {
            throw ExperimentException.trial("node 3 died");
          }
          double blocks = trial.settings().number("blocks", 1);
          double speed = trial.settings().number("speed", 1);
          return Map.of(
              "seconds", blocks * (1 + 0.1 * trial.repetition()) / speed, "bytes", 4096.0);
        }

        @Override
        public void close() {}
      };
    }
  }

  @BeforeEach
  void write() throws IOException {
    Files.createDirectories(home.resolve("experiments/ppr"));
    Files.writeString(home.resolve("experiments/ppr/fig7a.yaml"), FILE);
  }

  private Run line(String... words) {
    Workloads workloads = new Workloads("sim", List.of(new Repair()));
    CommandLine group = new CommandLine(new Group());
    group.addSubcommand(new RunCommand(workloads, Termination.ofCommand()));
    group.addSubcommand(new ListCommand(workloads));
    group.addSubcommand(new ReportCommand(List.of(workloads)));
    CommandLine line = Main.commandLine(new FakeCluster(), Termination.ofCommand());
    if (line.getSubcommands().containsKey("sim")) {
      line.getCommandSpec().removeSubcommand("sim");
    }
    line.addSubcommand(group);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    line.setParameterExceptionHandler(
        (e, wrong) -> {
          e.getCommandLine().getErr().println(CommandErrors.line(e));
          return ExitStatus.USAGE;
        });
    line.setExecutionExceptionHandler(
        (e, failed, parsed) -> {
          failed.getErr().println(CommandErrors.line(e));
          return CommandErrors.status(e);
        });
    List<String> all = new ArrayList<>(List.of("sim"));
    all.addAll(List.of(words));
    all.addAll(List.of("--home", home.toString()));
    int status = line.execute(all.toArray(String[]::new));
    return new Run(status, out.toString(), err.toString());
  }

  @Test
  void aRunPrintsMediansClaimsAndConclusion() throws Exception {
    Run run = line("run", "ppr/fig7a");
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().startsWith("ppr/fig7a: Repair <of> one block (PPR, fig. 7a)"), run.out());
    assertTrue(
        run.out().matches("(?s).*\n12 +ppr +3.3 s \\(3 s to 3.6 s\\)  4.0 KiB\n.*"), run.out());
    assertTrue(run.out().contains("; 3 repetitions; fail=never\n"), run.out());
    assertTrue(run.out().contains("PPR takes at least 59% less time than star."), run.out());
    assertTrue(run.out().contains("59.0%"), run.out());
    assertTrue(run.out().contains("75.0%"), run.out());
    assertTrue(run.out().contains("NOT held"), run.out());
    assertTrue(run.out().contains("\n1 of 2 claims held, 1 did not\n"), run.out());
    assertTrue(Files.exists(home.resolve("results/ppr/fig7a.sim.csv")));
    for (String file : new String[] {"html", "1.svg", "2.svg"}) {
      String text = Files.readString(home.resolve("results/ppr/fig7a.sim." + file));
      assertSelfContained(text);
      assertTrue(text.contains("prefers-color-scheme: dark"), file);
    }
    String svg = Files.readString(home.resolve("results/ppr/fig7a.sim.1.svg"));
    for (String name : new String[] {">Star<", ">PPR<", ">paper: PPR<"}) {
      assertTrue(svg.contains(name), name);
    }
  }

  /** Nothing is fetched: no address but the name of SVG's own namespace; and it is well formed. */
  private static void assertSelfContained(String text) throws Exception {
    String rest = text.replace("http://www.w3.org/2000/svg", "");
    for (String bad : new String[] {"http:", "https:", "src=", "<link", "@import", "url("}) {
      assertFalse(rest.contains(bad), bad);
    }
    assertFalse(rest.contains("NaN"), "a coordinate that is none");
    String xml = text.replace("<!DOCTYPE html>\n", "").replaceAll("(<meta[^>]*[^/])>", "$1/>");
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  @Test
  void aRunAsJsonHasTheKeysOfTheContract() throws Exception {
    Run run = line("run", "ppr/fig7a", "--json", "--set", "blocks=12", "--repetitions", "2");
    assertEquals(0, run.status(), run.err());
    JsonNode json = run.json();
    assertEquals("ppr/fig7a", json.get("experiment").textValue());
    assertEquals(7, json.get("seed").longValue());
    assertTrue(json.get("machine").get("cores").intValue() > 0);
    assertEquals("--repetitions 2 --set blocks=12", json.get("machine").get("options").textValue());
    assertEquals(4, json.get("rows").size());
    assertEquals("12", json.get("rows").get(0).get("blocks").textValue());
    assertEquals(12.0, json.get("rows").get(0).get("seconds").doubleValue());
    JsonNode claim = json.get("claims").get(0);
    assertEquals("PPR takes at least 59% less time than star.", claim.get("claim").textValue());
    assertEquals(0.59, claim.get("paper").doubleValue(), 1e-12);
    assertEquals(0.75, claim.get("ours").doubleValue(), 1e-12);
    assertTrue(claim.get("held").booleanValue());
    assertTrue(json.get("claims").get(1).get("held").isNull());
    assertTrue(json.get("claims").get(1).get("paper").isNull());
  }

  @Test
  void whatFailsIsKeptAndMarked() throws Exception {
    Run run = line("run", "ppr", "--set", "fail=second");
    assertEquals(1, run.status());
    assertTrue(run.err().contains("ppr blocks=4, repetition 2, failed: node 3 died"), run.err());
    assertTrue(
        run.out().contains("partial: 12 of 18 trials gave figures, 6 failed (node 3 died)"),
        run.out());
    assertTrue(Files.exists(home.resolve("results/ppr/fig7a.sim.partial.csv")));
    assertFalse(Files.exists(home.resolve("results/ppr/fig7a.sim.csv")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2|run ppr/fig7b|no experiment \"ppr/fig7b\" for sim below",
        "2|run ppr/fig7b|did you mean \"ppr/fig7a\"? ./braid sim list shows all",
        "2|run ppr/fig7a --set speed=2|--set: speed is what the systems of ppr/fig7a differ in",
        "2|run ppr/fig7a --code rs-6-3|--set: unknown setting \"code\"",
        "2|run ppr/fig7a --code a --set code=b|--code a and --set code=b: give one",
        "2|run ppr/fig7a --seed -1|--seed -1 is negative",
        "2|run ppr/fig7a --repetitions 0|\"0\" is not a number of at least 1",
        "2|run ppr/fig7a --systems x|unknown system \"x\"",
        "2|run|Missing required parameter: 'EXPERIMENT'",
        "3|run ppr/fig7a --set fail=open|needs 9 GiB, there are 2: set blocks to less",
      })
  void mistakesAreOneLine(int status, String words, String message) {
    line(words.split(" ")).assertFailed(status, message);
  }

  @Test
  void experimentsAndWorkloadsAreListed() throws Exception {
    Run run = line("list");
    assertEquals(0, run.status(), run.err());
    assertTrue(
        run.out().matches("(?s).*ppr/fig7a +PPR, fig. 7a +Repair <of> one block +18 +2 +none\n"),
        run.out());
    line("run", "ppr", "--out", home.resolve("experiments").toString());
    JsonNode json = line("list", "--json").json();
    assertEquals("yes", json.get("experiments").get(0).get("results").textValue());
    String workloads = line("list", "--workloads").out();
    assertTrue(workloads.contains("repair: Repairs a block."), workloads);
    assertTrue(workloads.contains("blocks   1"), workloads);
    Files.writeString(home.resolve("experiments/ppr/bad.yaml"), "titel: x\n");
    Run wrong = line("list");
    assertEquals(1, wrong.status());
    assertTrue(
        wrong.out().contains("wrong: experiments/ppr/bad.yaml:1: unknown key \"titel\""),
        wrong.out());
  }

  @Test
  void theReportIsMadeFromResultsAlone() throws Exception {
    Files.writeString(home.resolve("experiments/ppr/fig8.yaml"), FILE.replace("<of>", "again of"));
    line("run", "ppr/fig7a", "--out", home.resolve("experiments").toString());
    Run run = line("report");
    assertEquals(0, run.status(), run.err());
    assertTrue(
        run.out()
            .contains(
                "1 claims held, 1 did not, 0 were not run, 1 experiments lack results or parts"),
        run.out());
    String page = Files.readString(home.resolve("results/evidence.html"));
    assertSelfContained(page);
    assertTrue(page.contains("paper: PPR"), "the chart");
    assertTrue(page.contains("./braid sim run ppr/fig7a"), "the command");
    assertTrue(page.contains("no results yet: ./braid sim run ppr/fig8 --out experiments"), page);
    String table = Files.readString(home.resolve("docs/EVIDENCE.md"));
    assertTrue(
        table.contains(
            "| ppr/fig7a | PPR takes at least 59% less time than star. | 59.0% | 75.0% | >= 59% | held |"
                + " ./braid sim run ppr/fig7a |"),
        table);
    assertTrue(table.contains("Star \\| takes at least 100 times the time of PPR."), table);
    assertTrue(table.contains("| ppr/fig8 | sim | no results yet"), table);
    assertFalse(table.contains("Nobody sees this"), "why a claim that held did not");
    assertFalse(page.contains("Nobody sees this"), "why a claim that held did not");
    String notHeld =
        "| ppr/fig7a on sim | Star \\| takes at least 100 times the time of PPR. | 4x | >= 100 | ";
    assertTrue(table.contains("## Not held, and why\n"), table);
    assertTrue(table.contains(notHeld + "not explained | - |"), table);

    String goal = "    goal: \">= 100\"\n";
    String told = FILE.replace(goal, goal + "    because: PPR is four times as fast.\n");
    Files.writeString(home.resolve("experiments/ppr/fig7a.yaml"), told);
    line("report");
    table = Files.readString(home.resolve("docs/EVIDENCE.md"));
    String why = notHeld + "PPR is four times as fast. | ";
    assertTrue(table.contains(why + "./braid sim run ppr/fig7a |"), table);
    page = Files.readString(home.resolve("results/evidence.html"));
    assertTrue(page.contains("PPR is four times as fast."), page);
    String shown = "    shown-by: ./braid sim run ppr/fig7a --seed 8\n";
    told = told.replace("times as fast.\n", "times as fast.\n" + shown);
    Files.writeString(home.resolve("experiments/ppr/fig7a.yaml"), told);
    line("report");
    table = Files.readString(home.resolve("docs/EVIDENCE.md"));
    assertTrue(table.contains(why + "./braid sim run ppr/fig7a --seed 8 |"), table);

    String changed = FILE.replace("blocks: [4, 8, 12]", "blocks: [4, 8, 12, 16]");
    Files.writeString(home.resolve("experiments/ppr/fig7a.yaml"), changed);
    assertTrue(line("report").out().contains("of 18 trials, the file now has 24"), "stale results");
    line("run", "ppr/fig7a", "--quick", "--out", home.resolve("experiments").toString());
    assertTrue(line("report").out().contains("run with --quick"), "a smaller size");
    Path csv = home.resolve("experiments/ppr/fig7a.sim.csv");
    Files.writeString(csv, Files.readString(csv).replace(",ok,", ",fine,"));
    Run broken = line("report");
    assertEquals(1, broken.status());
    assertTrue(broken.out().contains("fig7a.sim.csv:2: is not as it was written"), broken.out());
  }

  @Test
  void helpShowsAnExample() {
    for (String command : new String[] {"run", "list", "report"}) {
      Run run = line(command, "--help");
      assertEquals(0, run.status());
      assertTrue(run.out().contains("\n  braid sim " + command + " "), run.out());
    }
  }
}
