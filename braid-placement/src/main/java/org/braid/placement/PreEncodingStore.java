package org.braid.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.EncodingAwareReplication.BlockPlacement;
import org.braid.placement.EncodingAwareReplication.StripeState;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that wait for the rest of their stripe (EAR sections 3.1.1 and 4): the rack of a block's
 * first replica becomes its core rack, and when a rack has k blocks they are sealed as a stripe. So
 * stripes go across files, and there are as many open ones as racks.
 *
 * <p>Nothing of it need be persisted: {@link #restore} tells from the replicas of blocks, in the
 * order in which they were written, which of them wait. Nodes and racks are held by name, so that
 * they may change between calls. Not thread-safe.
 *
 * @param <B> what a block is known by
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
   * What became of a block.
   *
   * @param block its places
   * @param sealed the stripe that it completed, if it did
   */
  public record Stored(BlockPlacement block, Optional<StripeState> sealed) {}

  /**
   * The cluster as it is now.
   *
   * @param placer the policy; one without core racks fills one stripe after the other
   * @param eligible nodes that may get a replica
   */
  public record Cluster(Topology topology, BlockPlacer placer, IntPredicate eligible) {}

  /**
   * The node in whose rack a block is to be stored: the writer if it is eligible, else any.
   *
   * @throws PlacementException when there are fewer eligible nodes than replicas
   */
  public static int first(
      Topology topology, IntPredicate eligible, int writer, int replicas, RandomGenerator random) {
    Candidates candidates = new Candidates(topology, eligible);
    new ReplicaDraw(candidates, replicas, ReplicaLayout.HDFS, random); // refuses too few nodes
    return candidates.contains(writer) ? writer : candidates.pick(node -> true, random);
  }

  /**
   * Places a block in the open stripe of the rack of its first node. A stripe that cannot grow, as
   * nodes have failed, stays as short as it is, and the block begins another.
   *
   * @param first the node as {@link #first} chose it
   * @throws PlacementException as the policy's
   */
  public Stored add(B block, Cluster cluster, int first, int replicas, RandomGenerator random) {
    Topology topology = cluster.topology();
    int rack = topology.rackOf(first);
    List<Waiting<B>> waiting = open.getOrDefault(topology.rackName(rack), List.of());
    BlockPlacement placed;
    try {
      placed = place(waiting, rack, cluster, first, replicas, random);
    } catch (PlacementException e) {
      if (waiting.isEmpty()) {
        throw e;
      }
      open.remove(topology.rackName(rack));
      placed = place(List.of(), rack, cluster, first, replicas, random);
    }
    String core = placed.coreRack() < 0 ? NO_CORE : topology.rackName(placed.coreRack());
    List<String> names = Arrays.stream(placed.nodes()).mapToObj(topology::nodeName).toList();
    List<Waiting<B>> stripe = append(core, new Waiting<>(block, names));
    return new Stored(
        placed,
        stripe == null
            ? Optional.empty()
            : Optional.of(new StripeState(placed.coreRack(), replicas(stripe, topology))));
  }

  private BlockPlacement place(
      List<Waiting<B>> waiting,
      int rack,
      Cluster cluster,
      int first,
      int replicas,
      RandomGenerator random) {
    return cluster
        .placer()
        .place(
            new StripeState(rack, replicas(waiting, cluster.topology())),
            cluster.eligible(),
            first,
            replicas,
            random);
  }

  /** Adds a block to an open stripe; gives the stripe if that is sealed now. */
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
   * Takes up a block that was placed before this store was made; blocks are to come in the order in
   * which they were written. Where its core rack cannot be told it joins, of its racks' stripes,
   * the one with most blocks. Where deletions have left a stripe that the block does not fit into,
   * it begins another.
   *
   * @param nodes the nodes with a replica
   * @param rule where the blocks of a stripe may be after encoding
   */
  public void restore(B block, List<String> nodes, Topology topology, StripeRule rule) {
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
    join(rack, new Waiting<>(block, nodes), topology, rule);
  }

  /** Adds a block to an open stripe, or to a new one if not all could keep a replica. */
  private void join(String rack, Waiting<B> block, Topology topology, StripeRule rule) {
    List<Waiting<B>> stripe = new ArrayList<>(open.getOrDefault(rack, List.of()));
    stripe.add(block);
    List<int[]> replicas = replicas(stripe, topology);
    int known = (int) replicas.stream().filter(nodes -> nodes.length > 0).count();
    if (!rule.keeps(topology, node -> true, replicas, known)) {
      open.remove(rack);
    }
    append(rack, block);
  }

  private int waitingIn(Topology topology, int rack) {
    return open.getOrDefault(topology.rackName(rack), List.of()).size();
  }

  /**
   * Asks where the waiting blocks of a rack are now. Where one that is gone leaves a stripe that
   * those behind it do not fit into, these go on as another one.
   *
   * @param places the nodes with a replica of a block; empty when the block is no more
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

  /** What waits in a rack from now on; behind a gap blocks have other places in their stripe. */
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
   * Drops a block that waits, if it does: it is about to be placed anew.
   *
   * @param rule where the blocks of a stripe may be after encoding
   */
  public void forget(B block, Topology topology, StripeRule rule) {
    for (String rack : List.copyOf(open.keySet())) {
      List<Waiting<B>> stripe = open.getOrDefault(rack, List.of());
      List<Waiting<B>> left =
          new ArrayList<>(stripe.stream().filter(w -> !w.block().equals(block)).toList());
      if (left.size() < stripe.size()) {
        replace(rack, left, true, topology, rule);
      }
    }
  }

  /** Blocks of stripes that are not sealed. */
  public int waiting() {
    return open.values().stream().mapToInt(List::size).sum();
  }

  /**
   * The core rack of a block as its replicas tell it: the only rack with one of at least three, as
   * the first replica is alone in its rack in HDFS's layout and in {@link ReplicaLayout#TWO_RACKS};
   * -1 when there is no such rack.
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
