package org.braid.experiment.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.WorkloadSettings;

/** Reads the files of {@link ResultsWriter}. */
public final class ResultsReader {
  private final CsvTable table;
  private final List<String> axes;
  private final List<String> measures;

  private ResultsReader(CsvTable table, List<String> axes) throws ExperimentException {
    this.table = table;
    this.axes = axes;
    List<String> known = Columns.header(axes, List.of());
    for (String name : known) {
      if (!name.equals(Columns.SYSTEM_SETTINGS) && !table.columns().contains(name)) {
        throw table
            .header()
            .wrong("has no column \"%s\": run the experiment again".formatted(name));
      }
    }
    this.measures = table.columns().stream().filter(name -> !known.contains(name)).toList();
  }

  /**
   * The newest results of an experiment: complete ones, else those of a partial run.
   *
   * @param directory that was written to
   * @return nothing when there are none
   * @throws ExperimentException when they cannot be read or are another experiment's
   */
  public static Optional<Results> find(Path directory, Experiment experiment)
      throws ExperimentException {
    Path whole = ResultsWriter.whole(directory, experiment.id(), experiment.engine());
    Path partial = ResultsWriter.partial(directory, experiment.id(), experiment.engine());
    if (Files.exists(whole)) {
      return Optional.of(read(whole, experiment));
    }
    return Files.exists(partial) ? Optional.of(read(partial, experiment)) : Optional.empty();
  }

  /**
   * The results of a partial or running run after a complete one.
   *
   * @param directory that was written to
   * @return nothing when there are none, or no whole ones before them
   * @throws ExperimentException when they cannot be read or are another experiment's
   */
  public static Optional<Results> later(Path directory, Experiment experiment)
      throws ExperimentException {
    Path whole = ResultsWriter.whole(directory, experiment.id(), experiment.engine());
    Path partial = ResultsWriter.partial(directory, experiment.id(), experiment.engine());
    return Files.exists(whole) && Files.exists(partial)
        ? Optional.of(read(partial, experiment))
        : Optional.empty();
  }

  /**
   * Reads a file.
   *
   * @param experiment which names its axes
   * @throws ExperimentException with the line that is wrong
   */
  public static Results read(Path path, Experiment experiment) throws ExperimentException {
    List<String> axes = experiment.axes().stream().map(axis -> axis.name()).toList();
    return new ResultsReader(CsvTable.read(path), axes).results(experiment);
  }

  private Results results(Experiment experiment) throws ExperimentException {
    List<Row> rows = new ArrayList<>();
    Conditions conditions = new Conditions("", "", 0, "", "", "", "", "");
    Map<String, Map<String, String>> systems = new TreeMap<>();
    boolean told = table.columns().contains(Columns.SYSTEM_SETTINGS);
    int planned = experiment.trials();
    for (CsvTable.Line line : table.rows()) {
      if (!line.cell(Columns.EXPERIMENT).equals(experiment.id())) {
        throw line.location()
            .wrong(
                "is of experiment %s, not of %s"
                    .formatted(line.cell(Columns.EXPERIMENT), experiment.id()));
      }
      try {
        rows.add(row(line));
        conditions = conditions(line);
        planned = Integer.parseInt(line.cell(Columns.TRIALS));
        if (told) {
          systems.put(
              line.cell(Columns.SYSTEM),
              WorkloadSettings.parse(line.cell(Columns.SYSTEM_SETTINGS)));
        }
      } catch (IllegalArgumentException e) {
        throw line.location().wrong("is not as it was written: " + e.getMessage());
      }
    }
    return new Results(
        experiment.id(),
        experiment.engine(),
        axes,
        measures,
        conditions,
        systems,
        planned,
        rows,
        "");
  }

  private Row row(CsvTable.Line line) {
    Map<String, String> point = new LinkedHashMap<>();
    axes.forEach(axis -> point.put(axis, line.cell(axis)));
    Map<String, Double> figures = new LinkedHashMap<>();
    for (String measure : measures) {
      String text = line.cell(measure);
      if (!text.isEmpty()) {
        figures.put(measure, Double.valueOf(text));
      }
    }
    return new Row(
        Integer.parseInt(line.cell(Columns.TRIAL)),
        point,
        line.cell(Columns.SYSTEM),
        Integer.parseInt(line.cell(Columns.REPETITION)),
        Long.parseLong(line.cell(Columns.SEED)),
        Row.State.valueOf(line.cell(Columns.STATE).toUpperCase(Locale.ROOT)),
        figures,
        Integer.parseInt(line.cell(Columns.ATTEMPTS)),
        line.cell(Columns.NOTE),
        line.cell(Columns.DATE),
        Double.parseDouble(line.cell(Columns.TOOK)),
        Double.parseDouble(line.cell(Columns.LOAD)));
  }

  private static Conditions conditions(CsvTable.Line line) {
    return new Conditions(
        line.cell(Columns.COMMIT),
        line.cell(Columns.CPU),
        Integer.parseInt(line.cell(Columns.CORES)),
        line.cell(Columns.KERNEL),
        line.cell(Columns.OS),
        line.cell(Columns.JVM),
        line.cell(Columns.OPTIONS),
        line.cell(Columns.SETTINGS));
  }
}
