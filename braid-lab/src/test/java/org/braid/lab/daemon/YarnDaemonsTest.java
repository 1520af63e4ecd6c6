package org.braid.lab.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.lab.LabSettings;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;
import org.junit.jupiter.api.Test;

final class YarnDaemonsTest {
  private static final LabTopology TOPOLOGY = LabTopology.parse("3x2", 1);

  @Test
  void nodeManagersAreInAllRacksInTurn() {
    assertEquals(List.of("r0n0", "r1n0", "r2n0", "r0n1"), YarnDaemons.hosts(TOPOLOGY, 4));
    assertEquals(6, YarnDaemons.hosts(TOPOLOGY, 6).size());
  }

  @Test
  void rolesAreThoseOfYarnAlone() {
    assertEquals(List.of(), YarnDaemons.roles(TOPOLOGY, 0));
    assertEquals(List.of("rm", "nm-r0n0", "nm-r1n0"), YarnDaemons.roles(TOPOLOGY, 2));
    assertEquals("/r1", YarnDaemons.location("nm-r1n0", TOPOLOGY));
    assertEquals("", YarnDaemons.location("rm", TOPOLOGY));
    assertEquals("the NodeManager of r1n0", Daemons.called("nm-r1n0"));
    assertEquals("DataNode r1n0", Daemons.called("r1n0"));
  }

  @Test
  void memoryGrowsWithNodeManagers() {
    assertEquals(0, YarnDaemons.memory(0));
    assertTrue(YarnDaemons.memory(6) > YarnDaemons.memory(3));
  }

  @Test
  void noMoreNodeManagersThanDataNodes() {
    LabSettings settings = LabSettings.of(TOPOLOGY, LinkLimits.NONE);
    assertEquals(6, settings.withNodeManagers(6).nodeManagers());
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> settings.withNodeManagers(7));
    assertEquals("7 NodeManagers are not within 0 and the number of DataNodes, 6", e.getMessage());
  }
}
