package org.braid.sim.run;

import java.util.Map;
import org.braid.code.SubBlock;
import org.braid.plan.Link;
import org.braid.sim.time.Simulation;

/**
 * Result of a simulated plan.
 *
 * @param began when it began, in nanoseconds
 * @param ended when its last node was done, in nanoseconds
 * @param bytes that moved, by pair of nodes
 * @param storedAt the node that stores each target
 */
public record SimulatedRun(
    long began, long ended, Map<Link, Long> bytes, Map<SubBlock, Integer> storedAt) {
  public SimulatedRun {
    bytes = Map.copyOf(bytes);
    storedAt = Map.copyOf(storedAt);
  }

  /** The duration. */
  public double seconds() {
    return Simulation.seconds(ended - began);
  }
}
