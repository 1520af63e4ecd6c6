package org.braid.cli.demo;

import java.io.PrintWriter;
import org.braid.cli.text.TextTable;

/** Tells the story while it is played. */
public final class Narrator {
  private final PrintWriter out;
  private int section;

  /** Tells it to a writer. */
  public Narrator(PrintWriter out) {
    this.out = out;
  }

  /** Begins a numbered section. */
  void section(String title) {
    section++;
    out.println();
    out.println(section + ". " + title);
    out.flush();
  }

  /** Tells a line. */
  void line(String text) {
    out.println("   " + text);
    out.flush();
  }

  /** Shows a table. */
  void table(TextTable table) {
    table.lines().forEach(this::line);
  }

  /** Tells a line that stands outside of the sections. */
  void head(String text) {
    out.println(text);
    out.flush();
  }
}
