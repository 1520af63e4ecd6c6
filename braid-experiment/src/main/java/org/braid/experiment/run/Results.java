package org.braid.experiment.run;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.Experiment;
import org.braid.experiment.WorkloadSettings;

/**
 * The results of a complete or partial run.
 *
 * @param id of the experiment
 * @param axes names, in order
 * @param measures names, in order
 * @param systems by system, its own settings; empty when the file of results does not contain them
 * @param planned number of trials of a complete run
 * @param rows in the order of the run
 * @param problem why the run ended early; empty when it did not, or when the reason is no longer
 *     known
 */
public record Results(
    String id,
    String engine,
    List<String> axes,
    List<String> measures,
    Conditions conditions,
    Map<String, Map<String, String>> systems,
    int planned,
    List<Row> rows,
    String problem) {
  public Results {
    axes = List.copyOf(axes);
    measures = List.copyOf(measures);
    systems = Map.copyOf(systems);
    rows = List.copyOf(rows);
  }

  /** The settings of each system of an experiment as a file of results has them. */
  static Map<String, String> systems(Experiment experiment) {
    Map<String, String> systems = new TreeMap<>();
    for (ComparedSystem system : experiment.systems()) {
      systems.put(system.name(), WorkloadSettings.write(new TreeMap<>(system.settings())));
    }
    return systems;
  }

  /** How many rows are in a state. */
  public long count(Row.State state) {
    return rows.stream().filter(row -> row.state() == state).count();
  }

  /** Whether every trial gave figures. */
  public boolean isComplete() {
    return rows.size() == planned && count(Row.State.FAILED) == 0;
  }

  /** Describes missing or doubtful results in one line; empty for none. */
  public String shortfall() {
    StringBuilder text = new StringBuilder();
    if (!isComplete()) {
      text.append(
          "partial: %d of %d trials gave figures"
              .formatted(rows.size() - count(Row.State.FAILED), planned));
      if (count(Row.State.FAILED) > 0) {
        text.append(", ").append(count(Row.State.FAILED)).append(" failed");
      }
    }
    if (count(Row.State.DOUBTFUL) > 0) {
      text.append(text.isEmpty() ? "" : "; ").append(count(Row.State.DOUBTFUL)).append(" doubtful");
    }
    String reason =
        !problem.isEmpty()
            ? problem
            : rows.stream().map(Row::note).filter(n -> !n.isEmpty()).findFirst().orElse("");
    return text.isEmpty() || reason.isEmpty() ? text.toString() : text + " (" + reason + ")";
  }
}
