package org.braid.sim.durability;

import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import org.braid.placement.Topology;
import org.braid.sim.failure.Lifetime;
import org.braid.sim.failure.Trace;

/**
 * The blocks of one stripe at a moment: where they are, how they are, and how old what they depend
 * on is. Not thread-safe.
 */
final class StripeBlocks {
  private static final byte OK = 0;
  private static final byte AWAY = 1;
  private static final byte LATENT = 2;
  private static final byte LOST = 3;

  private final Topology topology;
  private final int[] nodeOf;
  private final int[] rackOf;
  private final int[] siteOf;
  private final byte[] state;

  /** When a block comes back, is scrubbed, or was lost, by its state. */
  private final double[] when;

  /** By block, when its node was at age 0; by rack and site likewise. */
  private final double[][] born;

  private final BitSet gone;
  private double now;

  private StripeBlocks(
      Topology topology, int[] nodeOf, byte[] state, double[] when, double[][] born) {
    this.topology = topology;
    this.nodeOf = nodeOf;
    this.state = state;
    this.when = when;
    this.born = born;
    this.gone = new BitSet(nodeOf.length);
    rackOf = Arrays.stream(nodeOf).map(topology::rackOf).toArray();
    siteOf = Arrays.stream(nodeOf).map(topology::siteOf).toArray();
  }

  /** Whole at time 0, on nodes that are all new. */
  static StripeBlocks on(Topology topology, int[] nodes) {
    double[][] born = {
      new double[nodes.length], new double[topology.racks()], new double[topology.sites()]
    };
    return new StripeBlocks(
        topology, nodes, new byte[nodes.length], new double[nodes.length], born);
  }

  StripeBlocks copy() {
    double[][] births = Arrays.stream(born).map(double[]::clone).toArray(double[][]::new);
    StripeBlocks copy =
        new StripeBlocks(topology, nodeOf.clone(), state.clone(), when.clone(), births);
    copy.gone.or(gone);
    copy.now = now;
    return copy;
  }

  /** Makes all whole, on nodes, racks and sites of random age. */
  void renew(Lifetime[] lives, RandomGenerator random) {
    for (int kind = 0; kind < born.length; kind++) {
      for (int i = 0; i < born[kind].length; i++) {
        born[kind][i] = now - lives[kind].age(random);
      }
    }
    Arrays.fill(state, OK);
    gone.clear();
  }

  double now() {
    return now;
  }

  void goTo(double time) {
    now = time;
  }

  int count() {
    return state.length;
  }

  int rack(int block) {
    return rackOf[block];
  }

  int site(int block) {
    return siteOf[block];
  }

  boolean isOk(int block) {
    return state[block] == OK;
  }

  boolean isLost(int block) {
    return state[block] == LOST;
  }

  boolean isWhole() {
    for (byte block : state) {
      if (block != OK) {
        return false;
      }
    }
    return true;
  }

  /** Blocks whose content is nowhere, whether that is known or not; not to be changed. */
  BitSet gone() {
    return gone;
  }

  /** Blocks that cannot be read now, for good or for a while. */
  BitSet unreadable() {
    BitSet unread = (BitSet) gone.clone();
    for (int block = 0; block < state.length; block++) {
      if (state[block] == AWAY) {
        unread.set(block);
      }
    }
    return unread;
  }

  /** Blocks that are known not to be there. */
  int missing() {
    int missing = 0;
    for (byte block : state) {
      missing += block == LOST || block == AWAY ? 1 : 0;
    }
    return missing;
  }

  /** When something was at age 0: kind 0 is a block's node, 1 a rack, 2 a site. */
  double born(int kind, int index) {
    return born[kind][index];
  }

  /** Something of a kind is new now. */
  void replace(int kind, int index) {
    born[kind][index] = now;
  }

  void lose(int block) {
    state[block] = LOST;
    when[block] = now;
    gone.set(block);
  }

  /** A block is damaged and nobody knows, until it is scrubbed. */
  void damage(int block, double scrubbed) {
    state[block] = LATENT;
    when[block] = scrubbed;
    gone.set(block);
  }

