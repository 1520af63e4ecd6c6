package org.braid.experiment.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.experiment.Axis;
import org.braid.experiment.Contender;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Place;
import org.braid.experiment.Quantity;
import org.braid.experiment.Quantity.Against;
import org.braid.experiment.Quantity.Form;
import org.braid.experiment.file.Node.Kind;
import org.braid.experiment.text.Near;

/** The names that claims, figures and charts may use: what is measured, compared and varied. */
record Terms(List<Measure> measures, List<Contender> systems, List<Axis> axes) {
  /** Keys of whatever names a quantity. */
  static final List<String> QUANTITY =
      List.of("measure", "of", "against", "against-at", "against-measure");

  /** A system by its key; when there is only one, that. */
  String system(Fields fields) throws ExperimentException {
    List<String> names = systemNames();
    if (names.size() == 1 && fields.optional("system").isEmpty()) {
      return names.get(0);
    }
    return known(
        fields.text("system", "system: " + names.get(0)), "system", names, fields.place("system"));
  }

  List<String> systemNames() {
    return systems.stream().map(Contender::name).toList();
  }

  List<String> axisNames() {
    return axes.stream().map(Axis::name).toList();
  }

  Quantity quantity(Fields fields) throws ExperimentException {
    List<String> names = measures.stream().map(Measure::name).toList();
    String measure = measure(fields.text("measure", "measure: " + names.get(0)), fields, "measure");
    Form form = fields.choice("of", Form.class, Form.VALUE);
    Optional<Node> system = fields.optional("against");
    Optional<Node> at = fields.optional("against-at");
    Optional<Node> other = fields.optional("against-measure");
    boolean compared = system.isPresent() || at.isPresent() || other.isPresent();
    if (compared != (form != Form.VALUE)) {
      throw fields
          .place()
          .wrong(
              compared
                  ? "against needs to know how: write of: ratio, gain or reduction"
                  : "of: %s needs something to compare with: write against: SYSTEM"
                      .formatted(Fields.name(form)));
    }
    String against = "";
    if (system.isPresent()) {
      String name = system.get().as(Kind.TEXT, "against", "against: SYSTEM").text();
      against = known(name, "system", systemNames(), system.get().place());
    }
    return new Quantity(
        measure,
        form,
        new Against(
            against,
            at.isPresent() ? point(at.get(), "against-at") : Map.of(),
            other.isPresent()
                ? measure(
                    other.get().as(Kind.TEXT, "against-measure", "a measure").text(),
                    fields,
                    "against-measure")
                : ""));
  }

  private String measure(String name, Fields fields, String key) throws ExperimentException {
    return known(name, "measure", measures.stream().map(Measure::name).toList(), fields.place(key));
  }

  /** Values of some axes. */
  Map<String, String> point(Node node, String key) throws ExperimentException {
    node.as(Kind.MAP, key, key + ": {axis: value}");
    Map<String, String> point = new LinkedHashMap<>();
    for (Map.Entry<String, Node.Entry> entry : node.entries().entrySet()) {
      Node value = entry.getValue().value();
      Axis axis = axis(entry.getKey(), entry.getValue().place());
      value.as(Kind.TEXT, entry.getKey(), axis.values().get(0));
      point.put(axis.name(), valueOf(axis, value.text(), value.place()));
    }
    return point;
  }

  /** An axis by its name. */
  Axis axis(String name, Place place) throws ExperimentException {
    if (axes.isEmpty()) {
      throw place.wrong(
          "\"%s\" is not varied, nothing is: add it to axes with two values or more"
              .formatted(name));
    }
    known(name, "axis", axisNames(), place);
    return axes.stream().filter(axis -> axis.name().equals(name)).findFirst().orElseThrow();
  }

  String valueOf(Axis axis, String value, Place place) throws ExperimentException {
    return known(value, "value of axis " + axis.name() + ":", axis.values(), place);
  }

  /** Refuses a point that leaves an axis open. */
  void complete(Map<String, String> at, String free, Place place, String what)
      throws ExperimentException {
    for (Axis axis : axes) {
      if (!axis.name().equals(free) && !at.containsKey(axis.name())) {
        throw place.wrong(
            "%s does not say at which %s: write at: {%s: %s}"
                .formatted(what, axis.name(), axis.name(), axis.values().get(0)));
      }
    }
  }

  static String known(String name, String kind, List<String> all, Place place)
      throws ExperimentException {
    if (!all.contains(name)) {
      throw place.wrong("unknown %s \"%s\"%s".formatted(kind, name, Near.hint(name, all)));
    }
    return name;
  }
}
