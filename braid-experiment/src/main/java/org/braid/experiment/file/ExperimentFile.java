package org.braid.experiment.file;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.Chart;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Quantity;
import org.jspecify.annotations.Nullable;

/** An experiment as its file describes it; {@code experiments/README.md} explains the keys. */
record ExperimentFile(
    @Nullable String title,
    @Nullable String about,
    @Nullable String source,
    @Nullable List<String> engine,
    @Nullable String workload,
    @Nullable Long seed,
    @Nullable Long repetitions,
    @Nullable Map<String, List<String>> settings,
    @Nullable Map<String, List<String>> axes,
    @Nullable SystemsEntry systems,
    @Nullable List<FigureEntry> figures,
    @Nullable List<ClaimEntry> claims,
    @Nullable List<ChartEntry> charts,
    @Nullable QuickEntry quick) {

  /** The smaller size. */
  record QuickEntry(
      @Nullable Long repetitions,
      @Nullable Map<String, List<String>> settings,
      @Nullable Map<String, List<String>> axes,
      @Nullable List<String> systems) {}

  /** The settings of each system; systems may also be a list of names. */
  record SystemsEntry(Map<String, Map<String, List<String>>> settings) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    SystemsEntry {}

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static SystemsEntry of(List<String> names) {
      Map<String, Map<String, List<String>>> all = new LinkedHashMap<>();
      names.forEach(name -> all.put(name, Map.of()));
      return new SystemsEntry(all);
    }
  }

  /** The keys that name a quantity. */
  interface QuantityEntry {
    @Nullable String measure();

    Quantity.@Nullable Form of();

    @Nullable String against();

    @Nullable Map<String, String> againstAt();

    @Nullable String againstMeasure();
  }

  /** A claim. */
  record ClaimEntry(
      @Nullable String claim,
      @Nullable String measure,
      Quantity.@Nullable Form of,
      @Nullable String against,
      @Nullable Map<String, String> againstAt,
      @Nullable String againstMeasure,
      @Nullable String system,
      @Nullable Map<String, String> at,
      @Nullable String paper,
      @Nullable ReferenceEntry measured,
      @Nullable String goal,
      @Nullable String because,
      @Nullable String shownBy)
      implements QuantityEntry {}

  /** A figure that another experiment measured. */
  record ReferenceEntry(
      @Nullable String experiment,
      @Nullable String engine,
      @Nullable String system,
      @Nullable Map<String, String> at,
      @Nullable String measure,
      @Nullable String times) {}

  /** A figure of the paper, or several along an axis. */
  record FigureEntry(
      @Nullable String measure,
      Quantity.@Nullable Form of,
      @Nullable String against,
      @Nullable Map<String, String> againstAt,
      @Nullable String againstMeasure,
      @Nullable String system,
      @Nullable Map<String, String> at,
      @Nullable String along,
      @Nullable Map<String, String> values,
      @Nullable String value)
      implements QuantityEntry {}

  /** A chart. */
  record ChartEntry(
      Chart.@Nullable Kind kind,
      @Nullable String title,
      @Nullable String measure,
      Quantity.@Nullable Form of,
      @Nullable String against,
      @Nullable Map<String, String> againstAt,
      @Nullable String againstMeasure,
      @Nullable String x,
      @Nullable List<String> systems,
      @Nullable Map<String, String> at)
      implements QuantityEntry {}

  /**
   * A value that has to be there.
   *
   * @param parent of the key
   * @param line how it is written
   */
  static <T> T required(@Nullable T value, YamlPath parent, String line)
      throws ExperimentException {
    if (value == null) {
      throw parent.wrong(
          "there is no %s: write %s".formatted(line.substring(0, line.indexOf(':')), line));
    }
    return value;
  }

  /** A list that may be left out. */
  static <T> List<T> all(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  /** A mapping that may be left out. */
  static <T> Map<String, T> all(@Nullable Map<String, T> map) {
    return map == null ? Map.of() : map;
  }
}
