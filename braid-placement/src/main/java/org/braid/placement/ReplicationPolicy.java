package org.braid.placement;

import org.braid.code.ErasureCode;

/** A way to place the replicas of blocks that may be encoded later. */
public interface ReplicationPolicy {
  /** The name on command lines. */
  String name();

  /** What it does, in one line. */
  String description();

  /** Where it is described. */
  String source();

  /**
   * The policy on a cluster.
   *
   * @param code the code of the stripes to come
   * @param limits where their blocks may be after encoding; target racks among them
   * @param layout how the replicas of a block are spread over racks
   * @throws PlacementException when the policy cannot keep its promises for the code there
   */
  BlockPlacer on(Topology topology, ErasureCode code, StripeLimits limits, ReplicaLayout layout);
}
