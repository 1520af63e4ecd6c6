package org.braid.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RunningTableTest {
  @Test
  void rowsAreAlignedWithThoseToCome() {
    RunningTable table = new RunningTable(List.of("name", ">size"), List.of("longest", "100.00"));
    assertEquals("name       size", table.header());
    assertEquals("a          7.00", table.row("a", "7.00"));
    assertEquals("longest  100.00", table.row("longest", "100.00"));
    assertEquals("longer than any  1234.56", table.row("longer than any", "1234.56"));
  }
}
