package org.braid.cli.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.PathCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.StripeWorkOptions;
import org.braid.cli.command.Termination;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "repair",
    description = {
      "Rebuilds lost blocks of converted files, and moves misplaced blocks and those of"
          + " decommissioning nodes.",
      "The exit status is 1 when a block cannot be rebuilt; the reason is printed. braid"
          + " coordinator repairs automatically."
    },
    footer = {
      "",
      "Example: rebuild all that is lost under /logs",
      "  braid repair -fs hdfs://namenode:8020 /logs",
      "Example: gently, and only the blocks of nodes that were silent for a quarter of an hour",
      "  braid repair -fs hdfs://namenode:8020 --per-node 1 --per-uplink 8 --delay 15m"
    })
final class RepairCommand extends PathCommand {
  private static final int SHOWN = 20;

  @Mixin private final RepairOptions repair = new RepairOptions();

  @Mixin private final StripeWorkOptions work = new StripeWorkOptions();

  private final Termination termination;

  RepairCommand(ClusterConnector connector, Termination termination) {
    super(connector);
    this.termination = termination;
  }

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    RepairReport report;
    try (ProgressBars bars = new ProgressBars()) {
      saysHowFar(termination, bars);
      report =
          cluster.repair(
              new RepairRequest(
                  path(),
                  repair.shape(),
                  work.parallel(),
                  work.slice(),
                  work.seed(),
                  repair.policy(),
                  bars));
    }
    boolean done = report.unrepairable().isEmpty();
    return new CommandResult(
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
    if (report.reencoded() > 0) {
      lines.add(
          Sizes.count(report.reencoded(), "stripe")
              + " had lost blocks to deletions or changes: the others are protected anew");
    }
    if (report.settled() > 0) {
      lines.add(Sizes.count(report.settled(), "block") + " needed no rebuilding");
    }
    if (report.postponed() > 0) {
      lines.add(
          Sizes.count(report.postponed(), "stripe") + " postponed: their nodes may come back");
    }
    if (!report.unrepairable().isEmpty()) {
      lines.add(Sizes.count(report.unrepairable().size(), "block") + " cannot be rebuilt:");
      var table = new TextTable("path", "block", "reason");
      report.unrepairable().forEach(block -> table.row(block.path(), block.name(), block.reason()));
      lines.addAll(table.lines(SHOWN));
    }
    return lines;
  }
}
