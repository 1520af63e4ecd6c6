package org.braid.hdfs.coordinator.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.braid.placement.Topology;
import org.junit.jupiter.api.Test;

final class InspectionTest {
  private static DatanodeInfo node(AdminStates state) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setDatanodeUuid(state.name())
        .setHostName(state.name())
        .setNetworkLocation("/rack-" + state.name())
        .setAdminState(state)
        .build();
  }

  /** Conversion puts no block on others. */
  @Test
  void onlyNodesInServiceAreCountedAsPlaces() {
    List<DatanodeInfo> nodes = new ArrayList<>();
    for (AdminStates state : AdminStates.values()) {
      nodes.add(node(state));
    }
    Topology topology = Inspection.places(nodes);
    assertEquals(1, topology.nodes());
    assertEquals("NORMAL", topology.nodeName(0));
    assertEquals(1, topology.racks());
  }

  /** Whoever was decommissioned or is in maintenance may be off, as braid status has it. */
  @Test
  void deadNodesAreMissingOnlyInService() {
    List<DatanodeInfo> nodes = new ArrayList<>();
    for (AdminStates state : AdminStates.values()) {
      nodes.add(node(state));
    }
    assertEquals(List.of("datanode NORMAL"), Inspection.missing(nodes));
  }
}
