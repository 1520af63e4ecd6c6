package org.braid.placement.grouping;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.jspecify.annotations.Nullable;

/**
 * The replicas that a growing stripe keeps: a maximum matching of its blocks to distinct nodes with
 * at most c in a target rack. It equals {@link org.braid.placement.flow.FlowMatching}, but
 * augmenting paths over arrays of k entries extend it block by block without new objects. Rules
 * with promises on sites are asked instead.
 */
final class IncrementalMatching {
  private static final int NONE = -1;

  /** What the stripes of a run share: cluster, replicas, rule, and the marks of a search. */
  static final class Context {
    private final EligibleNodes eligible;
    private final ReplicaTable table;
    private final StripeRule rule;
    private final int perRack;
    private final int[] rackOf;
    private final boolean[] mayKeep;
    private final int[] nodeSeen;
    private final int[] rackSeen;

    /** Of each block the racks of its replicas, as bits of their numbers modulo 64. */
    private final long[] racks;

    private int search;

    /** The stripe whose last search failed and that is as it was then; null for none. */
    private @Nullable IncrementalMatching failed;

    Context(EligibleNodes eligible, ReplicaTable table, StripeRule rule) {
      Topology topology = eligible.topology();
      this.eligible = eligible;
      this.table = table;
      this.rule = rule;
      this.perRack = rule.perRack();
      Set<Integer> targets = rule.targetRacks();
      this.rackOf = new int[topology.nodes()];
      this.mayKeep = new boolean[topology.nodes()];
      for (int node = 0; node < rackOf.length; node++) {
        rackOf[node] = topology.rackOf(node);
        mayKeep[node] =
            (targets.isEmpty() || targets.contains(rackOf[node])) && eligible.contains(node);
      }
      this.nodeSeen = new int[topology.nodes()];
      this.rackSeen = new int[topology.racks()];
      this.racks = new long[table.blocks()];
      for (int block = 0; block < racks.length; block++) {
        for (int i = 0; i < table.replicas(block); i++) {
          racks[block] |= 1L << rackOf[table.node(block, i)];
        }
      }
    }

    /**
     * Whether {@code kept} of the first {@code size} blocks can keep a replica under a rule with
     * promises on sites.
     */
    private boolean keeps(int[] blocks, int size, int kept) {
      List<int[]> replicas = Arrays.stream(blocks, 0, size).mapToObj(table::nodes).toList();
      return rule.keeps(eligible, replicas, kept);
    }

    int rackOf(int node) {
      return rackOf[node];
    }

    boolean isInRack(int block, int rack) {
      if ((racks[block] & 1L << rack) == 0) {
        return false;
      }
      for (int i = 0; i < table.replicas(block); i++) {
        if (rackOf[table.node(block, i)] == rack) {
          return true;
        }
      }
      return false;
    }

    /** The rack that holds replicas of the most blocks; of equals the one that did first. */
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

    /** Number of blocks without a replica in a rack. */
    int downloads(int[] blocks, int rack) {
      int downloads = 0;
      for (int block : blocks) {
        downloads += isInRack(block, rack) ? 0 : 1;
      }
      return downloads;
    }
  }

  private final Context context;
  private final int[] blocks;
  private final int[] nodeOf;
  private final int[] slotSeen;
  private int size;
  private int kept;

  IncrementalMatching(Context context, int k) {
    this.context = context;
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

  /** Number of blocks that can keep no replica. */
  int relocations() {
    return size - kept;
  }

  int[] blocks() {
    return Arrays.copyOf(blocks, size);
  }

  /** The stripe without the block that was added last. */
  IncrementalMatching withoutLast() {
    IncrementalMatching fewer = new IncrementalMatching(context, blocks.length);
    for (int i = 0; i < size - 1; i++) {
      fewer.add(blocks[i]);
    }
    return fewer;
  }

  /** Adds a block if it can keep a replica beside all blocks that keep one. */
  boolean addIfKept(int block) {
    blocks[size] = block;
    nodeOf[size] = NONE;
    if (context.rule.sites().isPresent()) {
      if (!context.keeps(blocks, size + 1, kept + 1)) {
        return false;
      }
      size++;
      kept++;
      return true;
    }
    if (context.failed == this) {
      // What a search found to be without a way stays so until the stripe changes.
      slotSeen[size] = 0;
    } else {
      context.search++;
      context.failed = this;
    }
    if (!augment(size)) {
      return false;
    }
    context.failed = null;
    size++;
    kept++;
    return true;
  }

  /** Adds a block whether or not it can keep a replica. */
  void add(int block) {
    if (!addIfKept(block)) {
      context.failed = null;
      size++;
    }
  }

  /** Finds a node for a block; other blocks may move to other replicas of theirs. */
  private boolean augment(int slot) {
    if (slotSeen[slot] == context.search) {
      return false; // on its way already, or without a way
    }
    slotSeen[slot] = context.search;
    int block = blocks[slot];
    for (int i = 0; i < context.table.replicas(block); i++) {
      int node = context.table.node(block, i);
      if (!context.mayKeep[node] || context.nodeSeen[node] == context.search) {
        continue;
      }
      context.nodeSeen[node] = context.search;
      int occupant = occupant(node);
      if (occupant == NONE ? makeRoom(context.rackOf[node]) : augment(occupant)) {
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

  /** Whether a rack can take one more block; one of its blocks may move to another rack. */
  private boolean makeRoom(int rack) {
    int held = 0;
    for (int slot = 0; slot < size; slot++) {
      held += nodeOf[slot] != NONE && context.rackOf[nodeOf[slot]] == rack ? 1 : 0;
    }
    if (held < context.perRack) {
      return true;
    }
    if (context.rackSeen[rack] == context.search) {
      return false;
    }
    context.rackSeen[rack] = context.search;
    for (int slot = 0; slot < size; slot++) {
      if (nodeOf[slot] != NONE && context.rackOf[nodeOf[slot]] == rack && augment(slot)) {
        return true;
      }
    }
    return false;
  }
}
