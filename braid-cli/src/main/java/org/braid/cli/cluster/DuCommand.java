package org.braid.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.PathCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.view.UsageReport;
import org.braid.hdfs.api.view.UsageReport.Row;
import org.braid.hdfs.api.view.UsageRequest;
import org.braid.hdfs.api.view.UsageRequest.By;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "du",
    description = {
      "Shows what files take and what conversion saves, by directory or by owner.",
      "hdfs dfs -du counts a converted file once, and its parity nowhere. Here the parity of a"
          + " stripe is shared by the files that have blocks in it, in proportion to these blocks."
          + " Saved is what replication would take beyond that.",
      "HDFS's superuser sees all files, other users those that they may read below PATH."
    },
    footer = {
      "",
      "Example: what the directories in /user take",
      "  braid du -fs hdfs://namenode:8020 /user",
      "Example: what each owner is to be charged for",
      "  braid du -fs hdfs://namenode:8020 --by owner --json"
    })
final class DuCommand extends PathCommand {
  private static final int DEPTH = 1;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "directory",
      description = "What a row stands for: directory or owner; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private By by;

  @Option(
      names = "--depth",
      paramLabel = "LEVELS",
      description =
          "Levels of directories below PATH that have a row of their own, each with all below it;"
              + " default: 1.")
  private @Nullable Integer depth;

  DuCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected void checkArguments() {
    if (depth != null && by == By.OWNER) {
      throw wrong("--depth is of directories: leave it out with --by owner");
    }
    if (levels() < 0) {
      throw wrong("--depth " + levels() + ": it is 0 or more");
    }
  }

  private int levels() {
    return depth == null ? DEPTH : depth;
  }

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    UsageReport report;
    try (ProgressBars bars = new ProgressBars()) {
      report = cluster.usage(new UsageRequest(path(), by, levels()), bars);
    }
    ObjectNode object = Json.of(report).put("ok", true);
    addSaved(object.get("total"), report.total());
    for (int i = 0; i < report.rows().size(); i++) {
      addSaved(object.get("rows").get(i), report.rows().get(i));
    }
    return new CommandResult(ExitStatus.DONE, object, lines(report));
  }

  private static void addSaved(JsonNode object, Row row) {
    ((ObjectNode) object).put("saved_bytes", row.savedBytes());
  }

  private List<String> lines(UsageReport report) {
    TextTable table =
        new TextTable(
            by == By.OWNER ? "owner" : "directory",
            ">files",
            ">content",
            ">stored",
            ">times",
            ">of it parity",
            ">saved");
    report.rows().forEach(row -> add(table, row.name(), row));
    add(table, by == By.OWNER ? "all of " + report.path() : report.path(), report.total());
    List<String> lines = new ArrayList<>(table.lines());
    if (report.unsupported() > 0) {
      lines.add(
          "the parity of %s is left out: this version of Braid does not know their code or its"
                  .formatted(Sizes.count(report.unsupported(), "stripe"))
              + " matrix");
    }
    if (report.hidden() != null && report.hidden() > 0) {
      lines.add(StatusText.hidden(report.hidden()));
    }
    return lines;
  }

  private static void add(TextTable table, String name, Row row) {
    table.row(
        name,
        row.files(),
        Sizes.format(row.contentBytes()),
        Sizes.format(row.storedBytes()),
        row.contentBytes() == 0
            ? "-"
            : String.format(Locale.ROOT, "%.2f", (double) row.storedBytes() / row.contentBytes()),
        Sizes.format(row.parityBytes()),
        saved(row.savedBytes()));
  }

  private static String saved(long bytes) {
    return bytes < 0 ? "-" + Sizes.format(-bytes) : Sizes.format(bytes);
  }
}
