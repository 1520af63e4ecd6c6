package org.braid.sim.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.braid.placement.Topology;
import org.braid.sim.time.Simulation;
import org.junit.jupiter.api.Test;

/** The checker sees what a wrong model does. */
final class ConservationCheckerTest {
  private final Simulation simulation = new Simulation();
  private final Fabric fabric = new Fabric(Topology.of(1, 3), Fabric.Speeds.ofNetwork(1000, 1000));
  private final ConservationChecker checker = new ConservationChecker(simulation, fabric);

  private String broken() {
    return assertThrows(IllegalStateException.class, checker::verify).getMessage();
  }

  @Test
  void whatIsRightPasses() {
    checker.began(1, fabric.route(0, 1), 1000);
    checker.began(2, fabric.route(0, 2), 500);
    checker.rate(1, 500);
    checker.rate(2, 500);
    simulation.runUntil(Simulation.nanos(1));
    checker.ended(2);
    checker.rate(1, 1000);
    simulation.runUntil(Simulation.nanos(1.5));
    checker.ended(1);
    checker.verifyEnded();
    assertEquals(2, checker.transfers());
    assertEquals(1500, checker.carried(fabric.route(0, 1)[0]), 1e-6);
  }

  @Test
  void aLinkAboveItsRateIsSeen() {
    checker.began(1, fabric.route(0, 1), 1000);
    checker.began(2, fabric.route(0, 2), 1000);
    checker.rate(1, 600);
    checker.rate(2, 600);
    simulation.runUntil(Simulation.nanos(1));
    assertEquals(
        "the network model broke its own rules 1 times: the sending side of node r0n0 carried 1200"
            + " bytes a second from 0.000000000 s on, its rate is 1000",
        broken());
  }

  @Test
  void lostAndInventedBytesAreSeen() {
    checker.began(7, fabric.route(0, 1), 1000);
    checker.rate(7, 900);
    simulation.runUntil(Simulation.nanos(1));
    checker.ended(7);
    assertEquals(
        "the network model broke its own rules 1 times: transfer 7 was asked for 1000 bytes and"
            + " moved 900.0",
        broken());
  }

  @Test
  void whatEndsTwiceOrNeverIsSeen() {
    checker.began(7, fabric.route(0, 1), 1000);
    checker.rate(7, 1000);
    checker.began(8, fabric.route(1, 2), 1);
    simulation.runUntil(Simulation.nanos(1));
    checker.ended(7);
    checker.ended(7);
    assertEquals(
        "the network model broke its own rules 2 times: transfer 7 ended without having begun, or"
            + " twice; 1 transfers never ended",
        assertThrows(IllegalStateException.class, checker::verifyEnded).getMessage());
  }
}
