package org.braid.experiment.file;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.experiment.Axis;
import org.braid.experiment.Chart;
import org.braid.experiment.Claim;
import org.braid.experiment.Contender;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.PaperFigure;
import org.braid.experiment.Settings;
import org.braid.experiment.Workload;
import org.braid.experiment.Workloads;
import org.braid.experiment.file.Node.Kind;
import org.braid.experiment.text.Near;

/** Reads an experiment's file for one engine; what is wrong is told with file and line. */
final class ExperimentReader {
  static final String LABEL = "label";

  private static final List<String> TOP =
      List.of(
          "title",
          "about",
          "source",
          "engine",
          "workload",
          "seed",
          "repetitions",
          "settings",
          "axes",
          "systems",
          "figures",
          "claims",
          "charts",
          "quick");
  private static final List<String> QUICK = List.of("repetitions", "settings", "axes", "systems");
  private static final String AXES = "axes: {code: [rs-6-3, rs-12-4]}";
  private static final String SYSTEMS = "systems: {star: {shape: star}, ppr: {shape: ppr}}";
  private static final int MOST_REPETITIONS = 100_000;

  private final Workloads workloads;
  private final String id;
  private final Path results;

  /**
   * A reader of an experiment.
   *
   * @param results the directory below which the results of other experiments are
   */
  ExperimentReader(Workloads workloads, String id, Path results) {
    this.workloads = workloads;
    this.id = id;
    this.results = results;
  }

  /** The engines that a file is for. */
  static List<String> engines(Node file) throws ExperimentException {
    Fields fields = Fields.of(file, "an experiment", TOP);
    List<String> engines = fields.required("engine", "engine: sim").texts("engine", "engine: sim");
    if (engines.isEmpty()) {
      throw fields.place("engine").wrong("engine has no value: write engine: sim");
    }
    return engines;
  }

  Experiment read(Path path, String shown, Overrides overrides) throws ExperimentException {
    return read(Tree.read(path, shown), overrides);
  }

  Experiment read(Node file, Overrides overrides) throws ExperimentException {
    List<String> engines = engines(file);
    Fields fields = Fields.of(file, "an experiment", TOP);
    if (!engines.contains(workloads.engine())) {
      throw fields
          .place("engine")
          .wrong(
              "is for engine %s: run it with ./braid %s run %s"
                  .formatted(String.join(", ", engines), engines.get(0), id));
    }
    Workload workload = workload(fields);
    Settings defaults = Settings.defaults(workload);
    Map<String, Settings.Value> fixed = settings(fields, "settings");
    List<Axis> axes = axes(fields, 2);
    List<Contender> systems = systems(fields);
    check(defaults, fixed, axes, systems);
    Terms terms = new Terms(workload.measures(), systems, axes);
    Judgements judgements = new Judgements(terms, results);
    Optional<Node> figures = fields.optional("figures");
    Optional<Node> claimed = fields.optional("claims");
    Optional<Node> drawn = fields.optional("charts");
    List<Claim> claims = claimed.isPresent() ? judgements.claims(claimed.get()) : List.of();
    List<PaperFigure> given = figures.isPresent() ? judgements.figures(figures.get()) : List.of();
    List<Chart> charts =
        drawn.isPresent() ? judgements.charts(drawn.get()) : judgements.charts(claims);
    Experiment full =
        new Experiment(
            id,
            fields.text("title", "title: what is compared"),
            fields.text("about", "about: a sentence", ""),
            fields.text("source", "source: PPR, fig. 7a", ""),
            workloads.engine(),
            workload.name(),
            fields.whole("seed", 0, Long.MAX_VALUE, 1),
            (int) fields.whole("repetitions", 1, MOST_REPETITIONS, 3),
            defaults.with(fixed),
            axes,
            systems,
            given,
            claims,
            charts,
            fields.place());
    Optional<Node> quick = fields.optional("quick");
    Experiment smaller = quick.isPresent() ? quick(full, quick.get()) : full;
    return overrides.applyTo(overrides.size() == Overrides.Size.QUICK ? smaller : full);
  }

  private Workload workload(Fields fields) throws ExperimentException {
    String name = fields.text("workload", "workload: " + String.join(" or ", workloads.names()));
    Optional<Workload> workload = workloads.named(name);
    if (workload.isEmpty()) {
      throw fields
          .place("workload")
          .wrong(
              "unknown workload \"%s\" of engine %s%s"
                  .formatted(name, workloads.engine(), Near.hint(name, workloads.names())));
    }
    return workload.get();
  }

  private static Map<String, Settings.Value> settings(Fields fields, String key)
      throws ExperimentException {
    Optional<Node> node = fields.optional(key);
    return node.isPresent() ? values(node.get(), key) : Map.of();
  }

  private static Map<String, Settings.Value> values(Node node, String key)
      throws ExperimentException {
    node.as(Kind.MAP, key, key + ": {name: value}");
    Map<String, Settings.Value> values = new LinkedHashMap<>();
    for (Map.Entry<String, Node.Entry> entry : node.entries().entrySet()) {
      Node.Entry at = entry.getValue();
      String name = entry.getKey();
      if (at.value().kind() == Kind.LIST) {
        String words = String.join(" ", at.value().texts(name, name + ": a b"));
        values.put(name, new Settings.Value(words, at.place()));
        continue;
      }
      at.value().as(Kind.TEXT, name, name + ": VALUE");
      values.put(name, new Settings.Value(at.value().text(), at.place()));
    }
    return values;
  }

