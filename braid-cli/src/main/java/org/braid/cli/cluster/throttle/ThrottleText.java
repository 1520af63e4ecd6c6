package org.braid.cli.cluster.throttle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.braid.cli.text.Durations;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.view.ThrottleView;
import org.braid.hdfs.api.view.ThrottleView.Source;
import org.jspecify.annotations.Nullable;

/** The throttle, as people read it. */
public final class ThrottleText {
  private ThrottleText() {}

  /** One line for a status. */
  public static String line(ThrottleView view) {
    if (!view.inForce()) {
      return "throttle: none";
    }
    List<String> parts = new ArrayList<>();
    add(parts, "node", view.node());
    add(parts, "disk", view.disk());
    add(parts, "uplink", view.uplink());
    add(parts, "site", view.site());
    add(parts, "cluster", view.cluster());
    if (view.latencyTargetMillis() > 0) {
      parts.add("gives way above " + millis(view));
    }
    return "throttle: "
        + String.join(", ", parts)
        + (view.stopped().isEmpty()
            ? ""
            : "; work in the background stops where it needs: " + view.stopped());
  }

  private static void add(List<String> parts, String name, @Nullable Long limit) {
    if (limit != null) {
      parts.add(name + " " + rate(limit));
    }
  }

  private static String millis(ThrottleView view) {
    double millis = view.latencyTargetMillis();
    String time =
        millis < 1
            ? Math.round(1000 * millis) + " us"
            : millis < 999.5 // rounds to fewer than four digits
                ? String.format(Locale.ROOT, "%.3g ms", millis)
                : Durations.format(millis / 1000);
    return time + " a packet";
  }

  private static String rate(@Nullable Long limit) {
    return limit == null ? "no limit" : limit == 0 ? "stopped" : Sizes.format(limit) + "/s";
  }

  static List<String> lines(ThrottleView view) {
    TextTable table = new TextTable("of", "may be used", "from");
    row(table, view, "node", "each node's network", rate(view.node()));
    row(table, view, "disk", "each node's disks", rate(view.disk()));
    row(table, view, "uplink", "each rack's uplink", rate(view.uplink()));
    row(table, view, "site", "each site's link", rate(view.site()));
    row(table, view, "cluster", "the whole cluster", rate(view.cluster()));
    row(
        table,
        view,
        "repair-share",
        "each of these limits, by repair",
        view.repairShare() + " and what conversion leaves");
    row(
        table,
        view,
        "conversion-share",
        "each of these limits, by conversion",
        view.conversionShare() + " and what repair leaves");
    row(
        table,
        view,
        "latency-target",
        "a node's limits, while it serves readers",
        view.latencyTargetMillis() > 0 ? "less above " + millis(view) : "all");
    List<String> lines = new ArrayList<>(table.lines());
    if (!view.stopped().isEmpty()) {
      lines.add("work in the background stops where it needs: " + view.stopped());
    }
    return lines;
  }

  private static void row(
      TextTable table, ThrottleView view, String key, String name, String value) {
    table.row(
        name,
        value,
        switch (view.sources().getOrDefault(key.replace('-', '_'), Source.DEFAULT)) {
          case DEFAULT -> "default";
          case SETTING -> "braid.throttle." + key;
          case SET -> "braid throttle set";
          case LIMITED -> "what the share that is set leaves";
        });
  }
}
