package org.braid.experiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Place;

/** A file of comma-separated values: a header, and rows with a cell for each of its columns. */
final class CsvTable {
  private final Path path;
  private final Map<String, Integer> columns = new LinkedHashMap<>();
  private final List<Line> rows = new ArrayList<>();

  /** A row and where it stands. */
  final class Line {
    private final Place place;
    private final List<String> cells;

    private Line(Place place, List<String> cells) {
      this.place = place;
      this.cells = cells;
    }

    Place place() {
      return place;
    }

    /** The cell of a column that the header has. */
    String cell(String column) {
      Integer index = columns.get(column);
      if (index == null) {
        throw new IllegalStateException("nobody asked whether there is a column " + column);
      }
      return cells.get(index);
    }
  }

  private CsvTable(Path path) {
    this.path = path;
  }

  /**
   * Reads a file. A last line without an end is left out: that of a process that was killed may be
   * cut.
   *
   * @throws ExperimentException with the line that is wrong
   */
  static CsvTable read(Path path) throws ExperimentException {
    List<String> lines;
    try {
      String text = Files.readString(path);
      lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw ExperimentException.failed(path + " cannot be read: " + e.getMessage(), e);
    }
    CsvTable table = new CsvTable(path);
    if (lines.isEmpty()) {
      throw table.header().wrong("is empty: run the experiment again");
    }
    for (String name : cells(lines.get(0), table.header())) {
      if (table.columns.put(name, table.columns.size()) != null) {
        throw table.header().wrong("has two columns \"%s\"".formatted(name));
      }
    }
    for (int i = 1; i < lines.size(); i++) {
      Place place = new Place(path.toString(), i + 1);
      List<String> cells = cells(lines.get(i), place);
      if (cells.size() != table.columns.size()) {
        throw place.wrong(
            "has %d cells, the header has %d".formatted(cells.size(), table.columns.size()));
      }
      table.rows.add(table.new Line(place, cells));
    }
    return table;
  }

  private static List<String> cells(String line, Place place) throws ExperimentException {
    try {
      return Csv.cells(line);
    } catch (IllegalArgumentException e) {
      throw place.wrong(String.valueOf(e.getMessage()));
    }
  }

  /** Where the header stands. */
  Place header() {
    return new Place(path.toString(), 1);
  }

  /** The names of the columns, in order. */
  List<String> columns() {
    return List.copyOf(columns.keySet());
  }

  List<Line> rows() {
    return rows;
  }
}
