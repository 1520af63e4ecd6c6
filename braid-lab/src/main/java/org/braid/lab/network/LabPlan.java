package org.braid.lab.network;

/**
 * What a lab's network is to be: where everything stands, and how fast the links are.
 *
 * @param topology who stands where
 * @param limits of the links
 */
public record LabPlan(LabTopology topology, Limits limits) {
  public LabPlan {
    limits.check(topology);
  }
}
