package org.braid.placement.grouping;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;

/**
 * The flow test of a stripe while blocks are added: which replica of each block stays, on distinct
 * nodes with at most c in a target rack. The same maximum flow as {@link
 * org.braid.placement.Matching}, kept by augmenting paths over arrays of k entries, so that a test
 * makes no object. A rule that promises something of sites is asked itself.
 */
final class KeptReplicas {
  private static final int NONE = -1;

  /** What all stripes of a run share: the cluster, and marks of what a search has seen. */
  static final class Cluster {
    private final Topology topology;
    private final ReplicaTable table;
    private final StripeRule rule;
    private final int perRack;
    private final int[] rackOf;
    private final boolean[] mayKeep;
    private final int[] nodeSeen;
    private final int[] rackSeen;
    private int search;

    Cluster(Topology topology, ReplicaTable table, IntPredicate eligible, StripeRule rule) {
      this.topology = topology;
      this.table = table;
      this.rule = rule;
      this.perRack = rule.perRack();
      Set<Integer> targets = rule.targetRacks();
      this.rackOf = new int[topology.nodes()];
      this.mayKeep = new boolean[topology.nodes()];
      for (int node = 0; node < rackOf.length; node++) {
        rackOf[node] = topology.rackOf(node);
        mayKeep[node] =
            (targets.isEmpty() || targets.contains(rackOf[node])) && eligible.test(node);
      }
      this.nodeSeen = new int[topology.nodes()];
      this.rackSeen = new int[topology.racks()];
    }

    /** Whether so many of some blocks could stay; of rules that promise something of sites. */
    private boolean keeps(int[] blocks, int size, int kept) {
      List<int[]> replicas = Arrays.stream(blocks, 0, size).mapToObj(table::nodes).toList();
      return rule.keeps(topology, node -> mayKeep[node], replicas, kept);
    }

    int rackOf(int node) {
      return rackOf[node];
    }

    boolean isInRack(int block, int rack) {
      for (int i = 0; i < table.replicas(block); i++) {
        if (rackOf[table.node(block, i)] == rack) {
          return true;
        }
      }
      return false;
    }

    /** The rack that holds a replica of most of some blocks; of equals the first that did. */
    int fullestRack(int[] blocks) {
      int[] held = new int[rackSeen.length];
      int best = 0;
      for (int block : blocks) {
        for (int i = 0; i < table.replicas(block); i++) {
          int rack = rackOf[table.node(block, i)];
          if (isFirstIn(rack, block, i)) {
            held[rack]++;
            best = held[rack] > held[best] ? rack : best;
          }
        }
      }
      return best;
    }

    private boolean isFirstIn(int rack, int block, int replica) {
      for (int i = 0; i < replica; i++) {
        if (rackOf[table.node(block, i)] == rack) {
          return false;
        }
      }
      return true;
    }

    /** Blocks of which a rack holds no replica. */
    int downloads(int[] blocks, int rack) {
      int downloads = 0;
      for (int block : blocks) {
        downloads += isInRack(block, rack) ? 0 : 1;
      }
      return downloads;
    }
  }

  private final Cluster cluster;
  private final int[] blocks;
  private final int[] nodeOf;
  private final int[] slotSeen;
  private int size;
  private int kept;

  KeptReplicas(Cluster cluster, int k) {
    this.cluster = cluster;
    this.blocks = new int[k];
    this.nodeOf = new int[k];
    this.slotSeen = new int[k];
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return size == blocks.length;
  }

  /** Blocks of which no replica can stay. */
  int relocations() {
    return size - kept;
  }

  int[] blocks() {
    return Arrays.copyOf(blocks, size);
  }

  /** Adds a block if it and all others can then keep a replica, or as many as could before. */
  boolean addIfKept(int block) {
    blocks[size] = block;
    nodeOf[size] = NONE;
    if (cluster.rule.sites().isPresent()) {
      if (!cluster.keeps(blocks, size + 1, kept + 1)) {
        return false;
      }
      size++;
      kept++;
      return true;
    }
    cluster.search++;
    if (!augment(size)) {
      return false;
    }
    size++;
    kept++;
    return true;
  }

  /** Adds a block whether or not it can keep a replica. */
  void add(int block) {
    if (!addIfKept(block)) {
      size++;
    }
  }

  /** Finds a place for a block, where need be by moving others on. */
  private boolean augment(int slot) {
    if (slotSeen[slot] == cluster.search) {
      return false; // on its way already, or without a way
    }
    slotSeen[slot] = cluster.search;
    int block = blocks[slot];
    for (int i = 0; i < cluster.table.replicas(block); i++) {
      int node = cluster.table.node(block, i);
      if (!cluster.mayKeep[node] || cluster.nodeSeen[node] == cluster.search) {
        continue;
      }
      cluster.nodeSeen[node] = cluster.search;
      int occupant = occupant(node);
      if (occupant == NONE ? makeRoom(cluster.rackOf[node]) : augment(occupant)) {
        nodeOf[slot] = node;
        return true;
      }
    }
    return false;
  }

  private int occupant(int node) {
    for (int slot = 0; slot < size; slot++) {
      if (nodeOf[slot] == node) {
        return slot;
      }
    }
    return NONE;
  }

  /** Whether a rack can take one more block, where need be by moving one of its blocks out. */
  private boolean makeRoom(int rack) {
    int held = 0;
    for (int slot = 0; slot < size; slot++) {
      held += nodeOf[slot] != NONE && cluster.rackOf[nodeOf[slot]] == rack ? 1 : 0;
    }
    if (held < cluster.perRack) {
      return true;
    }
    if (cluster.rackSeen[rack] == cluster.search) {
      return false;
    }
    cluster.rackSeen[rack] = cluster.search;
    for (int slot = 0; slot < size; slot++) {
      if (nodeOf[slot] != NONE && cluster.rackOf[nodeOf[slot]] == rack && augment(slot)) {
        return true;
      }
    }
    return false;
  }
}
