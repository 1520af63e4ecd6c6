package org.braid.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.StatusReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "status",
    description = "Says what is stored where, and whether the workers answer.",
    footer = {
      "",
      "Example: how much of /logs is converted",
      "  braid status -fs hdfs://namenode:8020 /logs"
    })
final class StatusCommand extends ClusterCommand {
  @Parameters(
      arity = "0..1",
      defaultValue = "/",
      paramLabel = "PATH",
      description = "A file or directory; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private HdfsPath path;

  StatusCommand(Connector connector) {
    super(connector);
  }

  @Override
  List<HdfsPath> paths() {
    return List.of(path);
  }

  @Override
  Outcome perform(Cluster cluster) throws IOException {
    StatusReport report = cluster.status(path.path());
    return new Outcome(ExitStatus.DONE, Json.of(report).put("ok", true), lines(report));
  }

  private static String coordination(StatusReport.Coordination now) {
    String holder = now.coordinator().isEmpty() ? "none" : now.coordinator();
    String clients =
        !now.deferring()
            ? "fail"
            : now.served()
                ? "wait up to %s, %s now"
                    .formatted(Sizes.seconds(now.waitSeconds()), Sizes.count(now.waiting(), "call"))
                : "fail, as no coordinator runs";
    return "coordinator: %s; plain clients that meet lost blocks %s; silence of nodes is noticed %s"
        .formatted(holder, clients, now.heartbeats() ? "by heartbeats" : "by HDFS only");
  }

  private static List<String> lines(StatusReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "files: %d replicated, %d converted, %d partly"
            .formatted(
                report.files().replicated(), report.files().converted(), report.files().partly()));
    lines.add(
        "content %s, stored %s%s, of it parity %s"
            .formatted(
                Sizes.format(report.logicalBytes()),
                Sizes.format(report.storedBytes()),
                report.logicalBytes() == 0
                    ? ""
                    : String.format(
                        Locale.ROOT,
                        " (%.2f times)",
                        (double) report.storedBytes() / report.logicalBytes()),
                Sizes.format(report.parityBytes())));
    if (!report.mostLoaded().node().isEmpty()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "readers of all of it ask most of %s: %.1f%% of the blocks, even would be %.1f%%",
              report.mostLoaded().node(),
              100 * report.mostLoaded().share(),
              100 * report.mostLoaded().even()));
    }
    if (!report.codes().isEmpty()) {
      var codes = new TextTable("code", ">stripes", ">data blocks", ">parity blocks");
      report
          .codes()
          .forEach(c -> codes.row(c.code(), c.stripes(), c.dataBlocks(), c.parityBlocks()));
      lines.addAll(codes.lines());
    }
    StatusReport.CopyCount copies = report.copiesOfParity();
    if (copies.promised() > 0) {
      lines.add(
          "copies of parity: %d of %d can be read%s"
              .formatted(
                  copies.readable(),
                  copies.promised(),
                  copies.readable() == copies.promised()
                      ? ""
                      : "; braid repair makes the others again"));
    }
    lines.add(coordination(report.coordination()));
    var nodes = new TextTable("node", "rack", "live", "worker", ">free");
    report
        .nodes()
        .forEach(
            n ->
                nodes.row(
                    n.node(),
                    n.rack(),
                    n.live() ? "yes" : "no",
                    n.worker(),
                    Sizes.format(n.remaining())));
    lines.addAll(nodes.lines());
    return lines;
  }
}
