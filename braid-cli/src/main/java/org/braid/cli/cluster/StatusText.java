package org.braid.cli.cluster;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.braid.cli.cluster.throttle.ThrottleText;
import org.braid.cli.text.Durations;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.policy.Moments;

/** Formats a status report for people. */
final class StatusText {
  /** Most nodes that a brief text names. */
  private static final int SHOWN = 20;

  /** What to say of the room that conversions free while HDFS is upgraded. */
  static final String ROLLING_UPGRADE =
      "a rolling upgrade of HDFS goes on: DataNodes keep what is deleted, so that replicas which"
          + " conversions drop free no room until hdfs dfsadmin -rollingUpgrade finalize";

  private StatusText() {}

  private static String word(Health.Word word) {
    return word.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String coordination(StatusReport.Coordination now) {
    String holder = now.coordinator().isEmpty() ? "none" : now.coordinator();
    String clients =
        !now.deferring()
            ? "get an error"
            : now.served() || now.expected()
                ? "wait up to %s, %s now"
                    .formatted(Sizes.seconds(now.waitSeconds()), Sizes.count(now.waiting(), "call"))
                : "get an error, as no coordinator runs";
    return ("coordinator: %s; clients without Braid that open lost blocks %s; silent nodes are"
            + " noticed %s")
        .formatted(holder, clients, now.heartbeats() ? "by heartbeats" : "by HDFS only");
  }

  /**
   * How far the scrub of all stripes is.
   *
   * @param stripes how many there are
   * @param now by which a round has begun or is still to begin
   */
  static String scrub(StatusReport.Scrub scrub, long stripes, Instant now) {
    List<String> parts = new ArrayList<>();
    parts.add(lastRound(scrub));
    presentRound(scrub, now).ifPresent(parts::add);
    Long oldest = scrub.oldestSeconds();
    if (oldest != null && scrub.lastEnded() != null && stripes > 0) {
      parts.add("every stripe was read within " + Durations.format(oldest));
    }
    String paused = scrub.pausedUntil();
    if (paused != null) {
      parts.add("paused until " + Moments.words(paused));
    }
    return "scrub: " + String.join("; ", parts);
  }

  private static String lastRound(StatusReport.Scrub scrub) {
    if (scrub.lastEnded() == null) {
      return "no round has ended";
    }
    return "the last round ended %s with %s%s"
        .formatted(
            scrub.lastEnded(),
            Sizes.count(scrub.lastFindings(), "finding"),
            scrub.lastUnread() == 0
                ? ""
                : " and could not read " + Sizes.count(scrub.lastUnread(), "replica"));
  }

  /** Describes the current round; empty for a round that has read nothing yet. */
  private static Optional<String> presentRound(StatusReport.Scrub scrub, Instant now) {
    String begun = scrub.begun();
    if (begun == null) {
      return Optional.of("none goes on");
    }
    if (Instant.parse(begun).isAfter(now)) {
      return Optional.of("the next round begins " + begun);
    }
    if (scrub.done() == 0 && scrub.findings() == 0) {
      return Optional.empty();
    }
    String done =
        scrub.done() < 0.001
            ? "less than 0.1%"
            : String.format(Locale.ROOT, "%.1f%%", 100 * scrub.done());
    // It may have begun before the last one ended, which was one by command.
    return Optional.of(
        "a round since %s has read %s, with %s"
            .formatted(begun, done, Sizes.count(scrub.findings(), "finding")));
  }

  /** Describes files that a user may not see. */
  static String hidden(int count) {
    return "%d files and directories do not count: you may not read them, or may not be told whether"
            .formatted(count)
        + " they are converted";
  }

  /** Describes parity files with unreadable descriptions. */
  static List<String> unreadable(Map<String, String> problems) {
    List<String> lines = new ArrayList<>();
    new TreeMap<>(problems)
        .forEach(
            (path, problem) ->
                lines.add("%s protects blocks that cannot be told: %s".formatted(path, problem)));
    if (!lines.isEmpty()) {
      lines.add(
          "no surplus copy of a file with replication 1 is dropped until these can be read, or are"
              + " gone");
    }
    return lines;
  }

  /** All of a report. */
  static List<String> lines(StatusReport report) {
    List<String> lines = totals(report);
    var nodes = nodes();
    report.nodes().forEach(node -> add(nodes, node));
    lines.addAll(nodes.lines());
    return lines;
  }

  /**
   * The short form, with a number of lines that does not grow with the cluster: of nodes, it lists
   * only those with problems.
   */
  static List<String> brief(StatusReport report) {
    List<String> lines = totals(report);
    List<StatusReport.NodeStatus> broken =
        report.nodes().stream().filter(node -> !node.live() || !node.answers()).toList();
    lines.add(
        "nodes: %d, of these %d live with a worker that answers"
            .formatted(report.nodes().size(), report.nodes().size() - broken.size()));
    if (!broken.isEmpty()) {
      var nodes = nodes();
      broken.forEach(node -> add(nodes, node));
      lines.addAll(nodes.lines(SHOWN));
    }
    return lines;
  }

  private static TextTable nodes() {
    return new TextTable("node", "rack", "live", "worker", ">free");
  }

  private static void add(TextTable table, StatusReport.NodeStatus node) {
    table.row(
        node.node(),
        node.rack(),
        node.live() ? "yes" : "no",
        node.worker(),
        Sizes.format(node.remaining()));
  }

  private static List<String> totals(StatusReport report) {
    List<String> lines = new ArrayList<>();
    lines.add("health: " + word(report.health().word()));
    report
        .health()
        .causes()
        .forEach(cause -> lines.add("  " + word(cause.word()) + ": " + cause.what()));
    if (report.rollingUpgrade()) {
      lines.add(ROLLING_UPGRADE);
    }
    if (report.hidden() != null && report.hidden() > 0) {
      lines.add(hidden(report.hidden()));
    }
    StatusReport.FileCounts files = report.files();
    if (files != null) {
      lines.add(
          "files: %d replicated, %d converted, %d partly%s"
              .formatted(
                  files.replicated(),
                  files.converted(),
                  files.partly(),
                  files.striped() == 0
                      ? ""
                      : ", %d striped by HDFS itself".formatted(files.striped())));
    }
    StatusReport.BlockCounts blocks = report.blocks();
    if (blocks != null) {
      lines.add(
          "blocks: %d, of these %d in stripes and %d parity; all replicas take %s"
              .formatted(
                  blocks.all(),
                  blocks.encoded(),
                  blocks.parity(),
                  Sizes.format(blocks.storedBytes())));
      lines.add(
          "the blocks in stripes took %s before conversion; braid status PATH counts files"
              .formatted(Sizes.format(blocks.replicatedBytes())));
    }
    lines.add(
        "content %s, stored %s%s, parity %s"
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
              "%s serves most reads: %.1f%% of the blocks; an even share is %.1f%%",
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
                      : "; braid repair rebuilds the others"));
    }
    lines.addAll(unreadable(report.unreadable()));
    if (report.scrub() != null) {
      long stripes = report.codes().stream().mapToLong(StatusReport.CodeCount::stripes).sum();
      lines.add(scrub(report.scrub(), stripes, Instant.now()));
    }
    lines.add(coordination(report.coordination()));
    if (report.throttle() != null) {
      lines.add(ThrottleText.line(report.throttle()));
    }
    return lines;
  }
}