  /** Loses all blocks in a rack; says how many nodes that has. */
  int loseRack(int rack) {
    for (int block = 0; block < state.length; block++) {
      if (rackOf[block] == rack && state[block] != LOST) {
        lose(block);
      }
    }
    return topology.nodesIn(rack).size();
  }

  /** Loses all blocks at a site; says how many nodes that has. */
  int loseSite(int site) {
    int nodes = 0;
    for (int rack = 0; rack < topology.racks(); rack++) {
      if (topology.siteOfRack(rack) == site) {
        nodes += loseRack(rack);
      }
    }
    return nodes;
  }

  /** Makes blocks of a node, rack or site unreadable until a time; says whether there are any. */
  boolean takeAway(int kind, int which, double until) {
    boolean any = false;
    for (int block = 0; block < state.length; block++) {
      int place =
          kind == Hazards.NODES ? block : kind == Hazards.RACKS ? rackOf[block] : siteOf[block];
      if (place == which && (state[block] == OK || state[block] == AWAY)) {
        when[block] = state[block] == AWAY ? Math.max(when[block], until) : until;
        state[block] = AWAY;
        any = true;
      }
    }
    return any;
  }

  /** When the next block comes back or is scrubbed; infinite when none does. */
  double nextBack() {
    double next = nextReturn();
    for (int block = 0; block < state.length; block++) {
      if (state[block] == LATENT) {
        next = Math.min(next, when[block]);
      }
    }
    return next;
  }

  /** When the next block comes back; infinite when none does. */
  double nextReturn() {
    double next = Double.POSITIVE_INFINITY;
    for (int block = 0; block < state.length; block++) {
      if (state[block] == AWAY) {
        next = Math.min(next, when[block]);
      }
    }
    return next;
  }

  /**
   * Takes back what comes back by now, and counts as lost what the scrubber finds; says whether it
   * found something.
   */
  boolean comeBack() {
    boolean found = false;
    for (int block = 0; block < state.length; block++) {
      if (state[block] == AWAY && when[block] <= now) {
        state[block] = OK;
      } else if (state[block] == LATENT && when[block] <= now) {
        lose(block);
        found = true;
      }
    }
    return found;
  }

  /** The block that was lost first; one that is away when none is lost. */
  int first() {
    int first = -1;
    for (int block = 0; block < state.length; block++) {
      boolean better = first < 0 || state[block] > state[first];
      if (state[block] != OK
          && (better || (state[block] == state[first] && when[block] < when[first]))) {
        first = block;
      }
    }
    return first;
  }

  /**
   * Rebuilds a block, unless it is there.
   *
   * @param moves whether it matters on which node of its rack
   */
  void restore(int block, Moves moves, RandomGenerator random) {
    if (state[block] == OK) {
      return;
    }
    if (state[block] != LATENT) {
      born[Hazards.NODES][block] = now;
      if (moves == Moves.TO_ANOTHER_NODE) {
        nodeOf[block] = otherNode(block, random);
      }
    }
    state[block] = OK;
    gone.clear(block);
  }

  /** Where a rebuilt block is. */
  enum Moves {
    /** In the place of the lost one, as if its node were new. */
    IN_PLACE,
    /** On another node of its rack, as traces know nodes by name. */
    TO_ANOTHER_NODE
  }

  /** A node of the block's rack without a block of the stripe; its own when there is none. */
  private int otherNode(int block, RandomGenerator random) {
    int[] free =
        topology.nodesIn(rackOf[block]).stream()
            .mapToInt(Integer::intValue)
            .filter(node -> Arrays.stream(nodeOf).noneMatch(other -> other == node))
            .toArray();
    return free.length == 0 ? nodeOf[block] : free[random.nextInt(free.length)];
  }

  /** Whether something in a trace has blocks of the stripe. */
  boolean isTouchedBy(Trace.Event event) {
    int[] places =
        switch (event.kind()) {
          case NODE -> nodeOf;
          case RACK -> rackOf;
          case SITE -> siteOf;
        };
    for (int block = 0; block < places.length; block++) {
      if (places[block] == event.index() && state[block] != LOST) {
        return true;
      }
    }
    return false;
  }

  /** The block on a node, which must have one. */
  int blockOn(int node) {
    int block = 0;
    while (nodeOf[block] != node) {
      block++;
    }
    return block;
  }
}
