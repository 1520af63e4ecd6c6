package org.braid.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.plan.RepairPlanner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "repair",
    description = {
      "Rebuilds lost blocks of converted files.",
      "The exit status is 1 when a block can not be rebuilt; the reason is printed."
    },
    footer = {
      "",
      "Example: rebuild all that is lost under /logs",
      "  braid repair -fs hdfs://namenode:8020 /logs",
      "Gently, and only what has been lost for a quarter of an hour",
      "  braid repair -fs hdfs://namenode:8020 --per-node 1 --per-uplink 8 --delay 15m"
    })
final class RepairCommand extends ClusterCommand {
  private static final int SHOWN = 20;

  @Parameters(
      arity = "0..1",
      defaultValue = "/",
      paramLabel = "PATH",
      description = "A file or directory; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private HdfsPath path;

  @Option(
      names = "--shape",
      defaultValue = "chain",
      paramLabel = "SHAPE",
      description =
          "How helpers pass data on: chain, ppr, racktree, star, or auto, which takes the fastest;"
              + " default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private RepairPlanner shape;

  @Mixin private final PolicyOptions policy = new PolicyOptions();

  @Mixin private final WorkOptions work = new WorkOptions();

  RepairCommand(Connector connector) {
    super(connector);
  }

  @Override
  List<HdfsPath> paths() {
    return List.of(path);
  }

  @Override
  Outcome perform(Cluster cluster) throws IOException {
    RepairReport report;
    try (Bars bars = new Bars()) {
      report =
          cluster.repair(
              new RepairRequest(
                  path.path(),
                  shape.name(),
                  work.parallel(),
                  work.slice(),
                  work.seed(),
                  policy.policy(),
                  bars));
    }
    boolean done = report.unrepairable().isEmpty();
    return new Outcome(
        done ? ExitStatus.DONE : ExitStatus.FAILED, Json.of(report).put("ok", done), lines(report));
  }

  private static List<String> lines(RepairReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s rebuilt by %s in %s; %s across racks, %s inside, busiest link %s"
            .formatted(
                Sizes.count(report.repaired().size(), "block"),
                report.shape(),
                Sizes.seconds(report.seconds()),
                Sizes.format(report.traffic().crossRackBytes()),
                Sizes.format(report.traffic().inRackBytes()),
                Sizes.format(report.traffic().busiestLinkBytes())));
    if (report.settled() > 0) {
      lines.add(Sizes.count(report.settled(), "block") + " needed no rebuilding");
    }
    if (report.postponed() > 0) {
      lines.add(
          Sizes.count(report.postponed(), "stripe") + " left alone: their nodes may come back");
    }
    if (!report.unrepairable().isEmpty()) {
      lines.add(Sizes.count(report.unrepairable().size(), "block") + " cannot be rebuilt:");
      var table = new TextTable("path", "block", "reason");
      report.unrepairable().stream()
          .limit(SHOWN)
          .forEach(block -> table.row(block.path(), block.name(), block.reason()));
      lines.addAll(table.lines());
      if (report.unrepairable().size() > SHOWN) {
        lines.add("... and " + (report.unrepairable().size() - SHOWN) + " more; --json lists all");
      }
    }
    return lines;
  }
}
