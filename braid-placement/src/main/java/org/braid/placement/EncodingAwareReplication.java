package org.braid.placement;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Encoding-aware replication (EAR sections 3.1 - 3.4): each block of a stripe has a replica in the
 * stripe's core rack, where the stripe is encoded without cross-rack downloads, and the other
 * replicas are drawn as in random replication until every block so far can keep one replica within
 * the limits of the stripe, so that encoding moves no block.
 */
public final class EncodingAwareReplication {
  /** Draws of a block's layout before it is constructed instead. */
  public static final int DEFAULT_MAX_ATTEMPTS = 1000;

  private final Topology topology;
  private final Optional<StripeLimits> limits;
  private final int maxAttempts;

  /** Encoding-aware replication with {@link #DEFAULT_MAX_ATTEMPTS}. */
  public EncodingAwareReplication(Topology topology, StripeLimits limits) {
    this(topology, limits, DEFAULT_MAX_ATTEMPTS);
  }

  /**
   * Encoding-aware replication.
   *
   * @param maxAttempts draws of a block's layout before it is constructed, 0 to construct at once
   */
  public EncodingAwareReplication(Topology topology, StripeLimits limits, int maxAttempts) {
    this(topology, Optional.of(limits), maxAttempts);
    if (maxAttempts < 0) {
      throw new IllegalArgumentException("maxAttempts is " + maxAttempts + ", needed is 0 or more");
    }
  }

  private EncodingAwareReplication(
      Topology topology, Optional<StripeLimits> limits, int maxAttempts) {
    this.topology = topology;
    this.limits = limits;
    this.maxAttempts = maxAttempts;
  }

  /**
   * The preliminary design of section 3.1: a core rack, but no flow test, so that encoding may have
   * to move blocks (probability: {@link ViolationProbability}).
   */
  public static EncodingAwareReplication preliminary(Topology topology) {
    return new EncodingAwareReplication(topology, Optional.empty(), 1);
  }

  /**
   * What is placed of a stripe.
   *
   * @param coreRack the core rack, -1 when it is not chosen
   * @param replicas for each block so far the nodes that hold a replica
   */
  public record StripeState(int coreRack, List<int[]> replicas) {
    /** A stripe without blocks. */
    public static final StripeState EMPTY = new StripeState(-1, List.of());

    /** Copies the list. */
    public StripeState {
      replicas = List.copyOf(replicas);
    }

    /** The stripe after one more block. */
    public StripeState plus(BlockPlacement block) {
      return new StripeState(
          block.coreRack(), Stream.concat(replicas.stream(), Stream.of(block.nodes())).toList());
    }
  }

  /**
   * Where one block goes.
   *
   * @param coreRack the core rack of its stripe
   * @param nodes distinct nodes in the order chosen
   * @param attempts layouts drawn, the constructed one included
   */
  @SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
  public record BlockPlacement(int coreRack, int[] nodes, int attempts) {}

  /**
   * Places the next block of a stripe.
   *
   * <p>If no core rack is chosen, it is, of the racks with eligible nodes, the one that holds most
   * of the earlier blocks; for the first block the writer's rack, or without an eligible writer the
   * rack of a random node. The first replica is on the writer if that is in the core rack. A block
   * of one replica has no second rack to be kept in: it goes to the core rack while the limits
   * allow, then wherever they do.
   *
   * @param earlier blocks of the stripe as they are, chosen here or found
   * @param eligible nodes that may get a replica; earlier replicas may be elsewhere
   * @param writer node that writes the block, -1 when it is outside the cluster
   * @throws PlacementException when there are too few eligible nodes, none in the core rack, or
   *     none that lets the block keep a replica within the limits
   */
  public BlockPlacement place(
      StripeState earlier,
      IntPredicate eligible,
      int writer,
      int replicas,
      RandomGenerator random) {
    if (earlier.coreRack() < -1 || earlier.coreRack() >= topology.racks()) {
      throw new IllegalArgumentException(
          "core rack " + earlier.coreRack() + " is not among the " + topology.racks() + " racks");
    }
    Candidates candidates = new Candidates(topology, eligible);
    Block block = new Block(candidates, earlier, writer, replicas, random);
    if (limits.isEmpty()) {
      return new BlockPlacement(block.core, block.draw(), 1);
    }
    Matching matching = Matching.of(topology, earlier.replicas(), limits.get());
    if (replicas == 1) {
      return block.single(matching, limits.get());
    }
    for (int attempt = 1; attempt <= maxAttempts; attempt++) {
      int[] nodes = block.draw();
      if (Arrays.stream(nodes).anyMatch(matching::accepts)) {
        return new BlockPlacement(block.core, nodes, attempt);
      }
    }
    return new BlockPlacement(block.core, block.construct(matching, limits.get()), maxAttempts + 1);
  }

