package org.braid.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
  void otherTextsAreRefused() {
    for (String text : new String[] {"", "3", "x4", "3x", "1x2x3x4", "3 x 4", "-1x2", "axb"}) {
      assertEquals(
          "\"" + text + "\" is not a topology: RACKSxNODES or SITESxRACKSxNODES, as 16x1 or 3x4x5",
          assertThrows(IllegalArgumentException.class, () -> Topology.parse(text)).getMessage());
    }
    assertEquals(
        "topology 0x4 has 0 nodes, needed are 1 to 1000000",
        assertThrows(IllegalArgumentException.class, () -> Topology.parse("0x4")).getMessage());
    assertThrows(IllegalArgumentException.class, () -> Topology.parse("9999x9999x9999"));
    assertEquals(
        "rack r is at two sites, t is the second",
        assertThrows(
                IllegalArgumentException.class,
                () -> Topology.builder().add("a", "r", "s").add("b", "r", "t"))
            .getMessage());
  }
}
