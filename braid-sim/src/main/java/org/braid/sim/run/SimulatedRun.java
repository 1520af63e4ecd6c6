package org.braid.sim.run;

import java.util.Map;
import org.braid.code.SubBlock;
import org.braid.engine.Link;
import org.braid.sim.time.Simulation;

/**
 * What a simulated plan did.
 *
 * @param began when it began, in nanoseconds
 * @param ended when its last node was done
 * @param bytes bytes that moved over each link
 * @param storedAt by sub-block, the node that stores it
 */
public record SimulatedRun(
    long began, long ended, Map<Link, Long> bytes, Map<SubBlock, Integer> storedAt) {
  public SimulatedRun {
    bytes = Map.copyOf(bytes);
    storedAt = Map.copyOf(storedAt);
  }

  /** How long it took. */
  public double seconds() {
    return Simulation.seconds(ended - began);
  }
}
