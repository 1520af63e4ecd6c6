package org.braid.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "fsck",
    description = {
      "Says which files are healthy, degraded, repairable and lost, and why.",
      "The exit status is 1 when a file is lost."
    },
    footer = {"", "Example: check everything", "  braid fsck -fs hdfs://namenode:8020 /"})
final class FsckCommand extends ClusterCommand {
  private static final int SHOWN = 50;

  @Parameters(
      arity = "0..1",
      defaultValue = "/",
      paramLabel = "PATH",
      description = "A file or directory; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private HdfsPath path;

  FsckCommand(Connector connector) {
    super(connector);
  }

  @Override
  List<HdfsPath> paths() {
    return List.of(path);
  }

  @Override
  Outcome perform(Cluster cluster) throws IOException {
    FsckReport report = cluster.fsck(path.path());
    boolean lost = report.count(State.LOST) > 0;
    ObjectNode object = Json.of(report).put("ok", !lost);
    ObjectNode counts = object.putObject("counts");
    for (State state : State.values()) {
      counts.put(word(state), report.count(state));
    }
    return new Outcome(lost ? ExitStatus.FAILED : ExitStatus.DONE, object, lines(report));
  }

  private static String word(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> lines(FsckReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "files: %d healthy, %d degraded, %d repairable, %d lost; %d orphans"
            .formatted(
                report.count(State.HEALTHY),
                report.count(State.DEGRADED),
                report.count(State.REPAIRABLE),
                report.count(State.LOST),
                report.orphans().size()));
    var table = new TextTable("path", ">block", "state", ">spare", "why");
    int findings = 0;
    for (FsckReport.FileState file : report.files()) {
      for (FsckReport.BlockState block : file.findings()) {
        if (findings++ < SHOWN) {
          table.row(
              file.path(),
              block.index(),
              word(block.state()),
              block.spare() < 0 ? "-" : block.spare(),
              block.why());
        }
      }
    }
    if (findings > 0) {
      lines.addAll(table.lines());
    }
    if (findings > SHOWN) {
      lines.add("... and " + (findings - SHOWN) + " more findings; --json lists all");
    }
    report.orphans().stream().limit(SHOWN).forEach(orphan -> lines.add("orphan " + orphan));
    return lines;
  }
}
