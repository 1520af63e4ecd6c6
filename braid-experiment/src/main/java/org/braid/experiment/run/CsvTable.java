package org.braid.experiment.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.csv.CsvGenerator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.SourceLocation;

/** A file of comma-separated values: a header, and rows with a cell for each of its columns. */
final class CsvTable {
  private static final CsvMapper MAPPER =
      CsvMapper.builder()
          .enable(CsvParser.Feature.WRAP_AS_ARRAY)
          .enable(CsvGenerator.Feature.STRICT_CHECK_FOR_QUOTING)
          .build();
  private static final ObjectReader READER = MAPPER.readerForListOf(String.class);
  private static final ObjectWriter WRITER =
      MAPPER.writer(CsvSchema.emptySchema().withLineSeparator("\n"));

  private final Path path;
  private final Map<String, Integer> columns = new LinkedHashMap<>();
  private final List<Line> rows = new ArrayList<>();

  /** A row and its line. */
  final class Line {
    private final SourceLocation location;
    private final List<String> cells;

    private Line(SourceLocation location, List<String> cells) {
      this.location = location;
      this.cells = cells;
    }

    SourceLocation location() {
      return location;
    }

    /** The cell of a column that the header has. */
    String cell(String column) {
      Integer index = columns.get(column);
      if (index == null) {
        throw new IllegalStateException("the header has no column " + column);
      }
      return cells.get(index);
    }
  }

  private CsvTable(Path path) {
    this.path = path;
  }

  /** A row as files have it, with its line's end; line breaks in cells become blanks. */
  static String line(List<String> cells) throws IOException {
    return WRITER.writeValueAsString(
        cells.stream().map(cell -> cell.replaceAll("\\R", " ")).toList());
  }

  /**
   * Reads a file. A last line without an end is left out: that of a process that was killed may be
   * cut.
   *
   * @throws ExperimentException with the line that is wrong
   */
  static CsvTable read(Path path) throws ExperimentException {
    CsvTable table = new CsvTable(path);
    try {
      String text = Files.readString(path);
      table.parse(text.substring(0, text.lastIndexOf('\n') + 1));
    } catch (JsonProcessingException e) {
      throw new SourceLocation(path.toString(), e.getLocation().getLineNr())
          .wrong(String.valueOf(e.getOriginalMessage()));
    } catch (IOException e) {
      throw ExperimentException.failed(path + " cannot be read: " + e.getMessage(), e);
    }
    return table;
  }

  private void parse(String text) throws IOException, ExperimentException {
    try (MappingIterator<List<String>> lines = READER.readValues(text)) {
      while (lines.hasNextValue()) {
        List<String> cells = lines.nextValue();
        if (columns.isEmpty()) {
          columns(cells);
          continue;
        }
        // A header, and a line a row.
        SourceLocation location = new SourceLocation(path.toString(), rows.size() + 2);
        if (cells.size() != columns.size()) {
          throw location.wrong(
              "has %d cells, the header has %d".formatted(cells.size(), columns.size()));
        }
        rows.add(new Line(location, cells));
      }
    }
    if (columns.isEmpty()) {
      throw header().wrong("is empty: run the experiment again");
    }
  }

  private void columns(List<String> names) throws ExperimentException {
    for (String name : names) {
      if (columns.put(name, columns.size()) != null) {
        throw header().wrong("has two columns \"%s\"".formatted(name));
      }
    }
  }

  /** Where the header stands. */
  SourceLocation header() {
    return new SourceLocation(path.toString(), 1);
  }

  /** The names of the columns, in order. */
  List<String> columns() {
    return List.copyOf(columns.keySet());
  }

  List<Line> rows() {
    return rows;
  }
}
