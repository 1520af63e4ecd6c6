package org.braid.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.placement.EncodingAwareReplication.BlockPlacement;
import org.braid.placement.EncodingAwareReplication.StripeState;

/**
 * Blocks that wait for the rest of their stripe (EAR sections 3.1.1 and 4): the rack of a block's
 * first replica becomes its core rack, and when a rack has k blocks they are sealed as a stripe. So
 * stripes go across files, and there are as many open ones as racks. Not thread-safe.
 */
public final class PreEncodingStore {
  private final Topology topology;
  private final BlockPlacer placer;
  private final int k;
  private final StripeState[] open;

  /**
   * An empty store.
   *
   * @param placer the policy; one without core racks fills one stripe after the other
   * @param k data blocks of a stripe
   */
  public PreEncodingStore(Topology topology, BlockPlacer placer, int k) {
    if (k < 1) {
      throw new IllegalArgumentException("stripes of " + k + " data blocks, needed is 1 or more");
    }
    this.topology = topology;
    this.placer = placer;
    this.k = k;
    this.open = new StripeState[topology.racks() + 1]; // the last is that of no core rack
    Arrays.fill(open, StripeState.EMPTY);
  }

  /**
   * What became of a block.
   *
   * @param block its places
   * @param sealed the stripe that it completed, if it did
   */
  public record Stored(BlockPlacement block, Optional<StripeState> sealed) {}

  /**
   * Places a block in the open stripe of the writer's rack, or of a random rack without an eligible
   * writer.
   *
   * @throws PlacementException as the policy's
   */
  public Stored add(IntPredicate eligible, int writer, int replicas, RandomGenerator random) {
    Candidates candidates = new Candidates(topology, eligible);
    new ReplicaDraw(candidates, replicas, ReplicaLayout.HDFS, random); // refuses too few nodes
    int first = candidates.contains(writer) ? writer : candidates.pick(node -> true, random);
    int rack = topology.rackOf(first);
    StripeState waiting =
        open[rack].replicas().isEmpty() ? new StripeState(rack, List.of()) : open[rack];
    BlockPlacement block = placer.place(waiting, eligible, first, replicas, random);
    int index = block.coreRack() < 0 ? topology.racks() : block.coreRack();
    List<int[]> blocks = new ArrayList<>(open[index].replicas());
    blocks.add(block.nodes());
    StripeState stripe = new StripeState(block.coreRack(), blocks);
    boolean full = blocks.size() == k;
    open[index] = full ? StripeState.EMPTY : stripe;
    return new Stored(block, full ? Optional.of(stripe) : Optional.empty());
  }

  /** Blocks of stripes that are not sealed. */
  public int waiting() {
    return Arrays.stream(open).mapToInt(stripe -> stripe.replicas().size()).sum();
  }
}
