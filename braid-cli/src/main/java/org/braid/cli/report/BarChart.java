package org.braid.cli.report;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A bar chart: one figure for each of several items.
 *
 * @param title the figure with its unit
 * @param note which direction is better, or the meaning of the marks
 * @param bars in order
 */
public record BarChart(String title, String note, List<Bar> bars) {
  private static final int WIDTH = 460;
  private static final int LEFT = 190;
  private static final int RIGHT = 70;
  private static final int ROW = 22;
  private static final int TOP = 44;

  public BarChart {
    bars = List.copyOf(bars);
  }

  /**
   * A bar.
   *
   * @param name the name of the item
   * @param value its length, at least 0
   * @param text the label at its end
   * @param bound bound of the value, drawn as a mark
   */
  public record Bar(String name, double value, String text, OptionalDouble bound) {}

  Markup drawing() {
    Markup svg = Markup.svg(WIDTH, TOP + bars.size() * ROW + 8, title);
    svg.element("text", title, "x", 0, "y", 14, "class", "head");
    svg.element("text", note, "x", 0, "y", 30);
    double most =
        bars.stream().mapToDouble(b -> Math.max(b.value(), b.bound().orElse(0))).max().orElse(0);
    double scale = most > 0 ? (WIDTH - LEFT - RIGHT) / most : 0;
    int y = TOP;
    for (Bar bar : bars) {
      int top = y;
      double length = Math.max(1, bar.value() * scale);
      svg.element(
          "text", Names.shorten(bar.name(), 30), "x", LEFT - 8, "y", y + 13, "class", "label end");
      svg.open("rect", "x", LEFT, "y", y + 2, "width", length, "height", ROW - 6, "class", "data")
          .element("title", bar.name() + ": " + bar.text())
          .close("rect");
      bar.bound().ifPresent(bound -> mark(svg, LEFT + bound * scale, top, bar));
      svg.element("text", bar.text(), "x", LEFT + length + 6, "y", y + 13, "class", "strong");
      y += ROW;
    }
    return svg.close("svg");
  }

  private static void mark(Markup svg, double x, int y, Bar bar) {
    svg.open("line", "x1", x, "y1", y, "x2", x, "y2", y + ROW - 4, "class", "bound")
        .element("title", bar.name() + ": bound")
        .close("line");
  }
}
