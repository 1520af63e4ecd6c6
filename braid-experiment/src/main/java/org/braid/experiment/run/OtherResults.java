package org.braid.experiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Place;
import org.braid.experiment.Reference;

/**
 * Looks figures up in the results of another experiment, of which nothing is known but the file of
 * its rows.
 */
public final class OtherResults {
  private final Path path;
  private final List<String> header;
  private final List<List<String>> rows;

  private OtherResults(Path path, List<String> header, List<List<String>> rows) {
    this.path = path;
    this.header = header;
    this.rows = rows;
  }

  /**
   * The median of the figures that a reference means.
   *
   * @param directory below which results are
   * @return nothing when there are no whole results
   * @throws ExperimentException when the file cannot be read, or has no such measure or rows
   */
  public static OptionalDouble median(Path directory, Reference reference)
      throws ExperimentException {
    Path path = ResultsWriter.whole(directory, reference.experiment(), reference.engine());
    if (!Files.exists(path)) {
      return OptionalDouble.empty();
    }
    List<Double> figures = read(path).figures(reference);
    int above = figures.size() / 2;
    int below = (figures.size() - 1) / 2;
    return OptionalDouble.of((figures.get(below) + figures.get(above)) / 2);
  }

  private static OtherResults read(Path path) throws ExperimentException {
    List<String> lines;
    try {
      lines = Files.readAllLines(path);
    } catch (IOException e) {
      throw ExperimentException.failed(path + " cannot be read: " + e.getMessage(), e);
    }
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      try {
        rows.add(Csv.cells(lines.get(i)));
      } catch (IllegalArgumentException e) {
        throw new Place(path.toString(), i + 1).wrong(String.valueOf(e.getMessage()));
      }
      if (rows.get(i).size() != rows.get(0).size()) {
        throw new Place(path.toString(), i + 1)
            .wrong(
                "has %d cells, the header has %d"
                    .formatted(rows.get(i).size(), rows.get(0).size()));
      }
    }
    if (rows.isEmpty()) {
      throw new Place(path.toString(), 1).wrong("is empty: run the experiment again");
    }
    return new OtherResults(path, rows.get(0), rows.subList(1, rows.size()));
  }

  private List<Double> figures(Reference reference) throws ExperimentException {
    int measure = column(reference.measure());
    int system = column(Columns.SYSTEM);
    int state = column(Columns.STATE);
    List<Double> figures = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      boolean failed = row.get(state).equals(Row.State.FAILED.name().toLowerCase(Locale.ROOT));
      if (failed || !row.get(system).equals(reference.system()) || !isAt(row, reference.at())) {
        continue;
      }
      String text = row.get(measure);
      if (!text.isEmpty()) {
        try {
          figures.add(Double.parseDouble(text) * reference.times());
        } catch (NumberFormatException e) {
          throw new Place(path.toString(), i + 2)
              .wrong("%s is \"%s\", not a number".formatted(reference.measure(), text));
        }
      }
    }
    if (figures.isEmpty()) {
      throw new Place(path.toString(), 1)
          .wrong(
              "has no %s of system %s%s"
                  .formatted(
                      reference.measure(),
                      reference.system(),
                      reference.at().isEmpty() ? "" : " at " + reference.at()));
    }
    return figures.stream().sorted().toList();
  }

  private boolean isAt(List<String> row, Map<String, String> at) throws ExperimentException {
    for (Map.Entry<String, String> one : at.entrySet()) {
      if (!row.get(column(one.getKey())).equals(one.getValue())) {
        return false;
      }
    }
    return true;
  }

  private int column(String name) throws ExperimentException {
    int index = header.indexOf(name);
    if (index < 0) {
      throw new Place(path.toString(), 1)
          .wrong("has no column \"%s\", it has %s".formatted(name, String.join(", ", header)));
    }
    return index;
  }
}
