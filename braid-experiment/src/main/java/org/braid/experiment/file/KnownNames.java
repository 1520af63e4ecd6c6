package org.braid.experiment.file;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.braid.experiment.Axis;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Quantity;
import org.braid.experiment.Quantity.Against;
import org.braid.experiment.Quantity.Form;
import org.braid.experiment.SourceLocation;
import org.braid.experiment.file.ExperimentFile.QuantityEntry;
import org.braid.experiment.text.Suggestions;
import org.jspecify.annotations.Nullable;

/** The names that claims, figures and charts may use: measures, systems and axes. */
record KnownNames(List<Measure> measures, List<ComparedSystem> systems, List<Axis> axes) {
  List<String> systemNames() {
    return systems.stream().map(ComparedSystem::name).toList();
  }

  private List<String> measureNames() {
    return measures.stream().map(Measure::name).toList();
  }

  /**
   * A system by its key; when there is only one, that.
   *
   * @param parent of the key
   */
  String system(@Nullable String system, YamlPath parent) throws ExperimentException {
    List<String> names = systemNames();
    if (names.size() == 1 && system == null) {
      return names.get(0);
    }
    return known(
        ExperimentFile.required(system, parent, "system: " + names.get(0)),
        "system",
        names,
        parent.at("system"));
  }

  /** The unit of a measure that is known. */
  String unit(String measure) {
    return measures.stream()
        .filter(m -> m.name().equals(measure))
        .map(Measure::unit)
        .findFirst()
        .orElseThrow();
  }

  Quantity quantity(QuantityEntry entry, YamlPath parent) throws ExperimentException {
    List<String> names = measureNames();
    String measure =
        known(
            ExperimentFile.required(entry.measure(), parent, "measure: " + names.get(0)),
            "measure",
            names,
            parent.at("measure"));
    Form form = Objects.requireNonNullElse(entry.of(), Form.VALUE);
    boolean compared =
        entry.against() != null || entry.againstAt() != null || entry.againstMeasure() != null;
    if (compared != (form != Form.VALUE)) {
      throw parent.wrong(
          compared
              ? "against needs to know how: write of: ratio, gain or reduction"
              : "of: %s needs something to compare with: write against: SYSTEM"
                  .formatted(form.text()));
    }
    return new Quantity(
        measure,
        form,
        new Against(
            entry.against() == null
                ? ""
                : known(entry.against(), "system", systemNames(), parent.at("against")),
            point(entry.againstAt(), parent.at("against-at")),
            entry.againstMeasure() == null
                ? ""
                : known(entry.againstMeasure(), "measure", names, parent.at("against-measure"))));
  }

  /** Values of some axes. */
  Map<String, String> point(@Nullable Map<String, String> point, YamlPath path)
      throws ExperimentException {
    for (Map.Entry<String, String> entry : ExperimentFile.all(point).entrySet()) {
      YamlPath at = path.at(entry.getKey());
      axisValue(axis(entry.getKey(), at), entry.getValue(), at);
    }
    return ExperimentFile.all(point);
  }

  /** An axis by its name. */
  Axis axis(String name, YamlPath path) throws ExperimentException {
    if (axes.isEmpty()) {
      throw path.wrong(
          "\"%s\" is not varied, nothing is: add it to axes with two values or more"
              .formatted(name));
    }
    known(name, "axis", axes.stream().map(Axis::name).toList(), path);
    return axes.stream().filter(axis -> axis.name().equals(name)).findFirst().orElseThrow();
  }

  static String axisValue(Axis axis, String value, YamlPath path) throws ExperimentException {
    return known(value, "value of axis " + axis.name() + ":", axis.values(), path);
  }

  /** Refuses a point that leaves an axis open. */
  void complete(Map<String, String> at, String free, YamlPath parent) throws ExperimentException {
    for (Axis axis : axes) {
      if (!axis.name().equals(free) && !at.containsKey(axis.name())) {
        throw parent.wrong(
            "at does not say which %s: write at: {%s: %s}"
                .formatted(axis.name(), axis.name(), axis.values().get(0)));
      }
    }
  }

  static String known(String name, String kind, List<String> all, YamlPath path)
      throws ExperimentException {
    return known(name, kind, all, path.location());
  }

  static String known(String name, String kind, List<String> all, SourceLocation location)
      throws ExperimentException {
    if (!all.contains(name)) {
      throw location.wrong(
          "unknown %s \"%s\"%s".formatted(kind, name, Suggestions.hint(name, all)));
    }
    return name;
  }
}
