package org.braid.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {
  @Test
  void alignsColumns() {
    TextTable table =
        new TextTable("name", ">size", "note").row("a", 10, "").row("long one", 7, "x");
    assertEquals(
        List.of(
            "name      size  note", //
            "a           10",
            "long one     7  x"),
        table.lines());
  }

  @Test
  void cellsStayOnOneLine() {
    assertEquals(List.of("a", "b c"), new TextTable("a").row("b\nc").lines());
  }

  @Test
  void firstRowsSayHowManyMoreThereAre() {
    TextTable table = new TextTable("name").row("a").row("much longer").row("c");
    assertEquals(List.of("name", "a", "... and 2 more; --json lists all"), table.lines(1));
    assertEquals(table.lines(), table.lines(3));
    assertEquals(List.of(), new TextTable("name").lines(3));
  }

  @Test
  void refusesRowsOfAnotherWidth() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new TextTable("a", "b").row(1))
            .getMessage();
    assertEquals("a row of 1 cells in a table of 2 columns", message);
  }
}
