package org.braid.experiment.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.braid.experiment.Quantity;
import org.braid.experiment.Quantity.Form;
import org.braid.experiment.Spread;
import org.braid.experiment.run.Results;
import org.braid.experiment.run.Row;

/** Looks figures up in results. */
public final class Analysis {
  private final Map<Key, Map<Integer, Row>> rows = new HashMap<>();

  private record Key(Map<String, String> point, String system) {}

  public Analysis(Results results) {
    for (Row row : results.rows()) {
      if (row.state() != Row.State.FAILED) {
        rows.computeIfAbsent(new Key(row.point(), row.system()), k -> new TreeMap<>())
            .put(row.repetition(), row);
      }
    }
  }

  /**
   * A quantity of a system at a point, repetition by repetition: a comparison takes both sides from
   * the same repetition, in which they met the same inputs.
   *
   * @return the figures by repetition; empty when it was not measured
   */
  public Map<Integer, Double> figures(Quantity quantity, String system, Map<String, String> point) {
    Map<Integer, Double> ours = measured(quantity.measure(), system, point);
    if (quantity.form() == Form.VALUE) {
      return ours;
    }
    Quantity.Against against = quantity.against();
    Map<String, String> otherPoint = new HashMap<>(point);
    otherPoint.putAll(against.at());
    Map<Integer, Double> other =
        measured(
            against.measure().isEmpty() ? quantity.measure() : against.measure(),
            against.system().isEmpty() ? system : against.system(),
            otherPoint);
    Map<Integer, Double> compared = new TreeMap<>();
    ours.forEach(
        (repetition, value) -> {
          Double base = other.get(repetition);
          // Nothing is a multiple of nothing.
          if (base != null && base != 0) {
            compared.put(repetition, quantity.form().of(value, base));
          }
        });
    return compared;
  }

  /** How a quantity is distributed over the repetitions; nothing when it was not measured. */
  public Optional<Spread> spread(Quantity quantity, String system, Map<String, String> point) {
    Map<Integer, Double> figures = figures(quantity, system, point);
    return figures.isEmpty() ? Optional.empty() : Optional.of(Spread.of(figures.values()));
  }

  /** Whether a row that a quantity comes from is doubtful. */
  public boolean isDoubtful(Quantity quantity, String system, Map<String, String> point) {
    List<Key> keys = new ArrayList<>(List.of(new Key(point, system)));
    if (quantity.form() != Form.VALUE) {
      Quantity.Against against = quantity.against();
      Map<String, String> otherPoint = new HashMap<>(point);
      otherPoint.putAll(against.at());
      keys.add(new Key(otherPoint, against.system().isEmpty() ? system : against.system()));
    }
    return keys.stream()
        .flatMap(key -> rows.getOrDefault(key, Map.of()).values().stream())
        .anyMatch(row -> row.state() == Row.State.DOUBTFUL);
  }

  private Map<Integer, Double> measured(String measure, String system, Map<String, String> point) {
    Map<Integer, Double> figures = new TreeMap<>();
    rows.getOrDefault(new Key(point, system), Map.of())
        .forEach(
            (repetition, row) -> {
              Double value = row.figures().get(measure);
              if (value != null) {
                figures.put(repetition, value);
              }
            });
    return figures;
  }
}
