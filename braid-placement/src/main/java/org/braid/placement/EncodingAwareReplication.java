package org.braid.placement;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Encoding-aware replication (EAR sections 3.1 - 3.4): each block of a stripe has a replica in the
 * stripe's core rack, where the stripe is encoded without cross-rack downloads, and the other
 * replicas are drawn as in random replication until every block so far can keep one replica within
 * the limits of the stripe, so that encoding moves no block.
 */
public final class EncodingAwareReplication implements BlockPlacer {
  /** Draws of a block's layout before it is constructed instead. */
  public static final int DEFAULT_MAX_ATTEMPTS = 1000;

  private final Topology topology;
  private final Rules rules;
  private final ReplicaLayout layout;
  private final int maxAttempts;

  /** The limits of a stripe as flow tests see them. */
  public interface Rules {
    /**
     * The test for the block after these.
     *
     * @param eligible nodes that may get a replica; earlier replicas may be elsewhere
     * @param replicas for each block so far the nodes that hold a replica
     */
    FlowTest after(IntPredicate eligible, List<int[]> replicas, RandomGenerator random);

    /** The limits in words, for example {@code with at most 2 in a rack}. */
    String text();
  }

  /** Encoding-aware replication with {@link #DEFAULT_MAX_ATTEMPTS}. */
  public EncodingAwareReplication(Topology topology, StripeLimits limits) {
    this(topology, limits, DEFAULT_MAX_ATTEMPTS);
  }

  /**
   * Encoding-aware replication with HDFS's layout of replicas.
   *
   * @param maxAttempts draws of a block's layout before it is constructed, 0 to construct at once
   */
  public EncodingAwareReplication(Topology topology, StripeLimits limits, int maxAttempts) {
    this(topology, limits, ReplicaLayout.HDFS, maxAttempts);
  }

  /**
   * Encoding-aware replication.
   *
   * @param layout how the replicas of a block are spread
   * @param maxAttempts draws of a block's layout before it is constructed, 0 to construct at once
   */
  public EncodingAwareReplication(
      Topology topology, StripeLimits limits, ReplicaLayout layout, int maxAttempts) {
    this(topology, rules(topology, limits), layout, maxAttempts);
  }

  /**
   * Encoding-aware replication within limits of another kind.
   *
   * @param rules makes the flow tests
   * @param layout how the replicas of a block are spread
   * @param maxAttempts draws of a block's layout before it is constructed, 0 to construct at once
   */
  public EncodingAwareReplication(
      Topology topology, Rules rules, ReplicaLayout layout, int maxAttempts) {
    if (maxAttempts < 0) {
      throw new IllegalArgumentException("maxAttempts is " + maxAttempts + ", needed is 0 or more");
    }
    this.topology = topology;
    this.rules = rules;
    this.layout = layout;
    this.maxAttempts = maxAttempts;
  }

  private static Rules rules(Topology topology, StripeLimits limits) {
    return new Rules() {
      @Override
      public FlowTest after(IntPredicate eligible, List<int[]> replicas, RandomGenerator random) {
        return Matching.of(topology, replicas, limits);
      }

      @Override
      public String text() {
        return "with at most " + limits.perRack() + " in a rack";
      }
    };
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
  @Override
  public BlockPlacement place(
      StripeState earlier,
      IntPredicate eligible,
      int writer,
      int replicas,
      RandomGenerator random) {
    Candidates candidates = new Candidates(topology, eligible);
    CoreRackDraw block = new CoreRackDraw(candidates, earlier, writer, replicas, layout, random);
    FlowTest test = rules.after(candidates::contains, earlier.replicas(), random);
    if (replicas == 1) {
      int node = single(candidates, block.core(), writer, test, random);
      if (node == Candidates.NONE) {
        throw noPlace(earlier, test, candidates);
      }
      return new BlockPlacement(block.core(), new int[] {node}, 1);
    }
    for (int attempt = 1; attempt <= maxAttempts; attempt++) {
      int[] nodes = block.draw();
      if (test.acceptsAny(nodes)) {
        return new BlockPlacement(block.core(), nodes, attempt);
      }
    }
    ReplicaDraw constructed = construct(candidates, block, test, random);
    if (constructed == null) {
      throw noPlace(earlier, test, candidates);
    }
    return new BlockPlacement(block.core(), constructed.finish(), maxAttempts + 1);
  }

  /** The replicas that make a layout pass the flow test; null when none do. */
  private @Nullable ReplicaDraw construct(
      Candidates candidates, CoreRackDraw block, FlowTest test, RandomGenerator random) {
    ReplicaDraw draw = block.first();
    int kept = candidates.pick(node -> draw.allowsSecond(node) && test.accepts(node), random);
    if (kept != Candidates.NONE) {
      draw.take(kept);
      return draw;
    }
    int inCore = candidates.pickIn(block.core(), test::accepts, random);
    if (inCore == Candidates.NONE) {
      return null;
    }
    ReplicaDraw only = block.empty();
    only.take(inCore);
    return only;
  }

  /** The node of a block of one replica, in the core rack while the test allows; -1 for none. */
  private int single(
      Candidates candidates, int core, int writer, FlowTest test, RandomGenerator random) {
    boolean local = candidates.contains(writer) && test.accepts(writer);
    if (local && topology.rackOf(writer) == core) {
      return writer;
    }
    int node = candidates.pickIn(core, test::accepts, random);
    if (node != Candidates.NONE) {
      return node;
    }
    return local ? writer : candidates.pick(test::accepts, random);
  }

  private PlacementException noPlace(StripeState earlier, FlowTest test, Candidates candidates) {
    return new PlacementException(
        "blocks that keep a replica",
        test.size() + 1,
        test.size(),
        ("block %d of the stripe needs a node that lets %d blocks keep a replica on distinct nodes"
                + " %s, %d do without it and none of the %d eligible nodes adds one: allow more"
                + " blocks a rack, add target racks or nodes, or start another stripe")
            .formatted(
                earlier.replicas().size() + 1,
                test.size() + 1,
                rules.text(),
                test.size(),
                candidates.size()));
  }
}
