package org.braid.cli.report;

import java.io.IOException;
import java.util.List;
import org.braid.cli.text.TextTable;

/** A page of charts and tables that compare things of a kind. */
public final class ComparePage {
  private ComparePage() {}

  /**
   * A table with its title.
   *
   * @param title the title of the table
   * @param note a sentence on it, may be empty
   */
  public record Section(String title, String note, TextTable table) {}

  /**
   * The page.
   *
   * @param title also of the window
   * @param lead a sentence under it
   * @throws IOException when its style sheet cannot be read
   */
  public static String of(String title, String lead, List<BarChart> charts, List<Section> sections)
      throws IOException {
    Markup page = Frame.open(title);
    page.element("h1", title).element("p", lead);
    page.open("div", "class", "pair");
    charts.forEach(chart -> page.add(chart.drawing()));
    page.close("div");
    for (Section section : sections) {
      Frame.section(page, section.title(), section.note());
      Frame.table(page, section.table());
    }
    return Frame.close(page);
  }
}
