package org.braid.placement;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a cluster that may take a block.
 *
 * <p>Tests a node only when a choice depends on it, as a block has few replicas and a cluster many
 * nodes, and remembers the answer. Nodes fail and fill, so that each decision takes a new instance.
 * Not thread-safe.
 */
public final class EligibleNodes {
  /** In place of a node: none. */
  public static final int NONE = -1;

  /** Random draws before all nodes are tested. */
  private static final int TRIES = 24;

  private static final byte UNKNOWN = 0;
  private static final byte YES = 1;
  private static final byte NO = 2;

  private final Topology topology;
  private final IntPredicate eligible;
  private final byte[] known;

  /** The eligible nodes of each rack; null for a rack that was not asked for. */
  private final int[][] inRack;

  private int @Nullable [] nodes;

  private EligibleNodes(Topology topology, IntPredicate eligible) {
    this.topology = topology;
    this.eligible = eligible;
    this.known = new byte[topology.nodes()];
    this.inRack = new int[topology.racks()][];
  }

  /** All nodes of a cluster. */
  public static EligibleNodes all(Topology topology) {
    return new EligibleNodes(topology, node -> true);
  }

  /** The nodes of a cluster that pass a test. */
  public static EligibleNodes of(Topology topology, IntPredicate eligible) {
    return new EligibleNodes(topology, eligible);
  }

  /** The eligible nodes that also pass a test. */
  public EligibleNodes only(IntPredicate passes) {
    return new EligibleNodes(topology, node -> passes.test(node) && contains(node));
  }

  /** The eligible nodes and those that pass a test. */
  public EligibleNodes or(IntPredicate passes) {
    return new EligibleNodes(topology, node -> passes.test(node) || contains(node));
  }

  /** The cluster, including nodes that are not eligible. */
  public Topology topology() {
    return topology;
  }

  /** Whether a node is eligible; false for {@link #NONE} and for numbers of no node. */
  public boolean contains(int node) {
    if (node < 0 || node >= known.length) {
      return false;
    }
    if (known[node] == UNKNOWN) {
      known[node] = eligible.test(node) ? YES : NO;
    }
    return known[node] == YES;
  }

  /** Number of eligible nodes. */
  public int size() {
    return nodes().length;
  }

  /** Whether at least {@code count} nodes are eligible. */
  public boolean atLeast(int count) {
    int found = 0;
    for (int node = 0; node < known.length && found < count; node++) {
      found += contains(node) ? 1 : 0;
    }
    return found >= count;
  }

  /** Number of racks with an eligible node. */
  public int racks() {
    return racks(topology.racks());
  }

  /** Number of racks with an eligible node, counted up to a limit. */
  public int racks(int limit) {
    int racks = 0;
    for (int rack = 0; rack < topology.racks() && racks < limit; rack++) {
      racks += anyIn(rack) ? 1 : 0;
    }
    return racks;
  }

  /** Whether a rack has an eligible node. */
  public boolean anyIn(int rack) {
    return anyIn(rack, node -> true);
  }

  /** Whether a rack has an eligible node that passes a test. */
  public boolean anyIn(int rack, IntPredicate passes) {
    for (int node : topology.nodesIn(rack)) {
      if (passes.test(node) && contains(node)) {
        return true;
      }
    }
    return false;
  }

  /** The eligible nodes of a rack, ascending; not to be changed. */
  public int[] in(int rack) {
    int[] members = inRack[rack];
    if (members == null) {
      members = among(topology.nodesIn(rack).stream().mapToInt(node -> node));
      inRack[rack] = members;
    }
    return members;
  }

  /** All eligible nodes, ascending; not to be changed. */
  public int[] nodes() {
    int[] members = nodes;
    if (members == null) {
      members = among(IntStream.range(0, known.length));
      nodes = members;
    }
    return members;
  }

  private int[] among(IntStream candidates) {
    return candidates.filter(this::contains).toArray();
  }

  /** The replicas of each block that are on eligible nodes. */
  public List<int[]> among(List<int[]> replicas) {
    return replicas.stream().map(nodes -> among(Arrays.stream(nodes))).toList();
  }

  /**
   * An eligible node that passes a test, each with the same probability; {@link #NONE} when none
   * does.
   */
  public int pick(IntPredicate passes, RandomGenerator random) {
    for (int i = 0; i < TRIES && known.length > 0; i++) {
      // A node drawn among all that passes is any of those that pass, each equally likely.
      int node = random.nextInt(known.length);
      if (passes.test(node) && contains(node)) {
        return node;
      }
    }
    return RandomChoice.pick(nodes(), passes, random);
  }

  /** The same among the eligible nodes of a rack. */
  public int pickIn(int rack, IntPredicate passes, RandomGenerator random) {
    List<Integer> members = topology.nodesIn(rack);
    for (int i = 0; i < TRIES; i++) {
      int node = members.get(random.nextInt(members.size()));
      if (passes.test(node) && contains(node)) {
        return node;
      }
    }
    return RandomChoice.pick(in(rack), passes, random);
  }
}
