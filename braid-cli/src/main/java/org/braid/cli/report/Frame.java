package org.braid.cli.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.braid.cli.text.TextTable;

/** Head, style, sections and tables of all pages. */
final class Frame {
  private Frame() {}

  /**
   * Starts a page.
   *
   * @throws IOException when its style sheet cannot be read
   */
  static Markup open(String title) throws IOException {
    Markup page = new Markup();
    page.open("html", "lang", "en").open("head");
    page.empty("meta", "charset", "utf-8");
    page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.element("title", title);
    // The style sheet is ours and has no character that would need escaping.
    page.open("style").text(style()).close("style").close("head");
    return page.open("body").open("main");
  }

  /** Ends the page and returns its text. */
  static String close(Markup page) {
    page.close("main").close("body").close("html");
    return "<!DOCTYPE html>\n" + page;
  }

  /** The style sheet of pages and drawings, light and dark. */
  static String style() throws IOException {
    try (InputStream in = Frame.class.getResourceAsStream("report.css")) {
      if (in == null) {
        throw new IOException("report.css is missing in the program's jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A title, and a text unless it is empty. */
  static void section(Markup page, String title, String text) {
    page.element("h2", title);
    if (!text.isEmpty()) {
      page.element("p", text);
    }
  }

  /** A table. */
  static void table(Markup page, TextTable table) {
    page.open("div", "class", "wide").open("table").open("tr");
    List<String> header = table.header();
    for (int c = 0; c < header.size(); c++) {
      page.element("th", header.get(c), "class", table.isRight(c) ? "right" : "left");
    }
    page.close("tr");
    for (List<String> row : table.rows()) {
      page.open("tr");
      for (int c = 0; c < row.size(); c++) {
        page.element("td", row.get(c), "class", table.isRight(c) ? "right" : "left");
      }
      page.close("tr");
    }
    page.close("table").close("div");
  }
}
