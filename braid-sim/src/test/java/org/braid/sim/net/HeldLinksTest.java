package org.braid.sim.net;

import static org.braid.sim.net.Fabric.Delays.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.braid.placement.Topology;
import org.braid.sim.time.Simulation;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class HeldLinksTest {
  private static final long SECOND = 1_000_000;

  private final Simulation simulation = new Simulation();

  private SimulatedNetwork idle(Topology topology, double uplink) {
    return idle(topology, uplink, LinkSharing.HELD);
  }

  private SimulatedNetwork idle(Topology topology, double uplink, LinkSharing sharing) {
    Fabric fabric = new Fabric(topology, Fabric.Speeds.ofNetwork(SECOND, uplink));
    return new SimulatedNetwork(simulation, fabric, sharing);
  }

  private void send(SimulatedNetwork network, int from, int to, List<String> ends) {
    network.send(
        from,
        to,
        SECOND,
        () -> ends.add(from + "-" + to + " " + Math.round(Simulation.seconds(simulation.now()))));
  }

  @Test
  void transfersOfOneLinkComeOneAfterTheOtherInTheirOrder() {
    SimulatedNetwork network = idle(Topology.of(1, 5), SECOND);
    List<String> ends = new ArrayList<>();
    for (int to : new int[] {3, 1, 4, 2}) {
      send(network, 0, to, ends);
    }
    simulation.run();
    assertEquals(List.of("0-3 1", "0-1 2", "0-4 3", "0-2 4"), ends);
    network.conservation().verifyEnded();
  }

  /** Whoever waits for one link keeps nobody off another. */
  @Test
  void aTransferThatWaitsHoldsNothing() {
    SimulatedNetwork network = idle(Topology.of(1, 4), SECOND);
    List<String> ends = new ArrayList<>();
    send(network, 0, 3, ends);
    send(network, 1, 3, ends);
    send(network, 1, 2, ends);
    simulation.run();
    assertEquals(List.of("0-3 1", "1-2 1", "1-3 2"), ends);
  }

  /** Pipelines hold several links of a kind, and still none waits for ever. */
  @ParameterizedTest
  @EnumSource(LinkSharing.class)
  void allPipelinesEnd(LinkSharing sharing) {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(4, 2);
    SimulatedNetwork network = idle(topology, SECOND, sharing);
    int[] ended = {0};
    for (int i = 0; i < 300; i++) {
      int[] nodes = random.ints(0, topology.nodes()).distinct().limit(5).toArray();
      simulation.at(
          random.nextInt(1_000_000_000),
          () -> network.pipeline(nodes[0], nodes, SECOND, () -> ended[0]++));
    }
    simulation.run();
    assertEquals(300, ended[0]);
    network.conservation().verifyEnded();
  }

  /** Reserved, an uplink is idle while who has it waits for a node's link. */
  @Test
  void aReservedLinkIsKeptWhileItsPacketWaits() {
    SimulatedNetwork network = idle(Topology.of(2, 2), SECOND, LinkSharing.RESERVED);
    List<String> ends = new ArrayList<>();
    send(network, 2, 3, ends);
    send(network, 0, 3, ends);
    send(network, 1, 2, ends);
    simulation.run();
    assertEquals(List.of("2-3 1", "0-3 2", "1-2 3"), ends);
    network.conservation().verifyEnded();
  }

  /** Packets of transfers take turns: two that share a link are both done after the time of two. */
  @Test
  void reservedLinksAreSharedPacketByPacket() {
    SimulatedNetwork network = idle(Topology.of(1, 3), SECOND, LinkSharing.RESERVED);
    double[] ends = new double[2];
    for (int to = 1; to <= 2; to++) {
      int at = to - 1;
      network.send(
          0, to, 5 * ReservedLinks.PACKET, () -> ends[at] = Simulation.seconds(simulation.now()));
    }
    simulation.run();
    double packet = (double) ReservedLinks.PACKET / SECOND;
    assertEquals(9 * packet, ends[0], 1e-6);
    assertEquals(10 * packet, ends[1], 1e-6);
    network.conservation().verifyEnded();
  }

  @Test
  void bothDirectionsOfALinkAreApartAndUplinksAreShared() {
    SimulatedNetwork network = idle(Topology.of(2, 2), SECOND);
    List<String> ends = new ArrayList<>();
    send(network, 0, 2, ends);
    send(network, 2, 0, ends);
    send(network, 1, 3, ends); // the uplink of the first rack is held by the first transfer
    simulation.run();
    assertEquals(List.of("0-2 1", "2-0 1", "1-3 2"), ends);
  }

  /** What a node may send to other racks is all of them together; its own rack gets more. */
  @ParameterizedTest
  @EnumSource(LinkSharing.class)
  void whatLeavesARackIsLimitedByNode(LinkSharing sharing) {
    Topology topology = Topology.of(3, 2);
    double infinite = Double.POSITIVE_INFINITY;
    var speeds =
        new Fabric.Speeds(SECOND, infinite, infinite, infinite, 1, NONE, 0.1 * SECOND)
            .withoutProcessors();
    SimulatedNetwork network =
        new SimulatedNetwork(simulation, new Fabric(topology, speeds), sharing);
    Map<String, Double> ends = new HashMap<>();
    for (int[] way : new int[][] {{0, 1}, {2, 4}, {2, 5}, {3, 4}}) {
      network.send(
          way[0],
          way[1],
          SECOND,
          () -> ends.put(way[0] + "-" + way[1], Simulation.seconds(simulation.now())));
    }
    simulation.run();
    network.conservation().verifyEnded();
    assertEquals(1, ends.get("0-1"), 0.01);
    assertEquals(20, Math.max(ends.get("2-4"), ends.get("2-5")), 0.01);
    assertTrue(ends.get("3-4") < 20.01, ends.toString());
  }

  /** No mix of transfers gets stuck, and what they carry is what was asked for. */
  @ParameterizedTest
  @EnumSource(LinkSharing.class)
  void allTransfersEnd(LinkSharing sharing) {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(3, 3, 3);
    var speeds = new Fabric.Speeds(3e6, 2e6, 1e6, 1e6, 1e6, Fabric.Delays.NONE);
    Fabric fabric = new Fabric(topology, speeds);
    SimulatedNetwork network = new SimulatedNetwork(simulation, fabric, sharing);
    int[] ended = {0};
    double asked = 0;
    for (int i = 0; i < 600; i++) {
      int from = random.nextInt(topology.nodes());
      int to = (from + 1 + random.nextInt(topology.nodes() - 1)) % topology.nodes();
      long bytes = random.nextInt(300_000);
      asked += (double) bytes * fabric.route(from, to).length;
      simulation.at(
          random.nextInt(1_000_000_000), () -> network.send(from, to, bytes, () -> ended[0]++));
    }
    simulation.run();
    assertEquals(600, ended[0]);
    network.conservation().verifyEnded();
    double carried = 0;
    for (int link = 0; link < fabric.links(); link++) {
      carried += network.conservation().carried(link);
    }
    assertEquals(asked, carried, 1e-6 * asked + 600 * 6);
  }
}
