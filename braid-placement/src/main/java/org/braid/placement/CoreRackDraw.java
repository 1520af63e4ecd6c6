package org.braid.placement;

import java.util.random.RandomGenerator;
import org.braid.placement.EncodingAwareReplication.StripeState;

/**
 * Layouts of one block whose first replica is in the core rack of its stripe (EAR section 3.1.1):
 * what stays the same over all draws.
 */
final class CoreRackDraw {
  private final Candidates candidates;
  private final Topology topology;
  private final StripeState earlier;
  private final int writer;
  private final int replicas;
  private final ReplicaLayout layout;
  private final RandomGenerator random;
  private final int core;

  CoreRackDraw(
      Candidates candidates,
      StripeState earlier,
      int writer,
      int replicas,
      ReplicaLayout layout,
      RandomGenerator random) {
    this.candidates = candidates;
    this.topology = candidates.topology();
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
      return EncoderChoice.fullestRack(topology, candidates::anyIn, earlier.replicas(), random);
    }
    return topology.rackOf(
        candidates.contains(writer) ? writer : candidates.pick(node -> true, random));
  }

  /** The core rack: that of the stripe, else the one to choose. */
  int core() {
    return core;
  }

  /** No replica yet. */
  ReplicaDraw empty() {
    return new ReplicaDraw(candidates, replicas, layout, random);
  }

  /** The first replica only: on the writer if it is in the core rack, else on a random node. */
  ReplicaDraw first() {
    ReplicaDraw draw = empty();
    if (candidates.contains(writer) && topology.rackOf(writer) == core) {
      draw.take(writer);
      return draw;
    }
    int node = candidates.pickIn(core, n -> true, random);
    if (node == Candidates.NONE) {
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

  /** All replicas, as the layout has it. */
  int[] draw() {
    return first().finish();
  }
}
