package org.braid.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
      "Parity goes only after all replicas exist."
    },
    footer = {
      "",
      "Example: replicate a directory again",
      "  braid restore -fs hdfs://namenode:8020 /logs/2026"
    })
final class RestoreCommand extends ClusterCommand {
  @Parameters(paramLabel = "PATH", description = "A file or directory.")
  @SuppressWarnings("NullAway.Init")
  private HdfsPath path;

  RestoreCommand(Connector connector) {
    super(connector);
  }

  @Override
  List<HdfsPath> paths() {
    return List.of(path);
  }

  @Override
  Outcome perform(Cluster cluster) throws IOException {
    RestoreReport report;
    try (Bars bars = new Bars()) {
      report = cluster.restore(path.path(), bars);
    }
    boolean refused = report.files().isEmpty() && !report.skipped().isEmpty();
    ObjectNode object = Json.of(report).put("ok", !refused);
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
    return new Outcome(refused ? ExitStatus.REFUSED : ExitStatus.DONE, object, lines);
  }
}
