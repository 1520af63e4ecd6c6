package org.braid.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import org.braid.experiment.Chart.Kind;
import org.braid.experiment.Spread;
import org.braid.experiment.chart.Graph;
import org.braid.experiment.chart.Graph.Origin;
import org.braid.experiment.chart.Graph.Series;

/**
 * A chart of an experiment: bars or lines at the medians, each with a whisker from the smallest to
 * the largest figure, or boxes from quartile to quartile. Figures of papers are dashed.
 */
final class GraphDrawing {
  private static final int WIDTH = 640;
  private static final int LEFT = 74;
  private static final int RIGHT = 14;
  private static final int HEIGHT = 230;
  private static final int TICKS = 6;
  private static final int LINE = 17;
  private static final double LETTER = 6.1;
  private static final int LETTER_HEIGHT = 13;
  private static final int TURNED_LETTERS = 14;
  private static final int COLORS = 8;

  private final Graph graph;
  private final DoubleFunction<String> label;
  private final Markup svg;
  private final int top;
  private final Scale y;
  private final List<Double> centers;

  /**
   * The names of categories below the chart, broken into lines; a single rotated line where a word
   * is too wide.
   */
  private final List<List<String>> names;

  private final boolean turned;

  private GraphDrawing(Graph graph, DoubleFunction<String> label, String style) {
    this.graph = graph;
    this.label = label;
    List<List<Series>> legend = legend(graph);
    this.top = 44 + LINE * legend.size();
    int room = (int) (slot() / LETTER);
    this.names = names(room);
    this.turned = names.stream().flatMap(List::stream).anyMatch(word -> word.length() > room);
    int lines = names.stream().mapToInt(List::size).max().orElse(1);
    int below = (turned ? 56 : 8 + LETTER_HEIGHT * lines) + (graph.x().isEmpty() ? 0 : LINE);
    this.svg = Markup.svg(WIDTH, top + HEIGHT + below, graph.title());
    if (!style.isEmpty()) {
      svg.element("style", style);
      svg.empty("rect", "width", WIDTH, "height", top + HEIGHT + below, "class", "page");
    }
    this.y = scale();
    this.centers = centers();
    svg.element("text", graph.title(), "x", 0, "y", 14, "class", "head");
    if (!graph.title().startsWith(graph.y())) {
      svg.element("text", graph.y(), "x", 0, "y", 31);
    }
    keys(legend);
    grid(below);
  }

  /**
   * A drawing.
   *
   * @param label writes a figure with its unit
   */
  static Markup of(Graph graph, DoubleFunction<String> label) {
    return new GraphDrawing(graph, label, "").draw();
  }

  /** A drawing that stands alone and follows the viewer's light or dark scheme. */
  static Markup file(Graph graph, DoubleFunction<String> label, String style) {
    return new GraphDrawing(graph, label, style).draw();
  }

  private Markup draw() {
    List<Series> drawn = graph.series();
    double slot = slot();
    double wide = Math.min(60, 0.8 * slot / drawn.size());
    for (int i = 0; i < drawn.size(); i++) {
      Series series = drawn.get(i);
      if (graph.kind() == Kind.LINES) {
        line(series);
        continue;
      }
      for (int c = 0; c < centers.size(); c++) {
        double left = centers.get(c) + wide * (i - drawn.size() / 2.0);
        int category = c;
        series.values().get(c).ifPresent(s -> column(series, category, s, left, wide));
      }
    }
    return svg.close("svg");
  }

  private double slot() {
    return (double) (WIDTH - LEFT - RIGHT) / graph.categories().size();
  }

  private Scale scale() {
    List<Spread> all =
        graph.series().stream()
            .flatMap(s -> s.values().stream())
            .flatMap(Optional::stream)
            .toList();
    double least = all.stream().mapToDouble(Spread::low).min().orElse(0);
    double most = all.stream().mapToDouble(Spread::high).max().orElse(1);
    // Bars that do not start at nothing would lie; lines far from it would show nothing.
    boolean fromNothing = graph.kind() == Kind.BARS || least < 0.6 * most;
    double from = fromNothing ? Math.min(0, least) : least - 0.3 * (most - least);
    double to = fromNothing ? Math.max(0, most) : most + 0.3 * (most - least);
    if (!(to > from)) {
      from -= Math.abs(from) * 0.1;
      to += Math.abs(to) * 0.1 + (to == 0 ? 1 : 0);
    }
    return Scale.around(from, to, TICKS, top + HEIGHT, top);
  }

