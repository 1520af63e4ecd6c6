package org.braid.experiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Place;

/** Reads what {@link ResultsWriter} wrote. */
public final class ResultsReader {
  private final Path path;
  private final List<String> axes;
  private final Map<String, Integer> columns = new LinkedHashMap<>();
  private final List<String> measures;

  private ResultsReader(Path path, String header, List<String> axes) throws ExperimentException {
    this.path = path;
    this.axes = axes;
    List<String> names = cells(header, 1);
    names.forEach(name -> columns.put(name, columns.size()));
    for (String name : Columns.header(axes, List.of())) {
      if (!columns.containsKey(name)) {
        throw new Place(path.toString(), 1)
            .wrong("has no column \"%s\": run the experiment again".formatted(name));
      }
    }
    this.measures =
        names.stream().filter(name -> !Columns.header(axes, List.of()).contains(name)).toList();
  }

  /**
   * The newest results of an experiment: whole ones, else those of a run that was cut short.
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
   * Reads a file.
   *
   * @param experiment which names its axes
   * @throws ExperimentException with the line that is wrong
   */
  public static Results read(Path path, Experiment experiment) throws ExperimentException {
    List<String> lines;
    try {
      String text = Files.readString(path);
      // The last line of a run that was killed may be cut.
      lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw ExperimentException.failed(path + " cannot be read: " + e.getMessage(), e);
    }
    if (lines.isEmpty()) {
      throw new Place(path.toString(), 1).wrong("is empty: run the experiment again");
    }
    List<String> axes = experiment.axes().stream().map(axis -> axis.name()).toList();
    return new ResultsReader(path, lines.get(0), axes).results(lines, experiment);
  }

  private Results results(List<String> lines, Experiment experiment) throws ExperimentException {
    List<Row> rows = new ArrayList<>();
    Conditions conditions = new Conditions("", "", 0, "", "", "", "", "");
    int planned = experiment.trials();
    for (int i = 1; i < lines.size(); i++) {
      List<String> cells = cells(lines.get(i), i + 1);
      Place place = new Place(path.toString(), i + 1);
      if (cells.size() != columns.size()) {
        throw place.wrong(
            "has %d cells, the header has %d".formatted(cells.size(), columns.size()));
      }
      if (!cell(cells, Columns.EXPERIMENT).equals(experiment.id())) {
        throw place.wrong(
            "is of experiment %s, not of %s"
                .formatted(cell(cells, Columns.EXPERIMENT), experiment.id()));
      }
      try {
        rows.add(row(cells));
        conditions = conditions(cells);
        planned = Integer.parseInt(cell(cells, Columns.TRIALS));
      } catch (IllegalArgumentException e) {
        throw place.wrong("is not as it was written: " + e.getMessage());
      }
    }
    return new Results(
        experiment.id(), experiment.engine(), axes, measures, conditions, planned, rows, "");
  }

  private List<String> cells(String line, int number) throws ExperimentException {
    try {
      return Csv.cells(line);
    } catch (IllegalArgumentException e) {
      throw new Place(path.toString(), number).wrong(String.valueOf(e.getMessage()));
    }
  }

  private String cell(List<String> cells, String column) {
    return cells.get(columns.getOrDefault(column, 0));
  }

  private Row row(List<String> cells) {
    Map<String, String> point = new LinkedHashMap<>();
    axes.forEach(axis -> point.put(axis, cell(cells, axis)));
    Map<String, Double> figures = new LinkedHashMap<>();
    for (String measure : measures) {
      String text = cell(cells, measure);
      if (!text.isEmpty()) {
        figures.put(measure, Double.valueOf(text));
      }
    }
    return new Row(
        Integer.parseInt(cell(cells, Columns.TRIAL)),
        point,
        cell(cells, Columns.SYSTEM),
        Integer.parseInt(cell(cells, Columns.REPETITION)),
        Long.parseLong(cell(cells, Columns.SEED)),
        Row.State.valueOf(cell(cells, Columns.STATE).toUpperCase(Locale.ROOT)),
        figures,
        Integer.parseInt(cell(cells, Columns.ATTEMPTS)),
        cell(cells, Columns.NOTE),
        cell(cells, Columns.DATE),
        Double.parseDouble(cell(cells, Columns.TOOK)),
        Double.parseDouble(cell(cells, Columns.LOAD)));
  }

  private Conditions conditions(List<String> cells) {
    return new Conditions(
        cell(cells, Columns.COMMIT),
        cell(cells, Columns.CPU),
        Integer.parseInt(cell(cells, Columns.CORES)),
        cell(cells, Columns.KERNEL),
        cell(cells, Columns.OS),
        cell(cells, Columns.JVM),
        cell(cells, Columns.OPTIONS),
        cell(cells, Columns.SETTINGS));
  }
}
