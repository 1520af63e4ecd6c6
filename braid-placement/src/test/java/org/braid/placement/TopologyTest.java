package org.braid.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TopologyTest {
  @Test
  void notationsAreRead() {
    Topology racks = Topology.parse("3x4");
    assertEquals(3, racks.racks());
    assertEquals(12, racks.nodes());
    assertEquals(1, racks.sites());
    Topology sites = Topology.parse("2x3x4");
    assertEquals(2, sites.sites());
    assertEquals(6, sites.racks());
    assertEquals(24, sites.nodes());
    for (int node = 0; node < sites.nodes(); node++) {
      assertEquals(node / 12, sites.siteOf(node));
      assertEquals(node / 4, sites.rackOf(node));
      assertEquals(sites.siteOf(node), sites.siteOfRack(sites.rackOf(node)));
    }
    assertEquals("s1r2n3", sites.nodeName(23));
    assertEquals("s1r2", sites.rackName(5));
    assertEquals("s1", sites.siteName(1));
  }

  @Test
  void itsTextIsTheNotation() {
    assertEquals("3x4", Topology.parse("3x4").toString());
    assertEquals("2x3x4", Topology.parse("2x3x4").toString());
    assertEquals(
        "3 nodes in 2 racks",
        Topology.builder().add("a", "r").add("b", "r").add("c", "s").build().toString());
  }

  @Test
  void otherTextsAreRefused() {
    for (String text : new String[] {"", "3", "x4", "3x", "1x2x3x4", "3 x 4", "-1x2", "axb"}) {
      assertEquals(
          "\""
              + text
              + "\" is not a topology: write RACKSxNODES or SITESxRACKSxNODES, as in 4x6 or 3x2x6",
          assertThrows(IllegalArgumentException.class, () -> Topology.parse(text)).getMessage());
    }
    assertEquals(
        "topology 0x4 has 0 nodes: at least 1 and at most 1000000 are possible",
        assertThrows(IllegalArgumentException.class, () -> Topology.parse("0x4")).getMessage());
    assertThrows(IllegalArgumentException.class, () -> Topology.parse("9999x9999x9999"));
    assertEquals(
        "rack r is at two sites, t is the second",
        assertThrows(
                IllegalArgumentException.class,
                () -> Topology.builder().add("a", "r", "s").add("b", "r", "t"))
            .getMessage());
  }

  @Test
  void furtherNodesLeaveTheNumbersOfTheOthers() {
    Topology topology = Topology.of(2, 3, 2);
    Topology same = topology.toBuilder().build();
    assertTrue(topology.startsWith(same) && same.startsWith(topology));
    Topology grown =
        topology.toBuilder().add("a", "s0r0", "s0").add("b", "r", "s").add("c", "r", "s").build();
    assertTrue(grown.startsWith(topology));
    assertFalse(topology.startsWith(grown));
    assertEquals(topology.nodes() + 3, grown.nodes());
    assertEquals(topology.racks() + 1, grown.racks());
    for (int node = 0; node < topology.nodes(); node++) {
      assertEquals(topology.nodeName(node), grown.nodeName(node));
      assertEquals(topology.rackOf(node), grown.rackOf(node));
      assertEquals(topology.siteOf(node), grown.siteOf(node));
    }
    assertFalse(Topology.of(2, 3).startsWith(Topology.of(3, 2)));
    assertFalse(
        Topology.builder()
            .add("a", "x")
            .add("b", "x")
            .build()
            .startsWith(Topology.builder().add("a", "x").add("b", "y").build()));
  }
}
