package org.braid.experiment.file;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.braid.experiment.Axis;
import org.braid.experiment.Chart;
import org.braid.experiment.Claim;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.PaperFigure;
import org.braid.experiment.Place;
import org.braid.experiment.Quantity;
import org.braid.experiment.Reference;
import org.braid.experiment.file.Node.Kind;
import org.braid.experiment.run.OtherResults;

/** Reads what is said about results: claims, the paper's figures, charts. */
final class Judgements {
  private static final List<String> CLAIM =
      keys("claim", "system", "at", "paper", "measured", "goal");
  private static final List<String> FIGURE = keys("system", "at", "along", "values", "value");
  private static final List<String> CHART = keys("kind", "title", "x", "systems", "at");

  private final Terms terms;
  private final Path results;

  /**
   * Judgements in some terms.
   *
   * @param results the directory below which the results of other experiments are
   */
  Judgements(Terms terms, Path results) {
    this.terms = terms;
    this.results = results;
  }

  private static List<String> keys(String... own) {
    return Stream.concat(Stream.of(own), Terms.QUANTITY.stream()).toList();
  }

  List<Claim> claims(Node list) throws ExperimentException {
    list.as(Kind.LIST, "claims", "a line that starts with \"- claim:\" for each");
    List<Claim> claims = new ArrayList<>();
    for (Node node : list.items()) {
      claims.add(claim(Fields.of(node, "a claim", CLAIM)));
    }
    return claims;
  }

  private Claim claim(Fields fields) throws ExperimentException {
    String text = fields.text("claim", "claim: one sentence");
    Quantity quantity = terms.quantity(fields);
    String system = terms.system(fields);
    OptionalDouble paper = OptionalDouble.empty();
    if (fields.optional("paper").isPresent()) {
      paper =
          OptionalDouble.of(
              Goals.number(fields.text("paper", "paper: 0.59"), "paper", fields.place("paper")));
    }
    Optional<Reference> reference = References.of(fields);
    if (reference.isPresent()) {
      paper = OtherResults.median(results, reference.get());
    }
    Claim.Bound bound = bound(fields, reference, paper);
    Map<String, String> at = at(fields);
    String free = "";
    if (bound instanceof Claim.Trend trend) {
      free = terms.axis(trend.axis(), fields.place("goal")).name();
      if (at.containsKey(free)) {
        throw fields
            .place("at")
            .wrong(
                "the claim follows axis %s, so it cannot be at one %s: remove it from at"
                    .formatted(free, free));
      }
    }
    terms.complete(at, free, fields.place(), "the claim");
    return new Claim(text, quantity, system, at, paper, reference, bound, fields.place());
  }

  private static Claim.Bound bound(
      Fields fields, Optional<Reference> reference, OptionalDouble paper)
      throws ExperimentException {
    String goal = fields.text("goal", Goals.EXAMPLE);
    if (reference.isEmpty() || paper.isPresent()) {
      return Goals.parse(goal, paper, fields.place("goal"));
    }
    // What is wrong with it is told all the same, whatever will be measured.
    Goals.parse(goal, OptionalDouble.of(1), fields.place("goal"));
    Reference missing = reference.get();
    return new Claim.Unknown(
        goal,
        "no results of %s: ./braid %s run %s --out %s"
            .formatted(
                missing.origin(), missing.engine(), missing.experiment(), Experiments.DIRECTORY));
  }

  private Map<String, String> at(Fields fields) throws ExperimentException {
    Optional<Node> at = fields.optional("at");
    return at.isPresent() ? terms.point(at.get(), "at") : Map.of();
  }

  List<PaperFigure> figures(Node list) throws ExperimentException {
    list.as(Kind.LIST, "figures", "a line that starts with \"- measure:\" for each");
    List<PaperFigure> figures = new ArrayList<>();
    for (Node node : list.items()) {
      Fields fields = Fields.of(node, "a figure", FIGURE);
      figures.addAll(figure(fields));
    }
    return figures;
  }

