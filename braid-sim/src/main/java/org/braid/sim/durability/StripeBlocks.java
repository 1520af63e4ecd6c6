package org.braid.sim.durability;

import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.braid.placement.Topology;
import org.braid.sim.failure.FailureDomain;
import org.braid.sim.failure.FailureTrace;

/**
 * The state of one stripe at a moment: the nodes of its blocks, the state of each block, and the
 * age of its nodes, racks and sites. Not thread-safe.
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

  /** By block, when it comes back (AWAY), is scrubbed (LATENT), or was lost (LOST). */
  private final double[] when;

  /** By domain, when the node of a block, a rack, or a site was new. */
  private final Map<FailureDomain, double[]> born;

  private final BitSet gone;
  private double now;

  private StripeBlocks(
      Topology topology,
      int[] nodeOf,
      byte[] state,
      double[] when,
      Map<FailureDomain, double[]> born) {
    this.topology = topology;
    this.nodeOf = nodeOf;
    this.state = state;
    this.when = when;
    this.born = born;
    this.gone = new BitSet(nodeOf.length);
    rackOf = Arrays.stream(nodeOf).map(topology::rackOf).toArray();
    siteOf = Arrays.stream(nodeOf).map(topology::siteOf).toArray();
  }

  /** A whole stripe at time 0 on new nodes. */
  static StripeBlocks on(Topology topology, int[] nodes) {
    Map<FailureDomain, double[]> born = new EnumMap<>(FailureDomain.class);
    born.put(FailureDomain.NODE, new double[nodes.length]);
    born.put(FailureDomain.RACK, new double[topology.racks()]);
    born.put(FailureDomain.SITE, new double[topology.sites()]);
    return new StripeBlocks(
        topology, nodes, new byte[nodes.length], new double[nodes.length], born);
  }

  StripeBlocks copy() {
    Map<FailureDomain, double[]> births = new EnumMap<>(born);
    births.replaceAll((domain, times) -> times.clone());
    StripeBlocks copy =
        new StripeBlocks(topology, nodeOf.clone(), state.clone(), when.clone(), births);
    copy.gone.or(gone);
    copy.now = now;
    return copy;
  }

  /** Makes the stripe whole, on nodes, racks and sites of random age. */
  void renew(FailureModel failures, RandomGenerator random) {
    for (FailureDomain domain : FailureDomain.values()) {
      double[] births = births(domain);
      for (int i = 0; i < births.length; i++) {
        births[i] = now - failures.life(domain).age(random);
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

  /** The index of a block's node, rack or site; nodes go by the number of their block. */
  private int place(FailureDomain domain, int block) {
    return switch (domain) {
      case NODE -> block;
      case RACK -> rackOf[block];
      case SITE -> siteOf[block];
    };
  }

  /** Whether a node, rack or site has a block that is not lost. */
  boolean isHeldBy(FailureDomain domain, int index) {
    if (domain == FailureDomain.NODE) {
      return state[index] != LOST;
    }
    for (int block = 0; block < state.length; block++) {
      if (place(domain, block) == index && state[block] != LOST) {
        return true;
      }
    }
    return false;
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

  /** Blocks without any readable copy, known or not; not to be changed. */
  BitSet gone() {
    return gone;
  }

  /** Blocks that cannot be read now: lost, damaged or away. */
  BitSet unreadable() {
    BitSet unread = (BitSet) gone.clone();
    for (int block = 0; block < state.length; block++) {
      if (state[block] == AWAY) {
        unread.set(block);
      }
    }
    return unread;
  }

  /** Number of blocks that are known to be missing. */
  int missing() {
    int missing = 0;
    for (byte block : state) {
      missing += block == LOST || block == AWAY ? 1 : 0;
    }
    return missing;
  }

  /** When a node, rack or site was new; nodes go by the number of their block. */
  double born(FailureDomain domain, int index) {
    return births(domain)[index];
  }

  /** Replaces a node, rack or site by a new one. */
  void replace(FailureDomain domain, int index) {
    births(domain)[index] = now;
  }

  private double[] births(FailureDomain domain) {
    return Objects.requireNonNull(born.get(domain));
  }

  void lose(int block) {
    state[block] = LOST;
    when[block] = now;
    gone.set(block);
  }

  /** Damages a block; nobody knows until it is scrubbed. */
  void damage(int block, double scrubbed) {
    state[block] = LATENT;
    when[block] = scrubbed;
    gone.set(block);
  }

  /** Loses all blocks of a node, rack or site; returns the number of nodes that failed. */
  int lose(FailureDomain domain, int index) {
    for (int block = 0; block < state.length; block++) {
      if (place(domain, block) == index && state[block] != LOST) {
        lose(block);
      }
    }
    return domain.size(topology, index);
  }

  /** Makes all blocks of a node, rack or site unreadable until a time; returns whether any was. */
  boolean takeAway(FailureDomain domain, int index, double until) {
    boolean any = false;
    for (int block = 0; block < state.length; block++) {
      if (place(domain, block) == index && (state[block] == OK || state[block] == AWAY)) {
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
   * Brings back blocks whose outage is over, and counts damaged blocks as lost that the scrubber
   * has read by now; returns whether there are any of the latter.
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

  /** The block that was lost first; without lost blocks, the first one that is away. */
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
   * Rebuilds a block that is missing or damaged.
   *
   * @param moves where the rebuilt block is
   */
  void restore(int block, Moves moves, RandomGenerator random) {
    if (state[block] == OK) {
      return;
    }
    if (state[block] != LATENT) {
      replace(FailureDomain.NODE, block);
      if (moves == Moves.TO_ANOTHER_NODE) {
        nodeOf[block] = otherNode(block, random);
      }
    }
    state[block] = OK;
    gone.clear(block);
  }

  /** Where a rebuilt block is. */
  enum Moves {
    /** On the node of the lost block, which is replaced by a new one. */
    IN_PLACE,
    /** On another node of the same rack; traces name nodes. */
    TO_ANOTHER_NODE
  }

  /** A node of the block's rack without a block of the stripe; the block's own if there is none. */
  private int otherNode(int block, RandomGenerator random) {
    int[] free =
        topology.nodesIn(rackOf[block]).stream()
            .mapToInt(Integer::intValue)
            .filter(node -> Arrays.stream(nodeOf).noneMatch(other -> other == node))
            .toArray();
    return free.length == 0 ? nodeOf[block] : free[random.nextInt(free.length)];
  }

  /** Whether a failure of a trace hits a block of the stripe that is not lost. */
  boolean isHitBy(FailureTrace.Event event) {
    for (int block = 0; block < state.length; block++) {
      int index =
          event.domain() == FailureDomain.NODE ? nodeOf[block] : place(event.domain(), block);
      if (index == event.index() && state[block] != LOST) {
        return true;
      }
    }
    return false;
  }

  /** The block on a node that has one. */
  int blockOn(int node) {
    int block = 0;
    while (nodeOf[block] != node) {
      block++;
    }
    return block;
  }
}
