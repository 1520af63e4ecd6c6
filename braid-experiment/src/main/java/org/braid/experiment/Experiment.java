package org.braid.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An experiment: the compared systems, the points, the repetitions and the claims.
 *
 * @param id for example {@code ppr/fig7a}
 * @param title its title in charts and lists
 * @param about a short description; may be empty
 * @param source the part of a paper that it repeats, for example {@code PPR, fig. 7a}; empty for
 *     our own experiments
 * @param engine the engine that runs it, for example {@code lab}
 * @param workload name of the workload
 * @param seed of all randomness
 * @param repetitions of each point and system
 * @param settings of the workload that neither axis nor system changes; its defaults included
 * @param axes the varied settings; every combination of their values is a point
 * @param systems the compared systems, at least one
 * @param figures the figures of the paper
 * @param claims the claims about the results
 * @param charts the charts to draw
 */
public record Experiment(
    String id,
    String title,
    String about,
    String source,
    String engine,
    String workload,
    long seed,
    int repetitions,
    WorkloadSettings settings,
    List<Axis> axes,
    List<ComparedSystem> systems,
    List<PaperFigure> figures,
    List<Claim> claims,
    List<Chart> charts) {
  public Experiment {
    axes = List.copyOf(axes);
    systems = List.copyOf(systems);
    figures = List.copyOf(figures);
    claims = List.copyOf(claims);
    charts = List.copyOf(charts);
  }

  /** The same experiment with another extent. */
  public Experiment with(
      long seed,
      int repetitions,
      WorkloadSettings settings,
      List<Axis> axes,
      List<ComparedSystem> systems) {
    return new Experiment(
        id,
        title,
        about,
        source,
        engine,
        workload,
        seed,
        repetitions,
        settings,
        axes,
        systems,
        figures,
        claims,
        charts);
  }

  /** Every combination of the axes' values, the last axis fastest; one empty point without axes. */
  public List<Map<String, String>> points() {
    List<Map<String, String>> points = List.of(Map.of());
    for (Axis axis : axes) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> point : points) {
        for (String value : axis.values()) {
          Map<String, String> next = new LinkedHashMap<>(point);
          next.put(axis.name(), value);
          longer.add(next);
        }
      }
      points = longer;
    }
    return points;
  }

  /** Every setting of a system at a point. */
  public WorkloadSettings settings(Map<String, String> point, ComparedSystem system)
      throws ExperimentException {
    Map<String, WorkloadSettings.Value> values = new LinkedHashMap<>(system.settings());
    for (Axis axis : axes) {
      String value = point.get(axis.name());
      if (value != null) {
        values.put(axis.name(), new WorkloadSettings.Value(value, axis.location()));
      }
    }
    return settings.with(values);
  }

  /** The settings that neither axis nor every system changes: what all trials have in common. */
  public WorkloadSettings common() {
    Set<String> changed = new LinkedHashSet<>();
    axes.forEach(axis -> changed.add(axis.name()));
    settings.values().keySet().stream()
        .filter(key -> systems.stream().allMatch(system -> system.settings().containsKey(key)))
        .forEach(changed::add);
    return settings.without(changed);
  }

  /** How many trials a whole run has. */
  public int trials() {
    return points().size() * systems.size() * repetitions;
  }

  /** The system of a name; it must be one of them. */
  public ComparedSystem system(String name) {
    return systems.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }
}
