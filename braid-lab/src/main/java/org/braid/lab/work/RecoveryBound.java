package org.braid.lab.work;

import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;
import org.braid.placement.Topology;

/**
 * A lower bound of the time to rebuild the blocks of a lost node over the links of a lab, for any
 * plan and schedule: each of the k helpers of a block of an MDS code sends at least one block, and
 * the partial sum of a rack crosses its uplink once. It assumes evenly loaded links.
 */
final class RecoveryBound {
  /** Share of TCP payload in Ethernet frames, by which links are limited. */
  private static final double PAYLOAD = 0.956;

  private RecoveryBound() {}

  /**
   * Least number of blocks that cross racks for a rebuilt one: racks have at most the same number
   * of blocks of a stripe, and one of them keeps a place for the new block.
   *
   * @param k blocks that are read
   * @param perRack most blocks of a stripe in a rack
   */
  static int crossings(int k, int perRack) {
    return ceilDiv(Math.max(0, k - (perRack - 1)), perRack);
  }

  /** The quotient, rounded up. */
  static int ceilDiv(int dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /**
   * The bound.
   *
   * @param victim name of the lost node
   * @param bytes of all lost blocks
   * @param reads blocks that helpers send for a rebuilt one; 1: a plain copy
   * @param crossings blocks that cross racks for a rebuilt one
   * @return seconds
   */
  static double seconds(
      LabTopology lab, LinkLimits limits, String victim, double bytes, int reads, int crossings) {
    Topology topology = lab.topology();
    double nodes =
        lab.hosts().stream()
            .filter(host -> host.role() == Host.Role.DATA_NODE)
            .filter(host -> !host.name().equals(victim))
            .mapToDouble(limits::ofHost)
            .sum();
    double uplinks = 0;
    for (int rack = 0; rack < topology.racks(); rack++) {
      uplinks += limits.ofRack(lab, rack);
    }
    return Math.max(reads * bytes / nodes, crossings * bytes / uplinks) / PAYLOAD;
  }
}
