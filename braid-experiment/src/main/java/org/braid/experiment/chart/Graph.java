package org.braid.experiment.chart;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.braid.experiment.Axis;
import org.braid.experiment.Chart;
import org.braid.experiment.Experiment;
import org.braid.experiment.PaperFigure;
import org.braid.experiment.Quantity;
import org.braid.experiment.Spread;
import org.braid.experiment.judge.FigureText;
import org.braid.experiment.judge.Findings;

/**
 * A chart with its figures.
 *
 * @param title the title of the chart
 * @param x the label of the horizontal axis; empty when systems are side by side
 * @param y the label of the vertical axis, with its unit
 * @param categories the labels along x, in order
 * @param series each with a value, or none, for each category
 */
public record Graph(
    Chart.Kind kind,
    String title,
    String x,
    String y,
    Quantity quantity,
    List<String> categories,
    List<Series> series) {
  /** The origin of figures. */
  public enum Origin {
    OURS,
    PAPER
  }

  /**
   * Figures of one kind.
   *
   * @param color the number of the colour; our figures and the paper's of one system share it
   */
  public record Series(String name, int color, Origin origin, List<Optional<Spread>> values) {
    public Series {
      values = List.copyOf(values);
    }
  }

  public Graph {
    categories = List.copyOf(categories);
    series = List.copyOf(series);
  }

  /** All charts of an experiment that have something to show. */
  public static List<Graph> of(Findings findings) {
    return findings.experiment().charts().stream()
        .map(chart -> of(chart, findings))
        .filter(graph -> !graph.series().isEmpty())
        .toList();
  }

  private static Graph of(Chart chart, Findings findings) {
    List<Map<String, String>> fixed = fixed(chart, findings.experiment());
    List<Series> series =
        chart.x().isEmpty() ? bySystem(chart, fixed, findings) : alongAxis(chart, fixed, findings);
    String y = findings.words().name(chart.quantity());
    String at = chart.at().isEmpty() ? "" : " at " + FigureText.point(chart.at());
    return new Graph(
        chart.kind(),
        chart.title().isEmpty() ? y + at : chart.title(),
        chart.x(),
        y,
        chart.quantity(),
        chart.x().isEmpty()
            ? systems(chart, findings).stream().map(findings.words()::label).toList()
            : axis(chart.x(), findings.experiment()).values(),
        series.stream().filter(s -> s.values().stream().anyMatch(Optional::isPresent)).toList());
  }

  /** The points that a chart shows, without its x. */
  private static List<Map<String, String>> fixed(Chart chart, Experiment experiment) {
    return experiment.points().stream()
        .filter(point -> point.entrySet().containsAll(chart.at().entrySet()))
        .map(
            point -> {
              Map<String, String> rest = new LinkedHashMap<>(point);
              rest.remove(chart.x());
              return rest;
            })
        .distinct()
        .toList();
  }

  private static List<String> systems(Chart chart, Findings findings) {
    return chart.systems().stream()
        .filter(
            name -> findings.experiment().systems().stream().anyMatch(s -> s.name().equals(name)))
        .toList();
  }

  private static Axis axis(String name, Experiment experiment) {
    return experiment.axes().stream().filter(a -> a.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<Series> alongAxis(
      Chart chart, List<Map<String, String>> fixed, Findings findings) {
    List<Series> series = new ArrayList<>();
    List<String> values = axis(chart.x(), findings.experiment()).values();
    List<String> systems = systems(chart, findings);
    for (Map<String, String> rest : fixed) {
      for (String system : systems) {
        List<Map<String, String>> points =
            values.stream()
                .map(
                    value -> {
                      Map<String, String> point = new HashMap<>(rest);
                      point.put(chart.x(), value);
                      return point;
                    })
                .toList();
        String name = name(findings.words().label(system), rest, chart, fixed.size());
        int color =
            fixed.size() == 1
                ? findings.experiment().systems().indexOf(findings.experiment().system(system))
                : fixed.indexOf(rest) * systems.size() + systems.indexOf(system);
        series.add(
            new Series(
                name,
                color,
                Origin.OURS,
                points.stream()
                    .map(p -> findings.analysis().spread(chart.quantity(), system, p))
                    .toList()));
        series.add(
            new Series(
                "paper: " + name,
                color,
                Origin.PAPER,
                points.stream().map(p -> paper(chart, system, p, findings.experiment())).toList()));
      }
    }
    return series;
  }

  private static List<Series> bySystem(
      Chart chart, List<Map<String, String>> fixed, Findings findings) {
    List<Series> series = new ArrayList<>();
    List<String> systems = systems(chart, findings);
    for (int i = 0; i < fixed.size(); i++) {
      Map<String, String> point = fixed.get(i);
      String name = fixed.size() == 1 ? "ours" : name("", point, chart, fixed.size());
      series.add(
          new Series(
              name,
              i,
              Origin.OURS,
              systems.stream()
                  .map(s -> findings.analysis().spread(chart.quantity(), s, point))
                  .toList()));
      series.add(
          new Series(
              fixed.size() == 1 ? "paper" : "paper: " + name,
              i,
              Origin.PAPER,
              systems.stream().map(s -> paper(chart, s, point, findings.experiment())).toList()));
    }
    return series;
  }

  /** The name of a system, with the values of its point if there are several points. */
  private static String name(String system, Map<String, String> rest, Chart chart, int points) {
    if (points == 1) {
      return system;
    }
    String values =
        rest.entrySet().stream()
            .filter(entry -> !chart.at().containsKey(entry.getKey()))
            .map(Map.Entry::getValue)
            .collect(Collectors.joining(" "));
    return system.isEmpty() ? values : system + " " + values;
  }

  private static Optional<Spread> paper(
      Chart chart, String system, Map<String, String> point, Experiment experiment) {
    return experiment.figures().stream()
        .filter(figure -> figure.quantity().equals(chart.quantity()))
        .filter(figure -> figure.system().equals(system) && figure.at().equals(point))
        .map(PaperFigure::value)
        .findFirst()
        .map(value -> Spread.of(List.of(value)));
  }
}
