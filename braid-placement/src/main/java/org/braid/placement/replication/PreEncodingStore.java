package org.braid.placement.replication;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that wait for the rest of their stripe (EAR sections 3.1.1 and 4.2). The rack of a block's
 * first replica is its core rack; k blocks of a core rack are sealed as a stripe. So stripes span
 * files, and each rack has one open stripe.
 *
 * <p>The store need not be persisted: {@link #restore} finds the waiting blocks again from the
 * replicas of all blocks in the order of writing. The store holds nodes and racks by name, so that
 * the topology may change between calls. Not thread-safe.
 *
 * @param <B> identifies a block
 */
public final class PreEncodingStore<B> {
  private static final String NO_CORE = "";

  private final int k;
  private final Map<String, List<Waiting<B>>> open = new HashMap<>();

  /**
   * An empty store.
   *
   * @param k data blocks of a stripe
   */
  public PreEncodingStore(int k) {
    if (k < 1) {
      throw new IllegalArgumentException("stripes of " + k + " data blocks, needed is 1 or more");
    }
    this.k = k;
  }

  /**
   * A block of a stripe that is not sealed.
   *
   * @param nodes the names of the nodes with a replica
   */
  public record Waiting<B>(B block, List<String> nodes) {
    public Waiting {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * A block that was added.
   *
   * @param block the nodes of its replicas
   * @param sealed the stripe that the block completed, if it did
   */
  public record Stored(BlockPlacement block, Optional<ReplicatedStripe> sealed) {}

  /**
   * The node whose rack becomes the core rack of a block: the writer if it is eligible, else a
   * random node.
   *
   * @throws PlacementException when there are fewer eligible nodes than replicas
   */
  public static int first(
      EligibleNodes eligible, int writer, int replicas, RandomGenerator random) {
    new ReplicaDraw(eligible, replicas, ReplicaLayout.HDFS, random); // refuses too few nodes
    return eligible.contains(writer) ? writer : eligible.pick(node -> true, random);
  }

  /**
   * Places a block in the open stripe of the rack of its first node. When failed nodes keep the
   * stripe from growing, the stripe is closed as it is and the block begins another.
   *
   * @param placer places the replicas; a policy without core racks fills one stripe after the other
   * @param eligible nodes that may get a replica
   * @param first the node that {@link #first} chose
   * @throws PlacementException when the policy refuses the block
   */
  public Stored add(
      B block,
      BlockPlacer placer,
      EligibleNodes eligible,
      int first,
      int replicas,
      RandomGenerator random) {
    Topology topology = eligible.topology();
    int rack = topology.rackOf(first);
    List<Waiting<B>> waiting = open.getOrDefault(topology.rackName(rack), List.of());
    BlockPlacement placed;
    try {
      placed = place(waiting, rack, placer, eligible, first, replicas, random);
    } catch (PlacementException e) {
      if (waiting.isEmpty()) {
        throw e;
      }
      open.remove(topology.rackName(rack));
      placed = place(List.of(), rack, placer, eligible, first, replicas, random);
    }
    String core = placed.coreRack() < 0 ? NO_CORE : topology.rackName(placed.coreRack());
    List<String> names = Arrays.stream(placed.nodes()).mapToObj(topology::nodeName).toList();
    List<Waiting<B>> stripe = append(core, new Waiting<>(block, names));
    return new Stored(
        placed,
        stripe == null
            ? Optional.empty()
            : Optional.of(new ReplicatedStripe(placed.coreRack(), replicas(stripe, topology))));
  }

  private BlockPlacement place(
      List<Waiting<B>> waiting,
      int rack,
      BlockPlacer placer,
      EligibleNodes eligible,
      int first,
      int replicas,
      RandomGenerator random) {
    return placer.place(
        new ReplicatedStripe(rack, replicas(waiting, eligible.topology())),
        eligible,
        first,
        replicas,
        random);
  }

  /** Adds a block to an open stripe; returns the stripe when the block completes it. */
  private @Nullable List<Waiting<B>> append(String core, Waiting<B> block) {
    List<Waiting<B>> stripe = open.computeIfAbsent(core, name -> new ArrayList<>());
    stripe.add(block);
    return stripe.size() == k ? open.remove(core) : null;
  }

  private static <B> List<int[]> replicas(List<Waiting<B>> blocks, Topology topology) {
    return blocks.stream().map(block -> indexes(block.nodes(), topology)).toList();
  }

  private static int[] indexes(List<String> nodes, Topology topology) {
    return nodes.stream()
        .map(topology::indexOf)
        .flatMapToInt(node -> node.isPresent() ? IntStream.of(node.getAsInt()) : IntStream.empty())
        .toArray();
  }

  /**
   * Adds a block that was placed earlier; callers add blocks in the order of writing. A block whose
   * core rack cannot be told joins the fullest stripe of its racks. A block that does not fit into
   * its stripe, because blocks before it were deleted, begins another.
   *
   * @param nodes the nodes with a replica
   * @param rules where the blocks of a stripe may be after encoding, by the name of its core rack
   */
  public void restore(
      B block, List<String> nodes, Topology topology, Function<String, StripeRule> rules) {
    int[] replicas = indexes(nodes, topology);
    if (replicas.length == 0) {
      return;
    }
    int known = coreRack(replicas, topology);
    int core = known;
    if (core < 0) {
      core =
          Arrays.stream(replicas)
              .map(topology::rackOf)
              .boxed()
              .max((a, b) -> Integer.compare(waitingIn(topology, a), waitingIn(topology, b)))
              .orElseThrow();
    }
    String rack = topology.rackName(core);
    join(rack, new Waiting<>(block, nodes), topology, rules.apply(rack));
  }

  /** Adds a block to an open stripe, or to a new one if not all blocks could keep a replica. */
  private void join(String rack, Waiting<B> block, Topology topology, StripeRule rule) {
    List<Waiting<B>> stripe = new ArrayList<>(open.getOrDefault(rack, List.of()));
    stripe.add(block);
    List<int[]> replicas = replicas(stripe, topology);
    int known = (int) replicas.stream().filter(nodes -> nodes.length > 0).count();
    if (!rule.keeps(EligibleNodes.all(topology), replicas, known)) {
      open.remove(rack);
    }
    append(rack, block);
  }

  private int waitingIn(Topology topology, int rack) {
    return open.getOrDefault(topology.rackName(rack), List.of()).size();
  }

  /**
   * Updates the nodes of the waiting blocks of a rack. If a deleted block leaves a stripe that
   * later blocks do not fit into, these begin another stripe.
   *
   * @param places the nodes with a replica of a block; empty when the block is deleted
   * @param rule where the blocks of a stripe may be after encoding
   */
  public void refresh(
      String rack,
      Function<Waiting<B>, Optional<List<String>>> places,
      Topology topology,
      StripeRule rule) {
    List<Waiting<B>> stripe = open.get(rack);
    if (stripe == null) {
      return;
    }
    List<Waiting<B>> now = new ArrayList<>();
    boolean gap = false;
    for (Waiting<B> block : stripe) {
      Optional<List<String>> nodes = places.apply(block);
      nodes.ifPresent(there -> now.add(new Waiting<>(block.block(), there)));
      gap |= nodes.isEmpty();
    }
    replace(rack, now, gap, topology, rule);
  }

  /** Replaces the waiting blocks of a rack; after a gap the later blocks join stripes anew. */
  private void replace(
      String rack, List<Waiting<B>> now, boolean gap, Topology topology, StripeRule rule) {
    if (!gap) {
      open.put(rack, now);
      return;
    }
    open.remove(rack);
    now.forEach(block -> join(rack, block, topology, rule));
  }

  /**
   * Drops a waiting block that is to be placed again; does nothing if the block does not wait.
   *
   * @param rules where the blocks of a stripe may be after encoding, by the name of its core rack
   */
  public void forget(B block, Topology topology, Function<String, StripeRule> rules) {
    for (String rack : List.copyOf(open.keySet())) {
      List<Waiting<B>> stripe = open.getOrDefault(rack, List.of());
      List<Waiting<B>> left =
          new ArrayList<>(stripe.stream().filter(w -> !w.block().equals(block)).toList());
      if (left.size() < stripe.size()) {
        replace(rack, left, true, topology, rules.apply(rack));
      }
    }
  }

  /** Number of waiting blocks. */
  public int waiting() {
    return open.values().stream().mapToInt(List::size).sum();
  }

  /**
   * The core rack of a block of at least three replicas: the only rack with exactly one of them, as
   * HDFS's layout and {@link ReplicaLayout#TWO_RACKS} leave the first replica alone in its rack; -1
   * when the replicas do not tell.
   */
  public static int coreRack(int[] replicas, Topology topology) {
    int core = -1;
    for (int node : replicas) {
      int rack = topology.rackOf(node);
      if (Arrays.stream(replicas).filter(n -> topology.rackOf(n) == rack).count() == 1) {
        if (core >= 0 || replicas.length < 3) {
          return -1;
        }
        core = rack;
      }
    }
    return core;
  }
}
