package org.braid.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class OutcomesTest {
  private static final String LACKING = "absent java.lang.NoSuchMethodError: openFile";
  private static final Map<String, String> STOCK =
      Map.of("read", "ok", "open", "ok", "vectored", LACKING);

  @Test
  void aWayThatTheSameHadoopHasWithoutBraidIsNotAbsentWithIt() {
    assertEquals(
        Map.of("open", LACKING),
        Outcomes.bad(Map.of("read", "ok", "open", LACKING, "vectored", LACKING), STOCK, false));
    assertEquals(
        Map.of("seek", LACKING),
        Outcomes.bad(Map.of("read", "ok", "open", "ok", "seek", LACKING), STOCK, false));
    assertEquals(
        Map.of("open", "nothing was said of it"),
        Outcomes.bad(Map.of("read", "ok", "vectored", LACKING), STOCK, false));
    assertEquals(Map.of(), Outcomes.bad(STOCK, STOCK, false));
  }

  /** Only a part of the programs may have been asked for. */
  @Test
  void withoutAProgramToCompareWithAbsentWaysAreHadoops() {
    assertEquals(Map.of(), Outcomes.bad(Map.of("read", "ok", "open", LACKING), Map.of(), false));
    assertEquals(
        Map.of("read", "failed java.io.EOFException"),
        Outcomes.bad(Map.of("read", "failed java.io.EOFException"), Map.of(), false));
  }

  @Test
  void whereBlocksAreLostOnlyWrongBytesAreWrong() {
    Map<String, String> lost =
        Map.of("read", "failed java.io.IOException", "open", "failed WRONG BYTES at 7");
    assertEquals(Map.of("open", "failed WRONG BYTES at 7"), Outcomes.bad(lost, STOCK, true));
    assertEquals(lost, Outcomes.bad(lost, STOCK, false));
  }

  @Test
  void rightWaysAreCounted() {
    assertEquals(2, Outcomes.right(STOCK));
    assertEquals(0, Outcomes.right(Map.of()));
  }
}
