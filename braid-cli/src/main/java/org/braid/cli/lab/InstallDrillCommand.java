package org.braid.cli.lab;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.Termination;
import org.braid.cli.experiment.ConsoleProgress;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.TemporaryFiles;
import org.braid.experiment.text.Sizes;
import org.braid.lab.install.DrillReport;
import org.braid.lab.install.InstallDrill;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "install-drill",
    description = {
      "Installs a release of Braid on the hosts of a lab of its own, each with a stock Hadoop, by"
          + " the release's own scripts, and works with it by hdfs braid alone.",
      "Converts files and rebuilds a lost node. Breaks the installation in many ways, each of which"
          + " hdfs braid check has to name. Rolls it back, upgrades it, removes it for a while and"
          + " then for good. In the end no file of Braid is left, and all files are as before.",
      "The exit status is 1 when something was not as promised."
    },
    footer = {"", "Example:", "  braid lab install-drill"})
final class InstallDrillCommand extends LabCommand {
  @Option(
      names = "--release",
      paramLabel = "FILE",
      description =
          "The archive of a release; default: the one that mvn -B -Prelease -DskipTests package makes"
              + " in target/ of the sources.")
  private @Nullable Path release;

  private final Termination termination;

  InstallDrillCommand(Termination termination) {
    this.termination = termination;
  }

  @Override
  CommandResult work() throws ExperimentException, InterruptedException {
    Path archive = release == null ? built() : release;
    if (!Files.isRegularFile(archive)) {
      throw ExperimentException.wrong(archive + " is no file");
    }
    termination.interruptsThisThread();
    Path directory;
    try {
      directory = TemporaryFiles.here().directory("braid-drill-");
    } catch (IOException e) {
      throw ExperimentException.refused(String.valueOf(e.getMessage()));
    }
    DrillReport report;
    try (ConsoleProgress progress = new ConsoleProgress(err())) {
      report = InstallDrill.run(archive.toAbsolutePath(), directory, progress);
    }
    ObjectNode object = Json.of(report).put("ok", report.held());
    List<String> lines = lines(report);
    if (report.held()) {
      InstallDrill.delete(directory);
    } else {
      object.put("directory", directory.toString());
      lines.add("hosts and logs: " + directory);
    }
    return new CommandResult(report.held() ? ExitStatus.DONE : ExitStatus.FAILED, object, lines);
  }

  /** The newest archive of the sources. */
  private static Path built() throws ExperimentException {
    Path target = Path.of(System.getProperty("braid.home", "."), "target");
    try (Stream<Path> files = Files.isDirectory(target) ? Files.list(target) : Stream.empty()) {
      return files
          .filter(file -> file.getFileName().toString().matches("braid-.*\\.tar\\.gz"))
          .max(Comparator.comparing(file -> file.toFile().lastModified()))
          .orElseThrow(
              () ->
                  ExperimentException.wrong(
                      "there is no release in "
                          + target
                          + ": make it by mvn -B -Prelease -DskipTests package, or name one by"
                          + " --release"));
    } catch (IOException e) {
      throw ExperimentException.failed("cannot read " + target, e);
    }
  }

  private static List<String> lines(DrillReport report) {
    var table = new TextTable("", ">time", "step", "found");
    for (DrillReport.Step step : report.steps()) {
      table.row(
          step.held() ? "ok" : "NO", Sizes.seconds(step.seconds()), step.what(), step.found());
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (report.firstFileSeconds() > 0) {
      lines.add(
          "from the archive to the first converted files: %s, %d commands"
              .formatted(Sizes.seconds(report.firstFileSeconds()), report.commands().size()));
    }
    lines.add(report.held() ? "all steps went as promised" : "a step did not go as promised");
    return lines;
  }
}
