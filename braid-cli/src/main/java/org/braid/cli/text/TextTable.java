package org.braid.cli.text;

import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.api.SpilledList;

/** A table with a header; a column whose name starts with {@code >} is aligned to the right. */
public final class TextTable {
  private final List<String> header = new ArrayList<>();
  private final List<Boolean> right = new ArrayList<>();
  private final List<List<String>> rows = new SpilledList<>();

  /** A table with these columns. */
  public TextTable(String... columns) {
    for (String column : columns) {
      right.add(column.startsWith(">"));
      header.add(column.startsWith(">") ? column.substring(1) : column);
    }
  }

  /**
   * Adds a row; each cell is written as {@link String#valueOf}.
   *
   * @throws IllegalArgumentException when it has more or fewer cells than the table has columns
   */
  public TextTable row(Object... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(
          "a row of " + cells.length + " cells in a table of " + header.size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell).replaceAll("\\R", " "));
    }
    rows.add(List.copyOf(row));
    return this;
  }

  public List<String> header() {
    return List.copyOf(header);
  }

  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  /** Whether a column is aligned to the right. */
  public boolean isRight(int column) {
    return right.get(column);
  }

  /** The lines, header first, columns two blanks apart, without blanks at the ends. */
  public List<String> lines() {
    return lines(rows);
  }

  private List<String> lines(List<List<String>> shown) {
    int[] width = new int[header.size()];
    widen(width, header);
    shown.forEach(row -> widen(width, row));
    List<String> lines = new SpilledList<>();
    lines.add(line(header, width));
    shown.forEach(row -> lines.add(line(row, width)));
    return lines;
  }

  private static void widen(int[] width, List<String> row) {
    for (int c = 0; c < width.length; c++) {
      width[c] = Math.max(width[c], row.get(c).codePointCount(0, row.get(c).length()));
    }
  }

  /** The lines of the first rows and the number of further rows; empty without rows. */
  public List<String> lines(int most) {
    if (rows.isEmpty()) {
      return List.of();
    }
    List<String> lines = lines(rows.size() > most ? rows.subList(0, most) : rows);
    if (rows.size() > most) {
      lines.add("... and " + (rows.size() - most) + " more; --json lists all");
    }
    return lines;
  }

  private String line(List<String> row, int[] width) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < width.length; c++) {
      String cell = row.get(c);
      String pad = " ".repeat(width[c] - cell.codePointCount(0, cell.length()));
      line.append(c == 0 ? "" : "  ").append(right.get(c) ? pad + cell : cell + pad);
    }
    return line.toString().stripTrailing();
  }
}
