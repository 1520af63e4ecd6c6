package org.braid.cli.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.LeastTime;
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
import org.braid.hdfs.api.RepairPreview;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Unrepairable;
import org.braid.hdfs.api.RepairRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "repair",
    description = {
      "Rebuilds lost blocks of converted files, and moves misplaced blocks and those of"
          + " decommissioning nodes.",
      "The exit status is 1 when a block cannot be repaired, or parity that nobody needs cannot be"
          + " deleted; the reason is printed. Parity that stays while others work on its files, or"
          + " until nodes have reported their blocks or are in service again, does not count. braid"
          + " daemon repairs automatically.",
      "After Ctrl-C the same command goes on from there."
    },
    footer = {
      "",
      "Example: rebuild all that is lost under /logs",
      "  braid repair -fs hdfs://namenode:8020 /logs",
      "Example: gently, and only the blocks of nodes that were silent for a quarter of an hour",
      "  braid repair -fs hdfs://namenode:8020 --per-node 1 --per-uplink 8 --delay 15m",
      "Example: what that would rebuild and move, and for how long",
      "  braid repair -fs hdfs://namenode:8020 --dry-run"
    })
final class RepairCommand extends PathCommand {
  private static final int SHOWN = 20;

  /** Why parity stays that a later repair deletes: nothing is wrong with its files. */
  private static final Set<String> LATER = Set.of("IN_USE", "AWAITED");

  @Mixin private final RepairOptions repair = new RepairOptions();

  @Mixin private final StripeWorkOptions work = new StripeWorkOptions();

  @Option(
      names = "--dry-run",
      description =
          "Change nothing: say what this would rebuild, move and leave alone, the bytes that it"
              + " would send, and how long the links need for that at least at the configured rates"
              + " and the throttle in force.")
  private boolean dryRun;

  private final Termination termination;

  RepairCommand(ClusterConnector connector, Termination termination) {
    super(connector);
    this.termination = termination;
  }

  @Override
  protected Optional<Termination> termination() {
    return dryRun ? Optional.empty() : Optional.of(termination);
  }

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    if (dryRun) {
      return preview(cluster);
    }
    RepairReport report;
    try (ProgressBars bars = new ProgressBars()) {
      shows(bars);
      report = cluster.repair(request(bars));
    }
    boolean done =
        report.unrepairable().isEmpty()
            && report.parityLeft().stream().allMatch(file -> LATER.contains(file.cause()));
    return new CommandResult(
        done ? ExitStatus.DONE : ExitStatus.FAILED, Json.of(report).put("ok", done), lines(report));
  }

  private RepairRequest request(ProgressBars bars) {
    return new RepairRequest(
        path(), repair.shape(), work.parallel(), work.slice(), work.seed(), repair.policy(), bars);
  }

  private CommandResult preview(Cluster cluster) throws IOException {
    RepairPreview preview;
    try (ProgressBars bars = new ProgressBars()) {
      preview = cluster.preview(request(bars));
    }
    boolean done = preview.leftAlone().isEmpty();
    return new CommandResult(
        done ? ExitStatus.DONE : ExitStatus.FAILED,
        // As a dry run of a conversion; a repair saves nothing.
        Json.of(preview).put("bytes_saved", 0).put("ok", done),
        lines(preview));
  }

  private static List<String> lines(RepairPreview preview) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "would rebuild %s and move %s of %s and %s by %s"
            .formatted(
                Sizes.count(preview.rebuiltBlocks(), "block"),
                Sizes.count(preview.movedBlocks(), "block"),
                Sizes.count(preview.stripes(), "stripe"),
                Sizes.count(preview.files(), "file"),
                preview.shape()));
    lines.add(
        "would send %s across racks%s, %s inside, for %s of blocks; %s"
            .formatted(
                Sizes.format(preview.crossRackBytes()),
                preview.crossSiteBytes() == 0
                    ? ""
                    : ", of that " + Sizes.format(preview.crossSiteBytes()) + " across sites",
                Sizes.format(preview.inRackBytes()),
                Sizes.format(preview.rebuiltBytes()),
                LeastTime.words(preview.seconds())));
    if (preview.reencoded() > 0) {
      lines.add(
          Sizes.count(preview.reencoded(), "stripe")
              + " lost blocks to deletions or changes: the others would be protected anew, which is"
              + " not counted");
    }
    if (preview.settled() > 0) {
      lines.add(Sizes.count(preview.settled(), "extra replica") + " would be dropped");
    }
    if (preview.postponed() > 0) {
      lines.add(
          Sizes.count(preview.postponed(), "stripe")
              + " would be postponed: their nodes may come back");
    }
    unrepairable(preview.leftAlone(), lines);
    return lines;
  }

  private static void unrepairable(List<Unrepairable> blocks, List<String> lines) {
    if (!blocks.isEmpty()) {
      lines.add(Sizes.count(blocks.size(), "block") + " cannot be repaired:");
      var table = new TextTable("path", "block", "reason");
      blocks.forEach(block -> table.row(block.path(), block.name(), block.reason()));
      lines.addAll(table.lines(SHOWN));
    }
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
    if (!report.repaired().isEmpty()) {
      RepairPreview.Expected expected = report.expected();
      lines.add(
          "planned were %s across racks, %s inside%s"
              .formatted(
                  Sizes.format(expected.crossRackBytes()),
                  Sizes.format(expected.inRackBytes()),
                  expected.seconds() == null
                      ? ""
                      : ", at least " + Sizes.seconds(expected.seconds())));
    }
    unrepairable(report.unrepairable(), lines);
    ConvertCommand.parityLeft(report.parityLeft(), lines);
    return lines;
  }
}
