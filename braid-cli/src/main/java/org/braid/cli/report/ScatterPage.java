package org.braid.cli.report;

import java.io.IOException;
import java.util.List;
import org.braid.cli.report.ComparePage.Section;

/** A page with one chart of dots above its tables, and the chart alone. */
public final class ScatterPage {
  private ScatterPage() {}

  /**
   * The page.
   *
   * @param title also of the window
   * @param lead a sentence under it
   * @throws IOException when its style sheet cannot be read
   */
  public static String of(String title, String lead, ScatterChart chart, List<Section> sections)
      throws IOException {
    Markup page = Frame.open(title);
    page.element("h1", title).element("p", lead);
    page.open("div", "class", "wide").add(chart.drawing("")).close("div");
    for (Section section : sections) {
      Frame.section(page, section.title(), section.note());
      Frame.table(page, section.table());
    }
    return Frame.close(page);
  }

  /**
   * The chart as a standalone file, for light and dark colour schemes.
   *
   * @throws IOException when its style sheet cannot be read
   */
  public static String svg(ScatterChart chart) throws IOException {
    return chart.drawing(Frame.style()).toString();
  }
}
