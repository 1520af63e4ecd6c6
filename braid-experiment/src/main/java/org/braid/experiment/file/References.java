package org.braid.experiment.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Reference;
import org.braid.experiment.file.Node.Kind;

/** Reads what a claim names in place of a paper's figure: one that another experiment measured. */
final class References {
  private static final String KEY = "measured";
  private static final String EXAMPLE =
      KEY + ": {experiment: ear/exp2, engine: lab, system: ear, measure: encode_seconds}";
  private static final List<String> KEYS =
      List.of("experiment", "engine", "system", "at", "measure", "times");

  private References() {}

  /** The reference of a claim, if it has one. */
  static Optional<Reference> of(Fields claim) throws ExperimentException {
    Optional<Node> node = claim.optional(KEY);
    if (node.isEmpty()) {
      return Optional.empty();
    }
    if (claim.optional("paper").isPresent()) {
      throw claim.place(KEY).wrong("the claim has a paper's figure and a measured one: remove one");
    }
    Fields fields = Fields.of(node.get(), "a measured figure", KEYS);
    double times =
        Goals.number(fields.text("times", "times: 0.001", "1"), "times", fields.place("times"));
    if (!(times > 0)) {
      throw fields.place("times").wrong("times is not above 0: it turns one unit into another");
    }
    return Optional.of(
        new Reference(
            fields.text("experiment", EXAMPLE),
            fields.text("engine", EXAMPLE),
            fields.text("system", EXAMPLE),
            at(fields),
            fields.text("measure", EXAMPLE),
            times));
  }

  private static Map<String, String> at(Fields fields) throws ExperimentException {
    Optional<Node> at = fields.optional("at");
    Map<String, String> point = new LinkedHashMap<>();
    if (at.isPresent()) {
      at.get().as(Kind.MAP, "at", "at: {axis: value}");
      for (Map.Entry<String, Node.Entry> entry : at.get().entries().entrySet()) {
        Node value = entry.getValue().value().as(Kind.TEXT, entry.getKey(), "at: {axis: value}");
        point.put(entry.getKey(), value.text());
      }
    }
    return point;
  }
}