  private static List<Axis> axes(Fields fields, int fewest) throws ExperimentException {
    Optional<Node> node = fields.optional("axes");
    if (node.isEmpty()) {
      return List.of();
    }
    node.get().as(Kind.MAP, "axes", AXES);
    if (node.get().entries().isEmpty()) {
      throw fields.place("axes").wrong("axes vary nothing: write " + AXES + " or remove the line");
    }
    List<Axis> axes = new ArrayList<>();
    for (Map.Entry<String, Node.Entry> entry : node.get().entries().entrySet()) {
      Node.Entry at = entry.getValue();
      List<String> values = at.value().texts(entry.getKey(), AXES);
      if (values.size() < fewest) {
        throw at.place()
            .wrong(
                "axis %s has %d value%s, so nothing varies: give two or more, or move it to settings"
                    .formatted(entry.getKey(), values.size(), values.size() == 1 ? "" : "s"));
      }
      for (int i = 0; i < values.size(); i++) {
        if (values.indexOf(values.get(i)) < i) {
          throw at.place()
              .wrong("axis %s has %s twice: remove one".formatted(entry.getKey(), values.get(i)));
        }
      }
      axes.add(new Axis(entry.getKey(), values, at.place()));
    }
    return axes;
  }

  private static List<Contender> systems(Fields fields) throws ExperimentException {
    Node node = fields.required("systems", SYSTEMS);
    List<Contender> systems = new ArrayList<>();
    if (node.kind() == Kind.LIST || node.kind() == Kind.TEXT) {
      for (String name : new LinkedHashSet<>(node.texts("systems", SYSTEMS))) {
        systems.add(new Contender(name, name, Map.of(), node.place()));
      }
    } else {
      node.as(Kind.MAP, "systems", SYSTEMS);
      for (Map.Entry<String, Node.Entry> entry : node.entries().entrySet()) {
        systems.add(contender(entry.getKey(), entry.getValue()));
      }
    }
    if (systems.isEmpty()) {
      throw fields.place("systems").wrong("systems compare nothing: write " + SYSTEMS);
    }
    return systems;
  }

  private static Contender contender(String name, Node.Entry at) throws ExperimentException {
    if (at.value().kind() == Kind.NOTHING) {
      return new Contender(name, name, Map.of(), at.place());
    }
    Map<String, Settings.Value> values = new LinkedHashMap<>(values(at.value(), "system " + name));
    Settings.Value label = values.remove(LABEL);
    return new Contender(name, label == null ? name : label.text(), values, at.place());
  }

  /** Every setting is known and has one place. */
  private static void check(
      Settings defaults,
      Map<String, Settings.Value> fixed,
      List<Axis> axes,
      List<Contender> systems)
      throws ExperimentException {
    defaults.refuseUnknown(fixed);
    for (Axis axis : axes) {
      defaults.refuseUnknown(
          Map.of(axis.name(), new Settings.Value(axis.values().get(0), axis.place())));
      if (fixed.containsKey(axis.name())) {
        throw axis.place()
            .wrong(
                "%s is an axis, and line %d sets it: remove one"
                    .formatted(axis.name(), fixed.get(axis.name()).place().line()));
      }
    }
    for (Contender system : systems) {
      defaults.refuseUnknown(system.settings());
      for (Axis axis : axes) {
        Settings.Value own = system.settings().get(axis.name());
        if (own != null) {
          throw own.place()
              .wrong(
                  "%s is an axis, and system %s sets it: remove one"
                      .formatted(axis.name(), system.name()));
        }
      }
    }
  }

  private static Experiment quick(Experiment full, Node node) throws ExperimentException {
    Fields fields = Fields.of(node, "quick", QUICK);
    List<Axis> smaller = axes(fields, 1);
    List<Axis> axes = new ArrayList<>();
    for (Axis axis : smaller) {
      Terms.known(axis.name(), "axis", full.axes().stream().map(Axis::name).toList(), axis.place());
    }
    for (Axis axis : full.axes()) {
      axes.add(smaller.stream().filter(a -> a.name().equals(axis.name())).findFirst().orElse(axis));
    }
    List<String> names = full.systems().stream().map(Contender::name).toList();
    Optional<Node> chosen = fields.optional("systems");
    if (chosen.isPresent()) {
      List<String> fewer = chosen.get().texts("systems", "systems: [" + names.get(0) + "]");
      for (String name : fewer) {
        Terms.known(name, "system", names, chosen.get().place());
      }
      names = fewer;
    }
    List<String> kept = names;
    return new Experiment(
        full.id(),
        full.title(),
        full.about(),
        full.source(),
        full.engine(),
        full.workload(),
        full.seed(),
        (int) fields.whole("repetitions", 1, MOST_REPETITIONS, 1),
        full.settings().with(settings(fields, "settings")),
        axes,
        full.systems().stream().filter(system -> kept.contains(system.name())).toList(),
        full.figures(),
        full.claims(),
        full.charts(),
        full.place());
  }
}
