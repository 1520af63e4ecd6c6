package org.braid.cli.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.SeedOption;
import org.braid.cli.command.Termination;
import org.braid.cli.experiment.ConsoleProgress;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.TemporaryFiles;
import org.braid.experiment.text.FileFailures;
import org.braid.experiment.text.Sizes;
import org.braid.lab.chaos.ChaosPlan;
import org.braid.lab.chaos.ChaosReport;
import org.braid.lab.chaos.ChaosRun;
import org.braid.lab.chaos.ChaosSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "chaos",
    description = {
      "Runs random client operations, Braid commands and faults on a lab of its"
          + " own, and compares every byte with a model of all files.",
      "In each round, clients write, append to, truncate, concatenate, rename,"
          + " delete and read files. Meanwhile Braid converts, restores and repairs the"
          + " files, daemons are killed or hang, links are cut, disks run full, replicas"
          + " are damaged and nodes leave, but never more than the codes survive. After"
          + " each round every file must become healthy again and read back correctly.",
      "The exit status is 1 when a promise was broken. The last line then names the"
          + " directory of the journal and the daemons' logs.",
      "The seed determines every step, but not its timing: with the same seed,"
          + " steps meet the daemons at other moments in each run."
    },
    footer = {"", "Example:", "  braid lab chaos --seed 7 --minutes 10"})
final class ChaosCommand extends LabCommand {
  private static final int PLANNED_ROUNDS = 1;

  @Mixin private final SeedOption seed = new SeedOption();

  @Option(
      names = "--minutes",
      defaultValue = "5",
      paramLabel = "M",
      converter = Converters.Count.class,
      description =
          "Minutes of operations and faults before the last comparison; default:"
              + " ${DEFAULT-VALUE}.")
  private int minutes;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = {
        "Empty or new directory for the journal and, when a promise was broken, the"
            + " daemons' logs; default: a temporary directory, which is deleted when all"
            + " promises held."
      })
  private @Nullable Path out;

  @Option(names = "--dry-run", description = "Print the steps of the first round and start no lab.")
  private boolean dryRun;

  private final Termination termination;

  ChaosCommand(Termination termination) {
    this.termination = termination;
  }

  @Override
  CommandResult work() throws ExperimentException, InterruptedException {
    ChaosSettings settings = ChaosSettings.of(seed.seed(), Duration.ofMinutes(minutes));
    if (dryRun) {
      return planned(settings);
    }
    termination.interruptsThisThread();
    Path directory = directory();
    ChaosReport report;
    try (ConsoleProgress progress = new ConsoleProgress(err())) {
      report = ChaosRun.run(settings, directory, progress);
    }
    boolean held = report.violations().isEmpty();
    if (held && out == null) {
      delete(directory);
    }
    return new CommandResult(
        held ? ExitStatus.DONE : ExitStatus.FAILED,
        json(report, directory),
        lines(report, directory));
  }

  private static CommandResult planned(ChaosSettings settings) {
    List<String> steps = new ChaosPlan(settings).describe(PLANNED_ROUNDS);
    ObjectNode object = Json.object().put("ok", true).put("seed", settings.seed());
    ArrayNode array = object.putArray("steps");
    steps.forEach(array::add);
    return new CommandResult(ExitStatus.DONE, object, steps);
  }

  private Path directory() throws ExperimentException {
    if (out == null) {
      try {
        return TemporaryFiles.here().directory("braid-chaos-");
      } catch (IOException e) {
        throw ExperimentException.refused(e.getMessage() + ", or one for the journal by --out");
      }
    }
    try {
      Files.createDirectories(out);
      try (var files = Files.list(out)) {
        if (files.findAny().isPresent()) {
          throw ExperimentException.wrong(out + " is not empty: name another directory");
        }
      }
      return out;
    } catch (IOException e) {
      throw ExperimentException.wrong("cannot write to " + out + ": " + FileFailures.reason(e));
    }
  }

  private static void delete(Path directory) throws ExperimentException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      throw ExperimentException.failed("cannot delete " + directory, e);
    }
  }

  private String replay() {
    return "braid lab chaos --seed %d --minutes %d".formatted(seed.seed(), minutes);
  }

  private ObjectNode json(ChaosReport report, Path directory) {
    ObjectNode object = Json.object();
    boolean held = report.violations().isEmpty();
    object.put("ok", held).put("seed", report.seed()).put("replay", replay());
    object.put("seconds", report.seconds()).put("rounds", report.rounds());
    object.put("calms", report.calms()).put("calms_helped", report.helped());
    report.operations().forEach(object.putObject("operations")::put);
    report.commands().forEach(object.putObject("commands")::put);
    report.failures().forEach(object.putObject("commands_failed")::put);
    report.faults().forEach(object.putObject("faults")::put);
    object.put("bytes_verified", report.bytesVerified());
    report.crossings().forEach(object.putObject("crossings")::put);
    report.met().forEach(object.putObject("operations_during_faults")::put);
    ArrayNode violations = object.putArray("violations");
    report.violations().forEach(violations::add);
    if (!held || out != null) {
      object.put("directory", directory.toString());
    }
    return object;
  }

  private List<String> lines(ChaosReport report, Path directory) {
    List<String> lines = new ArrayList<>();
    TextTable table = new TextTable("what", ">number", "kinds");
    row(table, "operations of clients", report.operations());
    row(table, "commands of Braid", report.commands());
    row(table, "of them failed or refused", report.failures());
    row(table, "faults", report.faults());
    row(table, "pairs of what met a running command, and it", report.crossings());
    row(table, "operations of clients begun during a fault", report.met());
    lines.addAll(table.lines());
    lines.add(
        "%d rounds in %s, %d times all was whole afterwards (%d times by a repair command); %s read"
                .formatted(
                    report.rounds(),
                    Sizes.seconds(report.seconds()),
                    report.calms(),
                    report.helped(),
                    Sizes.format(report.bytesVerified()))
            + " and equal");
    report.violations().forEach(text -> lines.add("VIOLATION: " + text));
    lines.add("replay: " + replay());
    if (!report.violations().isEmpty() || out != null) {
      lines.add((report.violations().isEmpty() ? "journal: " : "journal and logs: ") + directory);
    }
    return lines;
  }

  private static void row(TextTable table, String what, Map<String, Integer> counts) {
    String kinds =
        counts.entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
    table.row(what, counts.values().stream().mapToInt(Integer::intValue).sum(), kinds);
  }
}
