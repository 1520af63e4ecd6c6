package org.braid.placement.replication;

import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;

/**
 * Draws layouts of one block whose first replica is in the core rack of its stripe (EAR section
 * 3.1.1).
 */
final class CoreRackDraw {
  private final EligibleNodes eligible;
  private final Topology topology;
  private final ReplicatedStripe earlier;
  private final int writer;
  private final int replicas;
  private final ReplicaLayout layout;
  private final RandomGenerator random;
  private final int core;

  CoreRackDraw(
      EligibleNodes eligible,
      ReplicatedStripe earlier,
      int writer,
      int replicas,
      ReplicaLayout layout,
      RandomGenerator random) {
    this.eligible = eligible;
    this.topology = eligible.topology();
    this.earlier = earlier;
    this.writer = writer;
    this.replicas = replicas;
    this.layout = layout;
    this.random = random;
    if (earlier.coreRack() < -1 || earlier.coreRack() >= topology.racks()) {
      throw new IllegalArgumentException(
          "core rack " + earlier.coreRack() + " is not among the " + topology.racks() + " racks");
    }
    empty(); // refuses too few nodes
    this.core = choose();
  }

  private int choose() {
    if (earlier.coreRack() >= 0) {
      return earlier.coreRack();
    }
    if (!earlier.replicas().isEmpty()) {
      return EncoderChoice.fullestRack(topology, eligible::anyIn, earlier.replicas(), random);
    }
    return topology.rackOf(
        eligible.contains(writer) ? writer : eligible.pick(node -> true, random));
  }

  /** The core rack of the stripe; chosen here when the stripe has none. */
  int core() {
    return core;
  }

  /** A draw without replicas. */
  ReplicaDraw empty() {
    return new ReplicaDraw(eligible, replicas, layout, random);
  }

  /**
   * A draw with the first replica: on the writer if it is in the core rack, else on a random node
   * of that rack.
   */
  ReplicaDraw first() {
    ReplicaDraw draw = empty();
    if (eligible.contains(writer) && topology.rackOf(writer) == core) {
      draw.take(writer);
      return draw;
    }
    int node = eligible.pickIn(core, n -> true, random);
    if (node == EligibleNodes.NONE) {
      throw new PlacementException(
          "nodes in the core rack",
          1,
          0,
          ("core rack %s has no eligible node for the first replica of block %d of the stripe:"
                  + " start a stripe in another core rack")
              .formatted(topology.rackName(core), earlier.replicas().size() + 1));
    }
    draw.take(node);
    return draw;
  }

  /** The nodes of all replicas. */
  int[] draw() {
    return first().finish();
  }
}
