package org.braid.placement;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a topology that may get a block, by rack. Asks the predicate at most once a node,
 * and only when a choice depends on that node: a block has few replicas, a cluster many nodes.
 */
final class Candidates {
  static final int NONE = -1;

  /** Random nodes that are tried before all are looked at. */
  private static final int TRIES = 24;

  private static final byte UNKNOWN = 0;
  private static final byte YES = 1;
  private static final byte NO = 2;

  private final Topology topology;
  private final IntPredicate eligible;
  private final byte[] known;

  /** By rack its candidates, null where nobody asked yet. */
  private final int[][] inRack;

  private int @Nullable [] nodes;

  Candidates(Topology topology, IntPredicate eligible) {
    this.topology = topology;
    this.eligible = eligible;
    this.known = new byte[topology.nodes()];
    this.inRack = new int[topology.racks()][];
  }

  Topology topology() {
    return topology;
  }

  int size() {
    return all().length;
  }

  /** Whether there are so many candidates. */
  boolean atLeast(int count) {
    int found = 0;
    for (int node = 0; node < known.length && found < count; node++) {
      found += contains(node) ? 1 : 0;
    }
    return found >= count;
  }

  /** Racks with at least one candidate. */
  int racks() {
    return racks(topology.racks());
  }

  /** Racks with at least one candidate, or the limit if there are more. */
  int racks(int limit) {
    int racks = 0;
    for (int rack = 0; rack < topology.racks() && racks < limit; rack++) {
      racks += anyIn(rack) ? 1 : 0;
    }
    return racks;
  }

  /** Whether a rack has a candidate. */
  boolean anyIn(int rack) {
    return anyIn(rack, node -> true);
  }

  /** Whether a rack has a candidate that passes. */
  boolean anyIn(int rack, IntPredicate passes) {
    for (int node : topology.nodesIn(rack)) {
      if (passes.test(node) && contains(node)) {
        return true;
      }
    }
    return false;
  }

  int[] in(int rack) {
    int[] members = inRack[rack];
    if (members == null) {
      members = topology.nodesIn(rack).stream().mapToInt(n -> n).filter(this::contains).toArray();
      inRack[rack] = members;
    }
    return members;
  }

  int[] all() {
    int[] members = nodes;
    if (members == null) {
      members = IntStream.range(0, known.length).filter(this::contains).toArray();
      nodes = members;
    }
    return members;
  }

  /** Whether this is the number of a node, and of a candidate; -1 is neither. */
  boolean contains(int node) {
    if (node < 0 || node >= known.length) {
      return false;
    }
    if (known[node] == UNKNOWN) {
      known[node] = eligible.test(node) ? YES : NO;
    }
    return known[node] == YES;
  }

  /** A candidate that passes, each with the same probability; -1 when none does. */
  int pick(IntPredicate passes, RandomGenerator random) {
    for (int i = 0; i < TRIES && known.length > 0; i++) {
      // Whoever is drawn among all and passes is one of those that pass, each equally likely.
      int node = random.nextInt(known.length);
      if (passes.test(node) && contains(node)) {
        return node;
      }
    }
    return pick(all(), passes, random);
  }

  /** The same among the candidates of a rack. */
  int pickIn(int rack, IntPredicate passes, RandomGenerator random) {
    List<Integer> members = topology.nodesIn(rack);
    for (int i = 0; i < TRIES && inRack[rack] == null; i++) {
      int node = members.get(random.nextInt(members.size()));
      if (passes.test(node) && contains(node)) {
        return node;
      }
    }
    return pick(in(rack), passes, random);
  }

  /** A node of a list that passes, each with the same probability; -1 when none does. */
  static int pick(int[] from, IntPredicate passes, RandomGenerator random) {
    int[] passing = new int[from.length];
    int count = 0;
    for (int node : from) {
      if (passes.test(node)) {
        passing[count++] = node;
      }
    }
    return count == 0 ? NONE : passing[random.nextInt(count)];
  }
}
