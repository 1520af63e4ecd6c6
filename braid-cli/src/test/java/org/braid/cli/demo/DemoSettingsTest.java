package org.braid.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.PlacementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DemoSettingsTest {
  private static DemoSettings settings(String code, int racks, int nodes, OptionalInt perRack) {
    return new DemoSettings(Codes.named(code), racks, nodes, 1 << 20, perRack, 4, 1 << 18, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "rs-6-3, 6, 18, 2",
    "rs-10-4, 8, 24, 2",
    "rs-3-2, 6, 6, 1",
    "rs-6-3, 9, 27, 1",
    "rs-3-2, 5, 8, 2"
  })
  void findsTheFewestBlocksARack(String code, int racks, int nodes, int perRack) {
    assertEquals(perRack, settings(code, racks, nodes, OptionalInt.empty()).rule().perRack());
  }

  /** Every family's own topology is large enough, and no larger than need be. */
  @ParameterizedTest
  @CsvSource({
    "rs-6-3, 6, 3",
    "rs-10-4, 6, 3",
    "lrc-10-2-2, 6, 3",
    "xorbas-10-6-5, 6, 3",
    "mxor-10-7, 9, 3",
    "rstair-n5-r4-m1-e2-l1, 5, 5",
    "rotated-rs-6-3-4, 6, 3"
  })
  void aCodeHasItsOwnTopology(String name, int racks, int nodesPerRack) {
    ErasureCode code = Codes.named(name);
    assertEquals(racks, DemoSettings.racks(code));
    assertEquals(nodesPerRack, DemoSettings.nodesPerRack(code));
    settings(name, racks, racks * nodesPerRack, OptionalInt.empty()).rule();
  }

  @Test
  void refusesTooFewNodesWithNumbers() {
    PlacementException e =
        assertThrows(
            PlacementException.class, () -> settings("rs-10-4", 6, 6, OptionalInt.empty()).rule());
    assertEquals(14, e.needed());
    assertEquals(6, e.available());
    assertTrue(e.getMessage().contains("14") && e.getMessage().contains("6"), e.getMessage());
  }

  @Test
  void refusesAClusterThatFitsOnlyWhole() {
    PlacementException e =
        assertThrows(
            PlacementException.class, () -> settings("rs-6-3", 3, 9, OptionalInt.empty()).rule());
    assertEquals(
        "rs-6-3 fits on 9 nodes in 3 racks with at most 3 blocks of a stripe in a rack, but not"
            + " while rack0-node0 is down, so nothing could be rebuilt: give more --nodes or"
            + " --racks",
        e.getMessage());
  }

  @Test
  void keepsTheNumberThatWasAskedFor() {
    PlacementException e =
        assertThrows(
            PlacementException.class, () -> settings("rs-3-2", 5, 8, OptionalInt.of(1)).rule());
    assertEquals(
        "rs-3-2 fits on 8 nodes in 5 racks with at most 1 block of a stripe in a rack, but not"
            + " while rack3-node3 is down, so nothing could be rebuilt: give more --nodes or"
            + " --racks or a larger --max-per-rack",
        e.getMessage());
  }
}
