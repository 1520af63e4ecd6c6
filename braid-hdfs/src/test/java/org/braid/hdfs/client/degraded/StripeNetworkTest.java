package org.braid.hdfs.client.degraded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.braid.hdfs.stripe.Datanode;
import org.braid.plan.cost.Network;
import org.junit.jupiter.api.Test;

/** Which nodes a reader counts when it compares ways to rebuild a block. */
final class StripeNetworkTest {
  private static Datanode node(int index, boolean live) {
    return Datanode.builder("uuid-" + index)
        .host("node-" + index)
        .ip("127.0.0.1")
        .ipcPort(1)
        .transferPort(2)
        .rack("/site" + index % 3 % 2 + "/rack" + index % 3)
        .remaining(1L << 30)
        .live(live)
        .blockPool("pool")
        .build();
  }

  /** Blocks 0 and 3 are lost with rack 0: whoever is listed first, no uplink is wider for them. */
  @Test
  void blocksThatCannotBeReadMakeNoUplinkWider() {
    List<Datanode> nodes = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      nodes.add(node(i, i % 3 != 0));
    }
    Map<Integer, Datanode> holders = Map.of(1, nodes.get(1), 2, nodes.get(2), 4, nodes.get(4));
    for (int turn = 0; turn < nodes.size(); turn++) {
      Collections.rotate(nodes, 1);
      Map<String, Datanode> byUuid = new LinkedHashMap<>();
      nodes.forEach(node -> byUuid.put(node.uuid(), node));
      StripeNetwork seen =
          StripeNetwork.of(
              5, holders, Map.of(), byUuid, Optional.of("/site1/rack1"), Network.Volume.DEFAULT);
      Network network = seen.network();
      double link = network.rates().link() / network.rates().oversubscription();
      // Nodes 1, 4 and 7 and the reader are in rack 1, nodes 2, 5 and 8 in rack 2.
      assertEquals(4 * link, network.uplink(network.rackOf(seen.client())), "rack 1");
      assertEquals(3 * link, network.uplink(network.rackOf(2)), "rack 2");
      assertTrue(
          Set.of(network.siteOf(1), network.siteOf(2)).contains(network.siteOf(0)), "a third site");
    }
  }
}
