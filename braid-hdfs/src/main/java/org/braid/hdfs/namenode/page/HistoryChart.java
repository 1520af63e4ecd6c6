package org.braid.hdfs.namenode.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/** Draws one or two series over time as an SVG with the page's colours. */
final class HistoryChart {
  private static final int WIDTH = 540;
  private static final int HEIGHT = 150;
  private static final int LEFT = 74;
  private static final int RIGHT = 8;
  private static final int TOP = 10;
  private static final int BOTTOM = 20;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final List<Long> at;
  private final LongFunction<String> unit;
  private final double high;

  /**
   * A chart.
   *
   * @param at seconds since 1970, at least two
   * @param series values at these moments; negative: not known
   * @param unit how a value is written
   */
  private HistoryChart(List<Long> at, List<List<Long>> series, LongFunction<String> unit) {
    this.at = at;
    this.unit = unit;
    long most = series.stream().flatMap(List::stream).mapToLong(Long::longValue).max().orElse(0);
    high = Math.max(2, most + most % 2); // so that half of it is a whole number
  }

  /** Draws a chart with a caption. */
  static void draw(
      Html html,
      String caption,
      List<Long> at,
      List<String> names,
      List<List<Long>> series,
      LongFunction<String> unit) {
    html.markup("<figure><figcaption>").text(caption);
    for (int i = 0; i < names.size(); i++) {
      html.markup("<span class=\"k" + (i + 1) + "\"></span><small>")
          .text(names.get(i))
          .markup("</small>");
    }
    html.markup("</figcaption>\n");
    new HistoryChart(at, series, unit).draw(html, caption, series);
    html.markup("</figure>\n");
  }

  private void draw(Html html, String caption, List<List<Long>> series) {
    html.markup("<svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\" role=\"img\" aria-label=\"")
        .text(caption)
        .markup("\">\n");
    for (double value : new double[] {0, high / 2, high}) {
      String y = number(y(value));
      html.markup("<line class=\"grid\" x1=\"" + LEFT + "\" x2=\"" + (WIDTH - RIGHT) + "\" y1=\"")
          .markup(y + "\" y2=\"" + y + "\"/>");
      html.markup(
              "<text text-anchor=\"end\" x=\""
                  + (LEFT - 6)
                  + "\" y=\""
                  + number(y(value) + 4)
                  + "\">")
          .text(unit.apply(Math.round(value)))
          .markup("</text>\n");
    }
    long first = at.get(0);
    long last = at.get(at.size() - 1);
    label(html, LEFT, "start", first);
    label(html, WIDTH - RIGHT, "end", last);
    for (int i = 0; i < series.size(); i++) {
      html.markup("<path class=\"s" + (i + 1) + "\" d=\"" + path(series.get(i)) + "\"/>\n");
    }
    html.markup("</svg>\n");
  }

  private static void label(Html html, int x, String anchor, long seconds) {
    html.markup("<text text-anchor=\"" + anchor + "\" x=\"" + x + "\" y=\"" + (HEIGHT - 5) + "\">")
        .text(TIME.format(Instant.ofEpochSecond(seconds)) + " UTC")
        .markup("</text>\n");
  }

  /** The line of a series, with gaps where a value is not known. */
  private String path(List<Long> series) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < series.size(); i++) {
      if (series.get(i) < 0) {
        drawing = false;
        continue;
      }
      path.append(drawing ? 'L' : 'M')
          .append(number(x(at.get(i))))
          .append(' ')
          .append(number(y(series.get(i))));
      drawing = true;
    }
    return path.toString();
  }

  private double x(long seconds) {
    double span = Math.max(1, at.get(at.size() - 1) - at.get(0));
    return LEFT + (seconds - at.get(0)) / span * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return TOP + (1 - value / high) * (HEIGHT - TOP - BOTTOM);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
