package org.braid.cli.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.PathCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.Termination;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ScrubReport;
import org.braid.hdfs.api.ScrubRequest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "scrub",
    description = {
      "Reads all blocks of converted files, and of their parity, from the disks now. Compares them"
          + " with the checksums of the encoding, and the parity of each stripe with its data. Only"
          + " hashes cross the network.",
      "Use it after a fault of disks, controllers or memory; braid daemon does the same in the"
          + " background, by default once in three weeks. Bad replicas are reported to HDFS, which"
          + " stops serving them; braid repair or the daemon rebuilds them.",
      "The exit status is 1 when something is bad, or could not be read. Ctrl-C ends it and prints"
          + " the findings so far."
    },
    footer = {
      "",
      "Example: read all that is below /logs, on each node up to 100 MiB a second",
      "  braid scrub -fs hdfs://namenode:8020 --rate 100m /logs"
    })
final class ScrubCommand extends PathCommand {
  private static final int SHOWN = 20;

  @Option(
      names = "--rate",
      paramLabel = "SIZE",
      converter = Converters.Limit.class,
      description =
          "Most bytes a second to read on each node, as in 100m; 0 for no limit; default:"
              + " braid.scrub.rate, which is 32m.")
  private @Nullable Long rate;

  private final Termination termination;

  ScrubCommand(ClusterConnector connector, Termination termination) {
    super(connector);
    this.termination = termination;
  }

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    ScrubReport report;
    try (ProgressBars bars = new ProgressBars()) {
      report =
          cluster.scrub(
              new ScrubRequest(
                  path(),
                  rate == null ? OptionalLong.empty() : OptionalLong.of(rate),
                  termination.arm(),
                  bars));
    }
    return new CommandResult(
        report.ok() ? ExitStatus.DONE : ExitStatus.FAILED,
        Json.of(report).put("ok", report.ok()),
        printsJson() ? List.of() : lines(report));
  }

  private static List<String> lines(ScrubReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s%s, %s of %s read in %s: %s"
            .formatted(
                report.complete() ? "" : "stopped after ",
                Sizes.count(report.blocks(), "block"),
                Sizes.format(report.bytes()),
                Sizes.count(report.stripes(), "stripe"),
                Sizes.seconds(report.seconds()),
                replicas(report) == 0
                    ? "nothing bad is among them"
                    : replicas(report) + " are bad"));
    lines.add(parity(report.parity()));
    if (!report.findings().isEmpty()) {
      var kinds = new TreeMap<>(report.counts());
      kinds.remove(ScrubReport.Kind.PARITY);
      if (!kinds.isEmpty()) {
        lines.add(
            kinds.entrySet().stream()
                    .map(kind -> kind.getValue() + " " + word(kind.getKey()))
                    .collect(Collectors.joining(", "))
                + "; HDFS serves them no more, braid repair rebuilds them:");
      }
      var table = new TextTable("path", "block", "node", "kind", "what is wrong");
      report
          .findings()
          .forEach(
              one ->
                  table.row(one.path(), one.block(), one.node(), word(one.kind()), one.detail()));
      lines.addAll(table.lines(SHOWN));
    }
    if (!report.unchecked().isEmpty()) {
      ScrubReport.Unchecked first = report.unchecked().get(0);
      lines.add(
          "%s could not be read, the first: %s of %s at %s: %s"
              .formatted(
                  Sizes.count(report.unchecked().size(), "block"),
                  first.block(),
                  first.path(),
                  first.node(),
                  first.reason()));
    }
    lines.addAll(StatusText.unreadable(report.unreadable()));
    return lines;
  }

  /** Findings that are of replicas, not of stripes. */
  private static long replicas(ScrubReport report) {
    return report.findings().size() - report.parity().unfit();
  }

  private static String parity(ScrubReport.StripeCounts parity) {
    return "%s checked against their parity, %s%s"
        .formatted(
            Sizes.count(parity.checked(), "stripe"),
            parity.unfit() == 0
                ? "which fits"
                : parity.unfit()
                    + " of them do not fit and are left as they are: where parity is wrong, restore"
                    + " the files and convert them again",
            parity.unchecked() == 0 ? "" : "; " + parity.unchecked() + " could not be");
  }

  private static String word(ScrubReport.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
