package org.braid.cli.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.api.view.StatusReport.CodeCount;

/** Shows the status repeatedly: in place on a terminal, one after the other in a pipe. */
final class StatusWatch {
  /** Set to {@code true} by the launcher where standard output is a terminal. */
  static final String SCREEN = "braid.screen";

  /** Puts the cursor into the corner and empties the screen, in ECMA-48. */
  private static final String EMPTY = "\033[H\033[2J";

  private final Cluster cluster;
  private final String path;
  private final PrintWriter out;
  private final boolean screen = Boolean.getBoolean(SCREEN);

  StatusWatch(Cluster cluster, String path, PrintWriter out) {
    this.cluster = cluster;
    this.path = path;
    this.out = out;
  }

  /**
   * Shows the status until the end is requested. Tries again after a failure.
   *
   * @param first the status at the begin
   */
  void show(StatusReport first, StopSignal stop, long everyMillis) {
    LocalTime begun = now();
    print(begun + ", Ctrl-C ends it", StatusText.brief(first));
    // Ends, too, when nobody reads it any more.
    while (!out.checkError() && !stop.await(everyMillis)) {
      LocalTime now = now();
      try {
        StatusReport report = cluster.status(path);
        print(now + "; since " + begun + ": " + change(first, report), StatusText.brief(report));
      } catch (IOException e) {
        if (stop.stopped()) {
          return;
        }
        print(now.toString(), List.of("cannot tell now: " + firstLine(e)));
      }
    }
  }

  private static LocalTime now() {
    return LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private void print(String heading, List<String> lines) {
    if (screen) {
      out.print(EMPTY);
    }
    out.println(heading);
    lines.forEach(out::println);
    if (!screen) {
      out.println();
    }
    out.flush();
  }

  /** Describes the changes between two reports. */
  static String change(StatusReport from, StatusReport to) {
    return "%s%d stripes, %s stored, %s of it parity"
        .formatted(
            stripes(to) < stripes(from) ? "" : "+",
            stripes(to) - stripes(from),
            signed(stored(to) - stored(from)),
            signed(to.parityBytes() - from.parityBytes()));
  }

  private static long stripes(StatusReport report) {
    return report.codes().stream().mapToLong(CodeCount::stripes).sum();
  }

  /** The stored bytes; of a whole cluster those of all blocks, in stripes or not. */
  private static long stored(StatusReport report) {
    StatusReport.BlockCounts blocks = report.blocks();
    return blocks == null ? report.storedBytes() : blocks.storedBytes();
  }

  private static String signed(long bytes) {
    return (bytes < 0 ? "-" : "+") + Sizes.format(Math.abs(bytes));
  }
}
