package org.braid.experiment.file;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.braid.experiment.Axis;
import org.braid.experiment.Chart;
import org.braid.experiment.Claim;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Quantity;
import org.braid.experiment.file.ExperimentFile.ChartEntry;

/**
 * Reads charts.
 *
 * @param names that they may use
 */
record ChartReader(KnownNames names) {
  Chart chart(ChartEntry entry, YamlPath path) throws ExperimentException {
    Quantity quantity = names.quantity(entry, path);
    Chart.Kind kind = Objects.requireNonNullElse(entry.kind(), Chart.Kind.BARS);
    String x = Objects.requireNonNullElse(entry.x(), "");
    if (!x.isEmpty()) {
      names.axis(x, path.at("x"));
    } else if (kind == Chart.Kind.LINES) {
      throw path.wrong("lines go along an axis: write x: AXIS");
    }
    List<String> systems = Objects.requireNonNullElse(entry.systems(), names.systemNames());
    for (String system : systems) {
      KnownNames.known(system, "system", names.systemNames(), path.at("systems"));
    }
    Map<String, String> at = names.point(entry.at(), path.at("at"));
    if (at.containsKey(x)) {
      throw path.at("at").wrong("the chart goes along %s: remove it from at".formatted(x));
    }
    return new Chart(kind, Objects.requireNonNullElse(entry.title(), ""), quantity, x, systems, at);
  }

  /** A chart for each quantity that is claimed; of the first measure when nothing is. */
  List<Chart> charts(List<Claim> claims) {
    List<String> measures =
        claims.isEmpty()
            ? List.of(names.measures().get(0).name())
            : claims.stream().map(claim -> claim.quantity().measure()).distinct().toList();
    Optional<Axis> x = names.axes().stream().findFirst();
    Chart.Kind kind =
        x.isPresent() && x.get().values().stream().allMatch(ChartReader::isNumber)
            ? Chart.Kind.LINES
            : Chart.Kind.BARS;
    return measures.stream()
        .map(
            measure ->
                new Chart(
                    kind,
                    "",
                    Quantity.value(measure),
                    x.map(Axis::name).orElse(""),
                    names.systemNames(),
                    Map.of()))
        .toList();
  }

  private static boolean isNumber(String text) {
    return text.matches("-?[0-9]{1,12}(\\.[0-9]{1,12})?");
  }
}
