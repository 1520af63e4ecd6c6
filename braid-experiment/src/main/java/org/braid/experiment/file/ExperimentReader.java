package org.braid.experiment.file;

import static org.braid.experiment.file.ExperimentFile.all;
import static org.braid.experiment.file.ExperimentFile.required;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.braid.experiment.Axis;
import org.braid.experiment.Chart;
import org.braid.experiment.Claim;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.PaperFigure;
import org.braid.experiment.Workload;
import org.braid.experiment.WorkloadSettings;
import org.braid.experiment.Workloads;
import org.braid.experiment.file.ExperimentFile.ChartEntry;
import org.braid.experiment.file.ExperimentFile.ClaimEntry;
import org.braid.experiment.file.ExperimentFile.FigureEntry;
import org.braid.experiment.file.ExperimentFile.QuickEntry;
import org.braid.experiment.text.Suggestions;
import org.jspecify.annotations.Nullable;

/**
 * Creates an experiment from its file for one engine.
 *
 * @param id of the experiment
 * @param results the directory below which the results of other experiments are
 */
record ExperimentReader(Workloads workloads, String id, Path results) {
  private static final String LABEL = "label";
  private static final int MOST_REPETITIONS = 100_000;

  /** The engines that a file is for. */
  static List<String> engines(YamlFile<ExperimentFile> file) throws ExperimentException {
    List<String> engines = required(file.value().engine(), file.root(), "engine: sim");
    if (engines.isEmpty()) {
      throw file.root().at("engine").wrong("engine has no value: write engine: sim");
    }
    return engines;
  }

  Experiment read(YamlFile<ExperimentFile> yaml, Overrides overrides) throws ExperimentException {
    ExperimentFile file = yaml.value();
    YamlPath root = yaml.root();
    List<String> engines = engines(yaml);
    if (!engines.contains(workloads.engine())) {
      throw root.at("engine")
          .wrong(
              "is for engine %s: run it with ./braid %s run %s"
                  .formatted(String.join(", ", engines), engines.get(0), id));
    }
    Workload workload = workload(file, root);
    WorkloadSettings defaults = WorkloadSettings.defaults(workload);
    Map<String, WorkloadSettings.Value> fixed = settings(file.settings(), root.at("settings"));
    List<Axis> axes = axes(file.axes(), 2, root.at("axes"));
    List<ComparedSystem> systems = systems(file, root);
    check(defaults, fixed, axes, systems);
    WorkloadSettings settings = defaults.with(fixed);
    KnownNames names = new KnownNames(workload.measures(), systems, axes);
    ClaimReader claimReader = new ClaimReader(names, settings, results);
    List<Claim> claims = new ArrayList<>();
    for (ClaimEntry claim : all(file.claims())) {
      claims.add(claimReader.claim(claim, root.at("claims").at(claims.size())));
    }
    List<PaperFigure> figures = new ArrayList<>();
    List<FigureEntry> given = all(file.figures());
    for (int i = 0; i < given.size(); i++) {
      figures.addAll(claimReader.figures(given.get(i), root.at("figures").at(i)));
    }
    ChartReader chartReader = new ChartReader(names);
    List<Chart> charts = new ArrayList<>();
    for (ChartEntry chart : all(file.charts())) {
      charts.add(chartReader.chart(chart, root.at("charts").at(charts.size())));
    }
    Experiment full =
        new Experiment(
            id,
            required(file.title(), root, "title: what is compared"),
            Objects.requireNonNullElse(file.about(), ""),
            Objects.requireNonNullElse(file.source(), ""),
            workloads.engine(),
            workload.name(),
            whole(file.seed(), 0, Long.MAX_VALUE, 1, root.at("seed")),
            repetitions(file.repetitions(), 3, root),
            settings,
            axes,
            systems,
            figures,
            claims,
            file.charts() == null ? chartReader.charts(claims) : charts);
    Experiment smaller = file.quick() == null ? full : quick(full, file.quick(), root.at("quick"));
    return overrides.applyTo(overrides.size() == Overrides.Size.QUICK ? smaller : full);
  }

  private Workload workload(ExperimentFile file, YamlPath root) throws ExperimentException {
    String name =
        required(file.workload(), root, "workload: " + String.join(" or ", workloads.names()));
    return workloads
        .named(name)
        .orElseThrow(
            () ->
                root.at("workload")
                    .wrong(
                        "unknown workload \"%s\" of engine %s%s"
                            .formatted(
                                name,
                                workloads.engine(),
                                Suggestions.hint(name, workloads.names()))));
  }

