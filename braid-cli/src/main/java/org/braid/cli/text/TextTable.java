package org.braid.cli.text;

import java.util.ArrayList;
import java.util.List;

/** A table with a header; a column whose name starts with {@code >} is aligned to the right. */
public final class TextTable {
  private final List<String> header = new ArrayList<>();
  private final List<Boolean> right = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

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
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    all.addAll(shown);
    for (List<String> row : all) {
      for (int c = 0; c < width.length; c++) {
        width[c] = Math.max(width[c], row.get(c).codePointCount(0, row.get(c).length()));
      }
    }
    return all.stream().map(row -> line(row, width)).toList();
  }

  /** The lines of the first rows and the number of further rows; empty without rows. */
  public List<String> lines(int most) {
    if (rows.isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(lines(rows.subList(0, Math.min(most, rows.size()))));
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
