package org.braid.cli.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ReportFile;
import org.braid.cli.command.Termination;
import org.braid.cli.command.Version;
import org.braid.cli.report.ExperimentPage;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Machine;
import org.braid.experiment.Workload;
import org.braid.experiment.Workloads;
import org.braid.experiment.file.Overrides;
import org.braid.experiment.judge.Findings;
import org.braid.experiment.run.Conditions;
import org.braid.experiment.run.ExperimentRunner;
import org.braid.experiment.run.Results;
import org.braid.experiment.run.ResultsWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs an experiment on an engine: table, claims and conclusion on standard output, rows, charts
 * and a page into a directory.
 */
@Command(
    name = "run",
    description = {
      "Runs an experiment: measures each system at each point in several"
          + " interleaved repetitions.",
      "Prints medians and claims. The exit status is 1 when a claim did not hold or a trial"
          + " failed. Ctrl-C keeps the rows measured so far."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} ppr/fig7a --code rs-12-4"})
public class RunCommand extends BaseCommand {
  private static final String CODE = "code";

  @Parameters(
      paramLabel = "EXPERIMENT",
      description =
          "Name of the experiment, as in ppr/fig7a, or a directory that contains one"
              + " experiment.")
  @SuppressWarnings("NullAway.Init")
  private String id;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Seed of all random choices; default: the experiment's.")
  private @Nullable Long seed;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Repetitions of each point; default: the experiment's.")
  private @Nullable Integer repetitions;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = {
        "Replaces a setting of the experiment. For an axis, VALUE lists the points to"
            + " run, separated by commas. May be repeated."
      })
  private Map<String, String> set = new LinkedHashMap<>();

  @Option(names = "--code", paramLabel = "CODE", description = "Short for --set code=CODE.")
  private @Nullable String code;

  @Option(
      names = "--systems",
      split = ",",
      paramLabel = "SYSTEM",
      description = "The systems to run, separated by commas; default: all.")
  private List<String> systems = List.of();

  @Option(names = "--quick", description = "Run the experiment at its small size, for a first try.")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = {
        "Directory for rows (CSV), charts (SVG) and a page (HTML); default: results/"
            + " beside experiments/. By default braid lab report reads the results in"
            + " experiments/."
      })
  private @Nullable Path out;

  @Mixin private final HomeOption home = new HomeOption();

  private final Workloads workloads;
  private final Termination termination;

  /** The command of an engine. */
  public RunCommand(Workloads workloads, Termination termination) {
    this.workloads = workloads;
    this.termination = termination;
  }

  @Override
  protected final CommandResult perform() throws IOException, ExperimentException {
    Overrides overrides = overrides();
    Experiment experiment = home.of(workloads).named(id, overrides);
    Workload workload = workloads.named(experiment.workload()).orElseThrow();
    ExperimentRunner.check(experiment, workload);
    Path directory = out != null ? out : home.directory().resolve("results").normalize();
    Conditions conditions =
        Conditions.of(
            Machine.here(),
            new Version().commit(),
            Version.kernel(),
            String.join(" ", overrides.options()),
            experiment.common().toString());
    termination.interruptsThisThread();
    Results results;
    Path rows;
    try (ResultsWriter writer = new ResultsWriter(directory, experiment, workload, conditions);
        ConsoleProgress progress = new ConsoleProgress(err())) {
      var environment =
          new ExperimentRunner.Environment(InstantSource.system(), RunCommand::load, conditions);
      results = new ExperimentRunner(environment, progress).run(experiment, workload, writer);
      rows = writer.finish(results);
    }
    Findings findings = Findings.of(experiment, workload.measures(), results);
    List<Path> files = new ArrayList<>(List.of(rows));
    files.addAll(drawings(findings, directory));
    int status = findings.ok() ? ExitStatus.DONE : ExitStatus.FAILED;
    ObjectNode object = ExperimentJson.of(findings);
    files.forEach(file -> object.withArray("files").add(file.toString()));
    List<String> lines = new ArrayList<>(ExperimentText.lines(findings));
    files.forEach(file -> lines.add("wrote " + file));
    return new CommandResult(status, object, lines);
  }

  private Overrides overrides() {
    Map<String, String> settings = new LinkedHashMap<>(set);
    if (code != null) {
      String other = settings.put(CODE, code);
      if (other != null && !other.equals(code)) {
        throw wrong("--code %s and --set code=%s: give one".formatted(code, other));
      }
    }
    if (seed != null && seed < 0) {
      throw wrong("--seed %d is negative".formatted(seed));
    }
    return new Overrides(
        quick ? Overrides.Size.QUICK : Overrides.Size.FULL,
        seed == null ? OptionalLong.empty() : OptionalLong.of(seed),
        repetitions == null ? OptionalInt.empty() : OptionalInt.of(repetitions),
        settings,
        systems);
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static List<Path> drawings(Findings findings, Path directory) throws IOException {
    String stem = findings.experiment().id() + "." + findings.experiment().engine();
    List<Path> files = new ArrayList<>();
    int number = 1;
    for (String svg : ExperimentPage.charts(findings)) {
      files.add(written(directory.resolve(stem + "." + number++ + ".svg"), svg));
    }
    files.add(written(directory.resolve(stem + ".html"), ExperimentPage.of(findings)));
    return files;
  }

  private static Path written(Path file, String text) throws IOException {
    new ReportFile(file).write(text);
    return file;
  }
}