  private static int repetitions(@Nullable Long number, int otherwise, YamlPath parent)
      throws ExperimentException {
    return (int) whole(number, 1, MOST_REPETITIONS, otherwise, parent.at("repetitions"));
  }

  private static long whole(
      @Nullable Long number, long least, long most, long otherwise, YamlPath path)
      throws ExperimentException {
    long value = number == null ? otherwise : number;
    if (value < least || value > most) {
      throw path.wrong("%d is not from %d to %d".formatted(value, least, most));
    }
    return value;
  }

  /** Lists become words with blanks between. */
  private static Map<String, WorkloadSettings.Value> settings(
      @Nullable Map<String, List<String>> entries, YamlPath path) {
    Map<String, WorkloadSettings.Value> values = new LinkedHashMap<>();
    all(entries)
        .forEach(
            (name, words) ->
                values.put(
                    name,
                    new WorkloadSettings.Value(String.join(" ", words), path.at(name).location())));
    return values;
  }

  private static List<Axis> axes(
      @Nullable Map<String, List<String>> entries, int fewest, YamlPath path)
      throws ExperimentException {
    List<Axis> axes = new ArrayList<>();
    for (Map.Entry<String, List<String>> entry : all(entries).entrySet()) {
      Axis axis = new Axis(entry.getKey(), entry.getValue(), path.at(entry.getKey()).location());
      List<String> values = axis.values();
      if (values.size() < fewest) {
        throw axis.location()
            .wrong(
                "axis %s has %d value%s, so nothing varies: give two or more, or move it to settings"
                    .formatted(axis.name(), values.size(), values.size() == 1 ? "" : "s"));
      }
      Set<String> seen = new HashSet<>();
      for (String value : values) {
        if (!seen.add(value)) {
          throw axis.location()
              .wrong("axis %s has %s twice: remove one".formatted(axis.name(), value));
        }
      }
      axes.add(axis);
    }
    return axes;
  }

  private static List<ComparedSystem> systems(ExperimentFile file, YamlPath root)
      throws ExperimentException {
    String line = "systems: {star: {shape: star}, ppr: {shape: ppr}}";
    YamlPath path = root.at("systems");
    List<ComparedSystem> systems = new ArrayList<>();
    required(file.systems(), root, line)
        .settings()
        .forEach(
            (name, own) -> {
              Map<String, WorkloadSettings.Value> values = settings(own, path.at(name));
              WorkloadSettings.Value label = values.remove(LABEL);
              systems.add(new ComparedSystem(name, label == null ? name : label.text(), values));
            });
    if (systems.isEmpty()) {
      throw path.wrong("systems compare nothing: write " + line);
    }
    return systems;
  }

  /** Refuses settings that are unknown or given twice. */
  private static void check(
      WorkloadSettings defaults,
      Map<String, WorkloadSettings.Value> fixed,
      List<Axis> axes,
      List<ComparedSystem> systems)
      throws ExperimentException {
    defaults.refuseUnknown(fixed);
    for (Axis axis : axes) {
      defaults.refuseUnknown(
          Map.of(axis.name(), new WorkloadSettings.Value(axis.values().get(0), axis.location())));
      if (fixed.containsKey(axis.name())) {
        throw axis.location()
            .wrong(
                "%s is an axis, and line %d sets it: remove one"
                    .formatted(axis.name(), fixed.get(axis.name()).location().line()));
      }
    }
    for (ComparedSystem system : systems) {
      defaults.refuseUnknown(system.settings());
      for (Axis axis : axes) {
        WorkloadSettings.Value own = system.settings().get(axis.name());
        if (own != null) {
          throw own.location()
              .wrong(
                  "%s is an axis, and system %s sets it: remove one"
                      .formatted(axis.name(), system.name()));
        }
      }
    }
  }

  private static Experiment quick(Experiment full, QuickEntry quick, YamlPath path)
      throws ExperimentException {
    List<Axis> axes = new ArrayList<>(full.axes());
    List<String> names = full.axes().stream().map(Axis::name).toList();
    for (Axis axis : axes(quick.axes(), 1, path.at("axes"))) {
      KnownNames.known(axis.name(), "axis", names, axis.location());
      axes.set(names.indexOf(axis.name()), axis);
    }
    List<String> known = full.systems().stream().map(ComparedSystem::name).toList();
    List<String> kept = Objects.requireNonNullElse(quick.systems(), known);
    for (String name : kept) {
      KnownNames.known(name, "system", known, path.at("systems"));
    }
    return full.with(
        full.seed(),
        repetitions(quick.repetitions(), 1, path),
        full.settings().with(settings(quick.settings(), path.at("settings"))),
        axes,
        full.systems().stream().filter(system -> kept.contains(system.name())).toList());
  }
}
