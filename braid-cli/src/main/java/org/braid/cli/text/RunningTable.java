package org.braid.cli.text;

import java.util.List;

/** A table that is printed row by row, each when it is known. */
public final class RunningTable {
  private final String[] columns;
  private final Object[] widest;

  /**
   * A table with these columns.
   *
   * @param columns their names, as of a {@link TextTable}
   * @param widest for each column a cell as wide as those to come; a wider one is printed whole
   */
  public RunningTable(List<String> columns, List<String> widest) {
    this.columns = columns.toArray(String[]::new);
    this.widest = widest.toArray();
  }

  /** The line above all rows. */
  public String header() {
    return new TextTable(columns).row(widest).lines().get(0);
  }

  /** The line of a row. */
  public String row(Object... cells) {
    return new TextTable(columns).row(widest).row(cells).lines().get(2);
  }
}
