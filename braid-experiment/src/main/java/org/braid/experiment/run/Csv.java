package org.braid.experiment.run;

import java.util.ArrayList;
import java.util.List;

/** Comma-separated values as RFC 4180 has them, one record a line. */
final class Csv {
  private Csv() {}

  /** A line with its end; line breaks in cells become blanks. */
  static String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (String cell : cells) {
      line.append(line.isEmpty() ? "" : ",").append(quoted(cell.replaceAll("\\R", " ")));
    }
    return line.append('\n').toString();
  }

  private static String quoted(String cell) {
    // An empty first cell must not look like an empty line.
    return cell.isEmpty() || cell.matches(".*[,\"].*") || !cell.equals(cell.strip())
        ? '"' + cell.replace("\"", "\"\"") + '"'
        : cell;
  }

  /**
   * The cells of a line.
   *
   * @throws IllegalArgumentException when a quote is not closed, or text follows one
   */
  static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quoted) {
        if (c != '"') {
          cell.append(c);
        } else if (i + 1 < line.length() && line.charAt(i + 1) == '"') {
          cell.append(c);
          i++;
        } else {
          quoted = false;
        }
      } else if (c == ',') {
        cells.add(cell.toString());
        cell.setLength(0);
      } else if (c == '"' && cell.isEmpty()) {
        quoted = true;
      } else {
        cell.append(c);
      }
    }
    if (quoted) {
      throw new IllegalArgumentException("a quote is not closed");
    }
    cells.add(cell.toString());
    return cells;
  }
}
