package org.braid.hdfs.client.degraded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.hdfs.stripe.Datanode;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.testing.Seeds;
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

  private static Datanode node(String uuid, String rack, boolean live) {
    return Datanode.builder(uuid)
        .host(uuid)
        .ip("127.0.0.1")
        .ipcPort(1)
        .transferPort(2)
        .rack(rack)
        .remaining(1L << 30)
        .live(live)
        .blockPool("pool")
        .build();
  }

  /** A network is made for each piece that is read, and for each rack that a location may name. */
  @Test
  void nodesOfOtherRacksAreNoPartOfIt() {
    Map<String, Datanode> byUuid = new LinkedHashMap<>();
    for (int i = 0; i < 2000; i++) {
      byUuid.put("uuid-" + i, node("uuid-" + i, "/site" + i % 2 + "/rack" + i % 100, true));
    }
    Map<Integer, Datanode> holders = new LinkedHashMap<>();
    for (int i = 1; i < 5; i++) {
      holders.put(i, byUuid.getOrDefault("uuid-" + i, node(0, true)));
    }
    StripeNetwork seen =
        StripeNetwork.of(5, holders, Map.of(), byUuid, Optional.empty(), Network.Volume.DEFAULT);
    // A reader whose rack is not known has the number after all others.
    assertEquals(1 + 4 * 20, seen.client());
  }

  /** The network of all nodes. */
  private static StripeNetwork whole(
      int n, Map<Integer, Datanode> holders, Map<String, Datanode> nodes, Optional<String> rack) {
    Topology.Builder topology = Topology.builder();
    String known =
        Stream.concat(holders.values().stream().map(Datanode::rack), rack.stream())
            .min(Comparator.naturalOrder())
            .orElse("");
    String nowhere = known.substring(0, Math.max(0, known.lastIndexOf('/'))) + "/-";
    for (int i = 0; i < n; i++) {
      Datanode holder = holders.get(i);
      NetworkLocations.add(topology, "block " + i, holder == null ? nowhere : holder.rack());
    }
    rack.ifPresent(name -> NetworkLocations.add(topology, "client", name));
    nodes.values().stream()
        .filter(node -> node.live() && !holders.containsValue(node))
        .forEach(node -> NetworkLocations.add(topology, node.uuid(), node.rack()));
    Topology built = topology.build();
    return new StripeNetwork(Network.of(built), rack.isPresent() ? n : built.nodes());
  }

  @Test
  void itIsLikeTheNetworkOfAllNodesForTheStripeAndItsReader() {
    Random random = Seeds.random(StripeNetworkTest.class);
    for (int run = 0; run < 500; run++) {
      int sites = 1 + random.nextInt(3);
      int racks = sites + random.nextInt(8);
      Map<String, Datanode> byUuid = new LinkedHashMap<>();
      for (int i = 0; i < 40; i++) {
        int rack = random.nextInt(racks);
        String location = "/site" + rack % sites + "/rack" + rack;
        byUuid.put("u" + i, node("u" + i, location, random.nextInt(5) > 0));
      }
      List<Datanode> nodes = new ArrayList<>(byUuid.values());
      Map<Integer, Datanode> holders = new LinkedHashMap<>();
      for (int i = 0; i < 6; i++) {
        if (random.nextInt(4) > 0) {
          holders.put(i, nodes.get(10 + i));
        }
      }
      Optional<String> rack =
          random.nextInt(3) == 0
              ? Optional.empty()
              : Optional.of(nodes.get(random.nextInt(nodes.size())).rack());
      StripeNetwork seen =
          StripeNetwork.of(6, holders, Map.of(), byUuid, rack, Network.Volume.DEFAULT);
      assertAlike(whole(6, holders, byUuid, rack), seen);
    }
  }

  private static void assertAlike(StripeNetwork whole, StripeNetwork seen) {
    for (int i = 0; i <= 6; i++) {
      int one = i < 6 ? i : seen.client();
      int same = i < 6 ? i : whole.client();
      assertEquals(
          whole.network().uplink(whole.network().rackOf(same)),
          seen.network().uplink(seen.network().rackOf(one)),
          "uplink of " + i);
      for (int j = 0; j < 6; j++) {
        assertEquals(whole.network().sameRack(same, j), seen.network().sameRack(one, j));
        assertEquals(
            whole.network().siteOf(same) == whole.network().siteOf(j),
            seen.network().siteOf(one) == seen.network().siteOf(j),
            "sites of " + i + " and " + j);
      }
    }
  }
}