  /** The horizontal position of each category; the value itself for line charts over numbers. */
  private List<Double> centers() {
    List<Double> centers = new ArrayList<>();
    List<String> names = graph.categories();
    boolean numbers =
        graph.kind() == Kind.LINES
            && names.size() > 1
            && names.stream().allMatch(n -> n.matches("-?[0-9]{1,12}(\\.[0-9]{1,12})?"));
    double[] values =
        numbers ? names.stream().mapToDouble(Double::parseDouble).toArray() : new double[0];
    double least = DoubleStream.of(values).min().orElse(0);
    double most = DoubleStream.of(values).max().orElse(0);
    // Otherwise all but the largest would stand in one place.
    boolean logarithmic = least > 0 && most / least > 50;
    for (int i = 0; i < names.size(); i++) {
      if (numbers && most > least) {
        double share =
            logarithmic
                ? Math.log(values[i] / least) / Math.log(most / least)
                : (values[i] - least) / (most - least);
        centers.add(LEFT + 20 + share * (WIDTH - LEFT - RIGHT - 40));
      } else {
        centers.add(LEFT + slot() * (i + 0.5));
      }
    }
    return centers;
  }

  /**
   * Names of categories, broken at blanks into lines of at most the given length where words
   * permit.
   */
  private List<List<String>> names(int room) {
    List<List<String>> names = new ArrayList<>();
    for (String name : graph.categories()) {
      List<String> lines = new ArrayList<>();
      for (String word : name.split(" ")) {
        int last = lines.size() - 1;
        if (last >= 0 && lines.get(last).length() + 1 + word.length() <= room) {
          lines.set(last, lines.get(last) + " " + word);
        } else {
          lines.add(word);
        }
      }
      names.add(lines);
    }
    return names;
  }

  /** Series in lines that fit. */
  private static List<List<Series>> legend(Graph graph) {
    List<List<Series>> lines = new ArrayList<>(List.of(new ArrayList<>()));
    double x = 0;
    for (Series series : graph.series()) {
      double needed = width(series);
      if (x + needed > WIDTH && x > 0) {
        lines.add(new ArrayList<>());
        x = 0;
      }
      lines.get(lines.size() - 1).add(series);
      x += needed;
    }
    return lines;
  }

  private static double width(Series series) {
    return series.name().length() * LETTER + 34;
  }

  private static String color(Series series) {
    return "--c: var(--s" + series.color() % COLORS + ")";
  }

  private static String form(Series series) {
    return series.origin() == Origin.PAPER ? "paper" : "ours";
  }

  private void keys(List<List<Series>> legend) {
    double lineTop = 38;
    for (List<Series> line : legend) {
      double x = 0;
      for (Series series : line) {
        svg.empty(
            "rect",
            "x",
            x,
            "y",
            lineTop,
            "width",
            12,
            "height",
            10,
            "style",
            color(series),
            "class",
            form(series));
        svg.element("text", series.name(), "x", x + 17, "y", lineTop + 9, "class", "series");
        x += width(series);
      }
      lineTop += LINE;
    }
  }

  private void grid(int below) {
    for (double tick : y.ticks(TICKS)) {
      double at = y.at(tick);
      svg.empty("line", "x1", LEFT, "y1", at, "x2", WIDTH - RIGHT, "y2", at, "class", "tick");
      svg.element("text", tick(tick), "x", LEFT - 8, "y", at + 4, "class", "label end");
    }
    double base = top + HEIGHT;
    for (int c = 0; c < centers.size(); c++) {
      double x = centers.get(c);
      if (turned) {
        svg.element(
            "text",
            Names.shorten(graph.categories().get(c), TURNED_LETTERS),
            "x",
            x,
            "y",
            base + 14,
            "class",
            "label end",
            "transform",
            String.format(Locale.ROOT, "rotate(-25 %.1f %.1f)", x, base + 14));
        continue;
      }
      double lineBase = base + 16;
      for (String line : names.get(c)) {
        svg.element("text", line, "x", x, "y", lineBase, "class", "label middle");
        lineBase += LETTER_HEIGHT;
      }
    }
    svg.element(
        "text",
        graph.x(),
        "x",
        (LEFT + WIDTH) / 2.0,
        "y",
        base + below - 5,
        "class",
        "label middle");
  }

