package org.braid.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.cli.cluster.base.ClusterCommand;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.HdfsPath;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.Termination;
import org.braid.cli.text.Json;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.RestoreReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "restore",
    description = {
      "Turns converted files back into replicated ones.",
      "Use it for files that are read or changed often again. Parity is deleted only when all"
          + " replicas exist.",
      "Lists files that were left alone with the reason. The exit status is 1 when a file has lost"
          + " blocks, HDFS makes too few replicas of it or its parity cannot be deleted, and else 3"
          + " when no file can be restored. Parity that stays while others work on its files, or"
          + " until nodes have reported their blocks or are in service again, does not count.",
      "After Ctrl-C the same command goes on from there."
    },
    footer = {
      "",
      "Example: replicate a directory again",
      "  braid restore -fs hdfs://namenode:8020 /logs/2026"
    })
final class RestoreCommand extends ClusterCommand {
  /** Why files were left alone that were to be restored, and wanted to be. */
  private static final Set<String> FAILURES =
      Set.of("BLOCKS_LOST", "TOO_FEW_REPLICAS", "NOT_ON_DISK", "KEPT");

  @Parameters(
      paramLabel = "PATH",
      description = "The file or directory to restore, as in /logs/2026.")
  @SuppressWarnings("NullAway.Init")
  private HdfsPath path;

  private final Termination termination;

  RestoreCommand(ClusterConnector connector, Termination termination) {
    super(connector);
    this.termination = termination;
  }

  @Override
  protected List<HdfsPath> paths() {
    return List.of(path);
  }

  @Override
  protected Optional<Termination> termination() {
    return Optional.of(termination);
  }

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    RestoreReport report;
    try (ProgressBars bars = new ProgressBars()) {
      shows(bars);
      report = cluster.restore(located(path), bars);
    }
    boolean refused = report.files().isEmpty() && !report.skipped().isEmpty();
    boolean failed = report.skipped().stream().anyMatch(file -> FAILURES.contains(file.cause()));
    ObjectNode object = Json.of(report).put("ok", !failed && !refused);
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s replicated in %s, %s deleted; stored: %s before, %s after"
            .formatted(
                Sizes.count(report.files().size(), "file"),
                Sizes.seconds(report.seconds()),
                Sizes.count(report.parityFilesDeleted(), "parity file"),
                Sizes.format(report.storageBefore()),
                Sizes.format(report.storageAfter())));
    ConvertCommand.skipped(report.skipped(), lines);
    return new CommandResult(
        failed ? ExitStatus.FAILED : refused ? ExitStatus.REFUSED : ExitStatus.DONE, object, lines);
  }
}