  /** One call of place: what stays the same over its attempts. */
  private static final class Block {
    private final Candidates candidates;
    private final Topology topology;
    private final StripeState earlier;
    private final int writer;
    private final int replicas;
    private final RandomGenerator random;
    private final int core;

    Block(
        Candidates candidates,
        StripeState earlier,
        int writer,
        int replicas,
        RandomGenerator random) {
      this.candidates = candidates;
      this.topology = candidates.topology();
      this.earlier = earlier;
      this.writer = writer;
      this.replicas = replicas;
      this.random = random;
      new ReplicaDraw(candidates, replicas, random); // refuses too few nodes
      this.core = core();
    }

    private int core() {
      if (earlier.coreRack() >= 0) {
        return earlier.coreRack();
      }
      if (!earlier.replicas().isEmpty()) {
        return EncoderChoice.fullestRack(
            topology, rack -> candidates.in(rack).length > 0, earlier.replicas(), random);
      }
      return topology.rackOf(
          candidates.contains(writer)
              ? writer
              : Candidates.pick(candidates.all(), node -> true, random));
    }

    /** The writer if it is in the core rack, else a random node there. */
    private int first() {
      if (candidates.contains(writer) && topology.rackOf(writer) == core) {
        return writer;
      }
      int node = Candidates.pick(candidates.in(core), n -> true, random);
      if (node == Candidates.NONE) {
        throw new PlacementException(
            "nodes in the core rack",
            1,
            0,
            ("core rack %s has no eligible node for the first replica of block %d of the stripe:"
                    + " start a stripe in another core rack")
                .formatted(topology.rackName(core), earlier.replicas().size() + 1));
      }
      return node;
    }

    int[] draw() {
      ReplicaDraw draw = new ReplicaDraw(candidates, replicas, random);
      draw.take(first());
      return draw.finish();
    }

    /** A layout that passes the flow test, whenever one exists. */
    int[] construct(Matching matching, StripeLimits limits) {
      ReplicaDraw draw = new ReplicaDraw(candidates, replicas, random);
      int first = first();
      int kept =
          Candidates.pick(
              candidates.all(), n -> topology.rackOf(n) != core && matching.accepts(n), random);
      if (kept != Candidates.NONE) {
        draw.take(first);
        draw.take(kept);
      } else {
        draw.take(acceptedInCore(matching, limits));
      }
      return draw.finish();
    }

    private int acceptedInCore(Matching matching, StripeLimits limits) {
      int kept = Candidates.pick(candidates.in(core), matching::accepts, random);
      if (kept == Candidates.NONE) {
        throw noPlace(matching, limits);
      }
      return kept;
    }

    BlockPlacement single(Matching matching, StripeLimits limits) {
      boolean local = candidates.contains(writer) && matching.accepts(writer);
      int node = Candidates.NONE;
      if (local && topology.rackOf(writer) == core) {
        node = writer;
      }
      if (node == Candidates.NONE) {
        node = Candidates.pick(candidates.in(core), matching::accepts, random);
      }
      if (node == Candidates.NONE && local) {
        node = writer;
      }
      if (node == Candidates.NONE) {
        node = Candidates.pick(candidates.all(), matching::accepts, random);
      }
      if (node == Candidates.NONE) {
        throw noPlace(matching, limits);
      }
      return new BlockPlacement(core, new int[] {node}, 1);
    }

    private PlacementException noPlace(Matching matching, StripeLimits limits) {
      int block = earlier.replicas().size() + 1;
      return new PlacementException(
          "blocks that keep a replica",
          matching.size() + 1,
          matching.size(),
          ("block %d of the stripe needs a node that lets %d blocks keep a replica on distinct"
                  + " nodes with at most %d in a rack, %d do without it and none of the %d"
                  + " eligible nodes adds one: allow more blocks a rack, add target racks or nodes,"
                  + " or start another stripe")
              .formatted(
                  block,
                  matching.size() + 1,
                  limits.perRack(),
                  matching.size(),
                  candidates.size()));
    }
  }
}
