package org.braid.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A scatter chart: a dot for each item, placed by two figures.
 *
 * @param title the title of the chart
 * @param x the figure on the horizontal axis, with its unit
 * @param y the figure on the vertical axis, with its unit
 * @param dots the dots in order of importance: of overlapping names, only the first is drawn
 */
public record ScatterChart(String title, String x, String y, List<Dot> dots) {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int LEFT = 56;
  private static final int TOP = 44;
  private static final int BOTTOM = 46;
  private static final int RIGHT = 96;
  private static final int TICKS = 6;
  private static final double LINE = 13;
  private static final double LETTER = 6.2;

  public ScatterChart {
    dots = List.copyOf(dots);
  }

  /**
   * A dot.
   *
   * @param name of the thing
   * @param x to the right, finite
   * @param y up, finite
   * @param text on hovering
   * @param standing how it is drawn
   */
  public record Dot(String name, double x, double y, String text, Standing standing) {}

  /** How a dot is drawn. */
  public enum Standing {
    /** One of the best: filled, with its name. */
    BEST,
    /** Within limits, but beaten. */
    BEATEN,
    /** Outside of limits. */
    OUTSIDE
  }

  /**
   * The drawing.
   *
   * @param style of a drawing that stands alone; empty inside a page
   */
  Markup drawing(String style) {
    double left = dots.stream().mapToDouble(Dot::x).min().orElse(0);
    double right = dots.stream().mapToDouble(Dot::x).max().orElse(1);
    double low = Math.min(0, dots.stream().mapToDouble(Dot::y).min().orElse(0));
    double high = dots.stream().mapToDouble(Dot::y).max().orElse(1);
    Scale across = Scale.around(left, right, TICKS, LEFT, WIDTH - RIGHT);
    Scale up = Scale.around(low, high, TICKS, HEIGHT - BOTTOM, TOP);
    Markup svg = Markup.svg(WIDTH, HEIGHT, title);
    if (!style.isEmpty()) {
      svg.element("style", style);
      svg.empty("rect", "width", WIDTH, "height", HEIGHT, "class", "page");
    }
    svg.element("text", title, "x", 0, "y", 14, "class", "head");
    for (double tick : across.ticks(TICKS)) {
      double at = across.at(tick);
      svg.empty("line", "x1", at, "y1", TOP, "x2", at, "y2", HEIGHT - BOTTOM, "class", "tick");
      svg.element("text", number(tick), "x", at - 8, "y", HEIGHT - BOTTOM + 16);
    }
    for (double tick : up.ticks(TICKS)) {
      double at = up.at(tick);
      svg.empty("line", "x1", LEFT, "y1", at, "x2", WIDTH - RIGHT, "y2", at, "class", "tick");
      svg.element("text", number(tick), "x", LEFT - 8, "y", at + 4, "class", "end");
    }
    svg.element("text", x, "x", LEFT, "y", HEIGHT - 8, "class", "label");
    svg.element("text", y, "x", 0, "y", TOP - 14, "class", "label");
    for (int i = dots.size() - 1; i >= 0; i--) {
      dot(svg, dots.get(i), across, up);
    }
    names(svg, across, up);
    return svg.close("svg");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value).replaceFirst("\\.?0+$", "");
  }

  private static void dot(Markup svg, Dot dot, Scale across, Scale up) {
    String look =
        switch (dot.standing()) {
          case BEST -> "dot best";
          case BEATEN -> "dot beaten";
          case OUTSIDE -> "dot outside";
        };
    double radius = dot.standing() == Standing.BEST ? 5 : 3;
    svg.open("circle", "cx", across.at(dot.x()), "cy", up.at(dot.y()), "r", radius, "class", look)
        .element("title", dot.name() + ": " + dot.text())
        .close("circle");
  }

  /** Labels of the best points, where there is space. */
  private void names(Markup svg, Scale across, Scale up) {
    List<double[]> taken = new ArrayList<>();
    for (Dot dot : dots) {
      double at = across.at(dot.x()) + 8;
      double height = up.at(dot.y()) + 4;
      double end = at + dot.name().length() * LETTER;
      boolean free =
          taken.stream().noneMatch(t -> t[0] < end && at < t[1] && Math.abs(t[2] - height) < LINE);
      if (dot.standing() == Standing.BEST && free) {
        taken.add(new double[] {at, end, height});
        svg.element("text", dot.name(), "x", at, "y", height, "class", "strong");
      }
    }
  }
}
