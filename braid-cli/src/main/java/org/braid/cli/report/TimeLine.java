package org.braid.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.braid.hdfs.api.Span;

/** A time line: a row for each lane, a bar for each span. */
final class TimeLine {
  private static final int WIDTH = 940;
  private static final int LEFT = 190;
  private static final int ROW = 20;
  private static final int TOP = 24;
  private static final int MOST_LANES = 60;
  private static final int TICKS = 8;

  private TimeLine() {}

  static Markup of(List<Span> spans, double seconds) {
    Map<String, List<Span>> lanes = new LinkedHashMap<>();
    lanes.put("act", new ArrayList<>());
    lanes.put("work", new ArrayList<>());
    spans.forEach(span -> lanes.computeIfAbsent(span.lane(), l -> new ArrayList<>()).add(span));
    List<Map.Entry<String, List<Span>>> shown =
        lanes.entrySet().stream()
            .filter(lane -> !lane.getValue().isEmpty())
            .limit(MOST_LANES)
            .toList();
    double end = Math.max(seconds, 1e-3);
    int height = TOP + shown.size() * ROW + 6;
    Markup svg = Markup.svg(WIDTH, height, "time line");
    ticks(svg, end, height);
    int y = TOP;
    for (Map.Entry<String, List<Span>> lane : shown) {
      svg.element(
          "text",
          Names.shorten(lane.getKey(), 28),
          "x",
          LEFT - 8,
          "y",
          y + 13,
          "class",
          "label end");
      for (Span span : lane.getValue()) {
        bar(svg, span, y, end);
      }
      y += ROW;
    }
    return svg.close("svg");
  }

  private static double x(double second, double end) {
    return LEFT + (WIDTH - LEFT - 12) * Math.min(1, Math.max(0, second / end));
  }

  private static void ticks(Markup svg, double end, int height) {
    double step = Scale.step(end, TICKS);
    for (double t = 0; t <= end; t += step) {
      svg.empty(
          "line", "x1", x(t, end), "y1", TOP - 6, "x2", x(t, end), "y2", height, "class", "tick");
      svg.element(
          "text",
          String.format(Locale.ROOT, step < 1 ? "%.1f s" : "%.0f s", t),
          "x",
          x(t, end),
          "y",
          TOP - 10,
          "class",
          "label middle");
    }
  }

  private static void bar(Markup svg, Span span, int y, double end) {
    double from = x(span.startSeconds(), end);
    double wide = Math.max(1.5, x(span.endSeconds(), end) - from);
    String kind =
        switch (span.lane()) {
          case "act" -> "act";
          case "work" -> "work";
          default -> "detail";
        };
    svg.open(
            "rect",
            "x",
            from,
            "y",
            y + 2,
            "width",
            Math.max(1.5, wide - 1),
            "height",
            ROW - 5,
            "rx",
            2,
            "class",
            kind)
        .element(
            "title",
            String.format(
                Locale.ROOT,
                "%s: %.2f s to %.2f s",
                span.name(),
                span.startSeconds(),
                span.endSeconds()))
        .close("rect");
    // About six units a character.
    int room = (int) ((wide - 8) / 6);
    if (!kind.equals("detail") && room >= 4) {
      String name =
          span.name().length() <= room ? span.name() : span.name().substring(0, room - 2) + "..";
      svg.element("text", name, "x", from + 4, "y", y + 13, "class", "on " + kind + "-text");
    }
  }
}
