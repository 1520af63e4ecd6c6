package org.braid.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.cluster.base.PathCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.SpilledList;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "fsck",
    description = {
      "Reports which files are healthy, degraded, repairable or lost, and why.",
      "Use it after failures, before you remove a node, and to find misplaced blocks. It counts;"
          + " lost files are named, --list names all. The exit status is 1 when a file is lost.",
      "Orphans are parity files, and what stopped conversions left, that no file needs: braid"
          + " repair deletes them.",
      "Files that are in no stripe and have one replica are counted, too: users may want them so, or"
          + " their parity was deleted while HDFS ran without Braid.",
      "With PATH /, it also reports deleted converted files, and what was cut off others, that a"
          + " snapshot still holds, each as a file of its own. It does not check blocks that are being"
          + " written."
    },
    footer = {
      "",
      "Example: check everything",
      "  braid fsck -fs hdfs://namenode:8020 /",
      "Example: which blocks of /logs are damaged, and why",
      "  braid fsck -fs hdfs://namenode:8020 --list /logs"
    })
final class FsckCommand extends PathCommand {
  private static final int SHOWN = 50;

  @Option(
      names = "--list",
      description = "List each damaged block with the reason, and all parity without a use.")
  private boolean list;

  FsckCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected CommandResult perform(Cluster cluster) throws IOException {
    FsckReport report;
    try (ProgressBars bars = new ProgressBars()) {
      report = cluster.fsck(path(), bars);
    }
    Map<State, Integer> counts = report.counts();
    boolean lost = counts.getOrDefault(State.LOST, 0) > 0;
    ObjectNode object = Json.of(report).put("ok", !lost);
    ObjectNode counted = object.putObject("counts");
    counts.forEach((state, count) -> counted.put(word(state), count));
    return new CommandResult(
        lost ? ExitStatus.FAILED : ExitStatus.DONE,
        object,
        printsJson() ? List.of() : lines(report, counts));
  }

  private static String word(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private List<String> lines(FsckReport report, Map<State, Integer> counts) {
    List<String> lines = new SpilledList<>();
    lines.add(
        "files: %d healthy, %d degraded, %d repairable, %d lost; %d orphans"
            .formatted(
                counts.get(State.HEALTHY),
                counts.get(State.DEGRADED),
                counts.get(State.REPAIRABLE),
                counts.get(State.LOST),
                report.orphans().size()));
    lines.addAll(StatusText.unreadable(report.unreadable()));
    counted(report, lines);
    storage(report, lines);
    unprotected(report, lines);
    var table = new TextTable("path", ">block", "state", ">spare", "why");
    for (FsckReport.FileState file : report.files()) {
      for (FsckReport.BlockState block : file.findings()) {
        if (!list && block.state() != State.LOST) {
          continue;
        }
        table.row(
            file.path() + (file.onlyInSnapshots() ? " (only in snapshots)" : ""),
            block.index(),
            word(block.state()),
            block.spare() < 0 ? "-" : block.spare(),
            block.why());
      }
    }
    lines.addAll(table.lines(list ? Integer.MAX_VALUE : SHOWN));
    if (list) {
      report.unprotected().forEach(file -> lines.add("one replica " + file));
      report.orphans().forEach(orphan -> lines.add("orphan " + orphan));
      report
          .storage()
          .forEach(
              file ->
                  lines.add(
                      "storage %s: %s, wanted %s"
                          .formatted(
                              file.path(), Sizes.count(file.blocks(), "block"), file.wanted())));
    }
    return lines;
  }

  private void storage(FsckReport report, List<String> lines) {
    if (!report.storage().isEmpty()) {
      int blocks = report.storage().stream().mapToInt(FsckReport.StorageState::blocks).sum();
      lines.add(
          "storage: %s of %s are on other types than storage policies want, which is no damage: hdfs"
                  .formatted(
                      Sizes.count(blocks, "block"), Sizes.count(report.storage().size(), "file"))
              + " mover -p PATH moves them as far as the rules of their stripes allow"
              + (list ? "" : "; --list names the files"));
    }
  }

  private void unprotected(FsckReport report, List<String> lines) {
    int files = report.unprotected().size();
    if (files > 0) {
      lines.add(
          "one replica: nothing protects the blocks of %s in no stripe. Users may want that; if not,"
                  .formatted(Sizes.count(files, "healthy file"))
              + " braid convert PATH or hdfs dfs -setrep 3 PATH protects them"
              + (list ? "" : "; --list names the files"));
    }
  }

  /** Damaged blocks by what is wrong, and by the spare blocks that their stripes have left. */
  private void counted(FsckReport report, List<String> lines) {
    Map<String, Integer> kinds = new TreeMap<>();
    report.files().stream()
        .flatMap(file -> file.findings().stream())
        .filter(block -> block.state() != State.LOST)
        .forEach(
            block ->
                kinds.merge(
                    word(block.state())
                        + (block.spare() < 0
                            ? ", in no stripe"
                            : ", stripe with " + Sizes.count(block.spare(), "spare block")),
                    1,
                    Integer::sum));
    kinds.forEach((kind, count) -> lines.add("  " + Sizes.count(count, "block") + " " + kind));
    if (!list && !kinds.isEmpty()) {
      lines.add("  --list names them, with the reasons");
    }
  }
}
