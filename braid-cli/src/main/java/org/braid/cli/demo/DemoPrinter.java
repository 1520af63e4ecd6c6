package org.braid.cli.demo;

import java.io.PrintWriter;
import org.braid.cli.text.TextTable;

/** Prints the sections of a demo while they run. */
public final class DemoPrinter {
  private final PrintWriter out;
  private int section;

  /** Prints to a writer. */
  public DemoPrinter(PrintWriter out) {
    this.out = out;
  }

  /** Begins a numbered section. */
  void section(String title) {
    section++;
    out.println();
    out.println(section + ". " + title);
    out.flush();
  }

  /** Prints a line of the section. */
  void line(String text) {
    out.println("   " + text);
    out.flush();
  }

  /** Prints a table of the section. */
  void table(TextTable table) {
    table.lines().forEach(this::line);
  }

  /** Prints a line above the sections. */
  void head(String text) {
    out.println(text);
    out.flush();
  }
}
