package org.braid.placement;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The nodes of a topology that may get a block, by rack; asks the predicate once a node. */
final class Candidates {
  static final int NONE = -1;

  private final Topology topology;
  private final int[][] inRack;
  private final int[] nodes;
  private final boolean[] eligible;

  Candidates(Topology topology, IntPredicate eligible) {
    this.topology = topology;
    this.eligible = new boolean[topology.nodes()];
    for (int node = 0; node < this.eligible.length; node++) {
      this.eligible[node] = eligible.test(node);
    }
    inRack = new int[topology.racks()][];
    for (int rack = 0; rack < inRack.length; rack++) {
      inRack[rack] =
          topology.nodesIn(rack).stream().mapToInt(n -> n).filter(n -> this.eligible[n]).toArray();
    }
    nodes = IntStream.range(0, topology.nodes()).filter(n -> this.eligible[n]).toArray();
  }

  Topology topology() {
    return topology;
  }

  int size() {
    return nodes.length;
  }

  /** Racks with at least one candidate. */
  int racks() {
    int racks = 0;
    for (int[] members : inRack) {
      racks += members.length > 0 ? 1 : 0;
    }
    return racks;
  }

  int[] in(int rack) {
    return inRack[rack];
  }

  int[] all() {
    return nodes;
  }

  /** Whether this is the number of a node, and of a candidate; -1 is neither. */
  boolean contains(int node) {
    return node >= 0 && node < eligible.length && eligible[node];
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
