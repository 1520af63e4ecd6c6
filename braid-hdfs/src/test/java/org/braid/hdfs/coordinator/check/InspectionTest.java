package org.braid.hdfs.coordinator.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.StandbyException;
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

  /** Behind a standby and two observers, for example: else it is said that none is active. */
  @Test
  void theActiveOneMayBeTheLastOfFourNameNodes() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://ns");
    conf.set("dfs.nameservices", "small,ns");
    conf.set("dfs.ha.namenodes.small", "n1,n2");
    conf.set("dfs.ha.namenodes.ns", "n1,n2,n3,n4");
    Inspection.hurry(conf);
    RetryPolicy policy =
        RetryPolicies.failoverOnNetworkException(
            RetryPolicies.TRY_ONCE_THEN_FAIL,
            conf.getInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, -1));
    for (int failovers = 0; failovers < 3; failovers++) {
      assertEquals(
          RetryPolicy.RetryAction.RetryDecision.FAILOVER_AND_RETRY,
          policy.shouldRetry(new StandbyException("standby"), 0, failovers, true).action,
          "after " + failovers + " failovers");
    }
  }
}