  private List<PaperFigure> figure(Fields fields) throws ExperimentException {
    Quantity quantity = terms.quantity(fields);
    String system = terms.system(fields);
    Map<String, String> at = at(fields);
    if (fields.optional("along").isEmpty()) {
      terms.complete(at, "", fields.place(), "the figure");
      return List.of(
          new PaperFigure(quantity, system, at, number(fields.required("value", "value: 0.59"))));
    }
    Axis axis = terms.axis(fields.text("along", "along: code"), fields.place("along"));
    terms.complete(at, axis.name(), fields.place(), "the figure");
    Node values =
        fields
            .required("values", "values: {%s: 0.5}".formatted(axis.values().get(0)))
            .as(Kind.MAP, "values", "values: {%s: 0.5}".formatted(axis.values().get(0)));
    List<PaperFigure> figures = new ArrayList<>();
    for (Map.Entry<String, Node.Entry> entry : values.entries().entrySet()) {
      Map<String, String> point = new HashMap<>(at);
      Place place = entry.getValue().place();
      point.put(axis.name(), terms.valueOf(axis, entry.getKey(), place));
      figures.add(new PaperFigure(quantity, system, point, number(entry.getValue().value())));
    }
    return figures;
  }

  private static double number(Node node) throws ExperimentException {
    node.as(Kind.TEXT, "a figure", "a number");
    return Goals.number(node.text(), "a figure", node.place());
  }

  List<Chart> charts(Node list) throws ExperimentException {
    list.as(Kind.LIST, "charts", "a line that starts with \"- kind:\" for each");
    List<Chart> charts = new ArrayList<>();
    for (Node node : list.items()) {
      charts.add(chart(Fields.of(node, "a chart", CHART)));
    }
    return charts;
  }

  private Chart chart(Fields fields) throws ExperimentException {
    Quantity quantity = terms.quantity(fields);
    Chart.Kind kind = fields.choice("kind", Chart.Kind.class, Chart.Kind.BARS);
    String x = fields.text("x", "x: code", "");
    if (!x.isEmpty()) {
      terms.axis(x, fields.place("x"));
    } else if (kind == Chart.Kind.LINES) {
      throw fields.place().wrong("lines go along an axis: write x: AXIS");
    }
    List<String> systems = terms.systemNames();
    Optional<Node> chosen = fields.optional("systems");
    if (chosen.isPresent()) {
      systems = chosen.get().texts("systems", "systems: [" + systems.get(0) + "]");
      for (String system : systems) {
        Terms.known(system, "system", terms.systemNames(), chosen.get().place());
      }
    }
    Map<String, String> at = at(fields);
    if (at.containsKey(x)) {
      throw fields.place("at").wrong("the chart goes along %s: remove it from at".formatted(x));
    }
    return new Chart(kind, fields.text("title", "title: ...", ""), quantity, x, systems, at);
  }

  /** A chart for each quantity that is claimed; of the first measure when nothing is. */
  List<Chart> charts(List<Claim> claims) {
    List<Quantity> quantities =
        claims.isEmpty()
            ? List.of(
                new Quantity(
                    terms.measures().get(0).name(), Quantity.Form.VALUE, Quantity.Against.NOTHING))
            : claims.stream()
                .map(
                    c ->
                        new Quantity(
                            c.quantity().measure(), Quantity.Form.VALUE, Quantity.Against.NOTHING))
                .distinct()
                .toList();
    Optional<Axis> x = terms.axes().stream().findFirst();
    Chart.Kind kind =
        x.isPresent() && x.get().values().stream().allMatch(Judgements::isNumber)
            ? Chart.Kind.LINES
            : Chart.Kind.BARS;
    return quantities.stream()
        .map(
            q ->
                new Chart(kind, "", q, x.map(Axis::name).orElse(""), terms.systemNames(), Map.of()))
        .toList();
  }

  private static boolean isNumber(String text) {
    return text.matches("-?[0-9]{1,12}(\\.[0-9]{1,12})?");
  }
}
