package org.braid.sim.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.braid.placement.Topology;
import org.braid.sim.time.Simulation;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MaxMinFairFlowsTest {
  private record World(Simulation simulation, Fabric fabric, SimulatedNetwork network) {
    static World of(Topology topology, Fabric.Speeds speeds) {
      Simulation simulation = new Simulation();
      Fabric fabric = new Fabric(topology, speeds);
      return new World(
          simulation, fabric, new SimulatedNetwork(simulation, fabric, LinkSharing.FAIR));
    }

    /** Sends and notes when it ends. */
    void send(int from, int to, long bytes, double[] ends, int flow) {
      network.send(from, to, bytes, () -> ends[flow] = Simulation.seconds(simulation.now()));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2.0", "2, 4.0", "5, 10.0"})
  void flowsOfOneLinkShareItEqually(int flows, double seconds) {
    World world = World.of(Topology.of(1, 6), Fabric.Speeds.ofNetwork(1e6, 1e9));
    double[] ends = new double[flows];
    for (int i = 0; i < flows; i++) {
      world.send(0, 1 + i, 2_000_000, ends, i);
    }
    world.simulation().run();
    double[] expected = new double[flows];
    Arrays.fill(expected, seconds);
    assertArrayEquals(expected, ends, 1e-6);
    world.network().conservation().verifyEnded();
  }

  /** A short flow slows a long one down only while it is there. */
  @Test
  void ratesChangeWhenFlowsComeAndGo() {
    World world = World.of(Topology.of(1, 3), Fabric.Speeds.ofNetwork(1e6, 1e9));
    double[] ends = new double[2];
    world.send(0, 1, 4_000_000, ends, 0);
    world.simulation().after(Simulation.nanos(1), () -> world.send(0, 2, 1_000_000, ends, 1));
    world.simulation().run();
    assertEquals(3, ends[1], 1e-6);
    assertEquals(5, ends[0], 1e-6);
  }

  @Test
  void delaysAddToTheTimeOnTheLinks() {
    double[][] delays = {{0, 0.03}, {0.04, 0}};
    double infinite = Double.POSITIVE_INFINITY;
    var speeds =
        new Fabric.Speeds(1e6, infinite, 5e5, infinite, infinite, Fabric.Delays.ofSites(delays));
    World world = World.of(Topology.of(2, 1, 2), speeds);
    double[] ends = new double[2];
    world.send(0, 2, 1_000_000, ends, 0);
    world.send(3, 1, 1_000_000, ends, 1);
    world.simulation().run();
    assertEquals(2.03, ends[0], 1e-6);
    assertEquals(2.04, ends[1], 1e-6);
    assertEquals(2_000_000, world.network().crossSiteBytes());
  }

  /** The ends of random flows are those of an independent solver; 2 % is allowed, 1e-5 is kept. */
  @ParameterizedTest
  @CsvSource({"1, 3, 4, 60", "1, 8, 5, 120", "3, 2, 3, 90", "2, 5, 8, 120"})
  void endsAreThoseOfAnIndependentSolver(int sites, int racks, int nodes, int flows) {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 2; round++) {
      Topology topology = Topology.of(sites, racks, nodes);
      double uplink = 1e6 * (0.3 + 3 * random.nextDouble());
      double site = 1e6 * (0.3 + 3 * random.nextDouble());
      World world =
          World.of(topology, new Fabric.Speeds(1e6, uplink, site, 1e6, 1e6, Fabric.Delays.NONE));
      double[] begins = random.doubles(flows, 0, 4).sorted().toArray();
      List<int[]> routes = new ArrayList<>();
      double[] bytes = new double[flows];
      double[] ends = new double[flows];
      for (int i = 0; i < flows; i++) {
        int from = random.nextInt(topology.nodes());
        int to = (from + 1 + random.nextInt(topology.nodes() - 1)) % topology.nodes();
        long size = random.nextInt(10_000, 2_000_000);
        // Some begin at the same instant.
        begins[i] = i > 0 && random.nextInt(4) == 0 ? begins[i - 1] : begins[i];
        bytes[i] = size;
        routes.add(world.fabric().route(from, to));
        int flow = i;
        world
            .simulation()
            .at(Simulation.nanos(begins[i]), () -> world.send(from, to, size, ends, flow));
      }
      world.simulation().run();
      world.network().conservation().verifyEnded();
      double[] capacities = new double[world.fabric().links()];
      Arrays.setAll(capacities, world.fabric()::rate);
      double[] expected = MaxMinOracle.ends(routes, begins, bytes, capacities);
      for (int i = 0; i < flows; i++) {
        double took = expected[i] - begins[i];
        assertEquals(took, ends[i] - begins[i], 1e-5 * took + 1e-6, "flow " + i);
      }
    }
  }

  /** What happens in one corner of a cluster is the same, and as many events, in a large one. */
  @Test
  void aFlowCostsTheSameInALargeCluster() {
    assertEquals(eventsOn(Topology.of(10, 10)), eventsOn(Topology.of(500, 20)));
  }

  private static long eventsOn(Topology topology) {
    World world = World.of(topology, Fabric.Speeds.ofNetwork(1e6, 1e9));
    for (int i = 0; i < 5_000; i++) {
      int from = i % 50;
      int to = (i + 1) % 50;
      world.simulation().at(i * 100_000L, () -> world.network().send(from, to, 1_000, () -> {}));
    }
    world.simulation().run();
    return world.simulation().happened();
  }
}