  /**
   * The label of a number on the axis, without a unit that is a phrase: the title of the axis has
   * that.
   */
  private String tick(double value) {
    String text = label.apply(value);
    int blank = text.indexOf(' ');
    return blank > 0 && text.length() * LETTER > LEFT - 8 ? text.substring(0, blank) : text;
  }

  private String tip(Series series, int category, Spread s) {
    String range =
        s.count() > 1
            ? " (%s to %s, %d figures)"
                .formatted(label.apply(s.low()), label.apply(s.high()), s.count())
            : "";
    return "%s, %s: %s%s"
        .formatted(series.name(), graph.categories().get(category), label.apply(s.median()), range);
  }

  private void column(Series series, int category, Spread s, double left, double wide) {
    boolean box = graph.kind() == Kind.BOX && s.count() > 1;
    double from = box ? y.at(s.q1()) : y.at(Math.max(0, y.from()));
    double to = box ? y.at(s.q3()) : y.at(s.median());
    double room = Math.max(1, wide - 4);
    boolean point = graph.kind() == Kind.BOX && !box;
    if (point) {
      dot(series, category, s, left + wide / 2);
      return;
    }
    svg.open(
            "rect",
            "x",
            left + 2,
            "y",
            Math.min(from, to),
            "width",
            room,
            "height",
            Math.max(1, Math.abs(to - from)),
            "style",
            color(series),
            "class",
            form(series) + (box ? " box-plot" : ""))
        .element("title", tip(series, category, s))
        .close("rect");
    if (box) {
      double at = y.at(s.median());
      svg.empty(
          "line", "x1", left + 2, "y1", at, "x2", left + 2 + room, "y2", at, "class", "whisker");
      whisker(left + wide / 2, s.low(), s.q1());
      whisker(left + wide / 2, s.q3(), s.high());
    } else {
      whisker(left + wide / 2, s.low(), s.high());
    }
  }

  private void whisker(double x, double low, double high) {
    if (high > low) {
      double from = y.at(low);
      double to = y.at(high);
      svg.empty("line", "x1", x, "y1", from, "x2", x, "y2", to, "class", "whisker");
      svg.empty("line", "x1", x - 3, "y1", from, "x2", x + 3, "y2", from, "class", "whisker");
      svg.empty("line", "x1", x - 3, "y1", to, "x2", x + 3, "y2", to, "class", "whisker");
    }
  }

  private void line(Series series) {
    StringBuilder path = new StringBuilder();
    for (int c = 0; c < centers.size(); c++) {
      Optional<Spread> value = series.values().get(c);
      if (value.isPresent()) {
        path.append(path.isEmpty() ? "" : " ")
            .append(
                String.format(
                    Locale.ROOT, "%.1f,%.1f", centers.get(c), y.at(value.get().median())));
      }
    }
    svg.empty("polyline", "points", path, "style", color(series), "class", "line " + form(series));
    for (int c = 0; c < centers.size(); c++) {
      int category = c;
      series
          .values()
          .get(c)
          .ifPresent(
              s -> {
                whisker(centers.get(category), s.low(), s.high());
                dot(series, category, s, centers.get(category));
              });
    }
  }

  private void dot(Series series, int category, Spread s, double x) {
    svg.open(
            "circle",
            "cx",
            x,
            "cy",
            y.at(s.median()),
            "r",
            3.5,
            "style",
            color(series),
            "class",
            "dot " + form(series))
        .element("title", tip(series, category, s))
        .close("circle");
  }
}
