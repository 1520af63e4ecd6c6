package org.braid.sim.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.net.Fabric;
import org.braid.sim.net.LinkSharing;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Closed forms of repair times. */
final class SimulatedEngineTest {
  private static final double RATE = 1e6;
  private static final long BLOCK = 1_000_000;

  private static double repair(String code, String shape, long slice, LinkSharing sharing) {
    return repair(
        code,
        shape,
        slice,
        sharing,
        new Fabric.Speeds(
            RATE,
            Double.POSITIVE_INFINITY,
            Double.POSITIVE_INFINITY,
            Double.POSITIVE_INFINITY,
            Double.POSITIVE_INFINITY,
            Fabric.Delays.NONE));
  }

  private static double repair(
      String name, String shape, long slice, LinkSharing sharing, Fabric.Speeds speeds) {
    ErasureCode code = Codes.named(name);
    Topology topology = Topology.of(1, code.n() + 1);
    Plan plan =
        RepairPlanners.named(shape)
            .plan(
                Solver.solve(code, List.of(0), IntStream.rangeClosed(1, code.k()).boxed().toList())
                    .orElseThrow(),
                block -> block,
                code.n());
    Simulation simulation = new Simulation();
    SimulatedNetwork network =
        new SimulatedNetwork(simulation, new Fabric(topology, speeds), sharing);
    List<SimulatedRun> runs = new ArrayList<>();
    new SimulatedEngine(network, slice, 4).begin(plan, BLOCK, Payload.SIZES, runs::add);
    simulation.run();
    network.conservation().verifyEnded();
    return runs.get(0).seconds();
  }

  /** k + slices - 1 slices on a link ("Repair Pipelining for Erasure-Coded Storage", 3.2). */
  @ParameterizedTest
  @CsvSource({"rs-6-3, 1000000", "rs-6-3, 100000", "rs-10-4, 10000", "rs-12-4, 1000"})
  void aChainTakesHelpersAndSlices(String code, long slice) {
    int k = Codes.named(code).k();
    double slices = (double) BLOCK / slice;
    double expected = (k + slices - 1) * slice / RATE;
    for (LinkSharing sharing : LinkSharing.values()) {
      assertEquals(expected, repair(code, "chain", slice, sharing), 1e-5, sharing.label());
    }
  }

  /** Theorem 1 of PPR: ceil(log2(k+1)) steps, where star takes k. */
  @ParameterizedTest
  @CsvSource({"rs-3-2, 2", "rs-6-3, 3", "rs-8-3, 4", "rs-10-4, 4", "rs-12-4, 4", "rs-16-4, 5"})
  void pprTakesTheLogarithmOfTheHelpers(String code, int steps) {
    for (LinkSharing sharing : LinkSharing.values()) {
      assertEquals(steps * BLOCK / RATE, repair(code, "ppr", BLOCK, sharing), 1e-5);
      int k = Codes.named(code).k();
      assertEquals(k * BLOCK / RATE, repair(code, "star", BLOCK, sharing), 1e-5);
      assertEquals(k * BLOCK / RATE, repair(code, "star", BLOCK / 100, sharing), 1e-5);
    }
  }

  /** A block is read, then summed up: what one node does takes as long as it is slow. */
  @ParameterizedTest
  @EnumSource(LinkSharing.class)
  void disksAndProcessorsTakeTheirTime(LinkSharing sharing) {
    double infinite = Double.POSITIVE_INFINITY;
    var disks = new Fabric.Speeds(infinite, infinite, infinite, 1e5, infinite, Fabric.Delays.NONE);
    // All read at once; the root then stores.
    assertEquals(20, repair("rs-6-3", "star", BLOCK, sharing, disks), 1e-5);
    var cpu = new Fabric.Speeds(infinite, infinite, infinite, infinite, 1e6, Fabric.Delays.NONE);
    // Helpers multiply, each by itself; the root adds six.
    assertEquals(7, repair("rs-6-3", "star", BLOCK, sharing, cpu), 1.01);
  }

  @Test
  void refusesWhatNoStreamCanCarry() {
    SimulatedNetwork network =
        new SimulatedNetwork(
            new Simulation(),
            new Fabric(Topology.of(1, 2), Fabric.Speeds.ofNetwork(1, 1)),
            LinkSharing.FAIR);
    String message =
        assertThrows(IllegalArgumentException.class, () -> new SimulatedEngine(network, 0, 1))
            .getMessage();
    assertEquals("slices of 0 bytes, 1 of them in a stream: both must be at least 1", message);
  }
}
