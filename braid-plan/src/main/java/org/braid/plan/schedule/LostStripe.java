package org.braid.plan.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;

/**
 * A stripe with lost or misplaced blocks.
 *
 * @param id name of the stripe
 * @param length bytes of a block
 * @param nodeOf by block, the node that stores it; negative for a lost block, and for a virtual
 *     block of zeros, which counts as alive
 * @param placeOf by block, the node at which the rule counts it; negative for none
 * @param alive readable blocks
 * @param lost blocks to rebuild
 * @param moved alive blocks at a node where the rule forbids them
 * @param rule the stripe's code, and where its blocks may be
 * @param notes further knowledge
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never a key
public record LostStripe(
    String id,
    long length,
    int[] nodeOf,
    int[] placeOf,
    List<Integer> alive,
    List<Integer> lost,
    List<Integer> moved,
    StripeRule rule,
    Notes notes) {

  /**
   * Knowledge that changes from one attempt at a stripe to the next.
   *
   * @param cached blocks that their node has in memory
   * @param doubtful alive blocks that failed as helpers: read only when the others do not decode
   * @param avoided nodes that failed as destinations: chosen only when there is no other
   * @param forbidden nodes that cannot take a block of this stripe
   * @param standIns lost blocks that their own node cannot take yet, with that node: they are
   *     rebuilt on any other node, from where they go back to it
   * @param reader the node that waits to read the lost block: the destination of a degraded read
   */
  public record Notes(
      Set<Integer> cached,
      Set<Integer> doubtful,
      Set<Integer> avoided,
      Set<Integer> forbidden,
      Map<Integer, Integer> standIns,
      OptionalInt reader) {
    /** No notes. */
    public static final Notes NONE =
        new Notes(Set.of(), Set.of(), Set.of(), Set.of(), Map.of(), OptionalInt.empty());

    public Notes {
      cached = Set.copyOf(cached);
      doubtful = Set.copyOf(doubtful);
      avoided = Set.copyOf(avoided);
      forbidden = Set.copyOf(forbidden);
      standIns = Map.copyOf(standIns);
    }

    /** The same notes after a failure. */
    public Notes plus(Set<Integer> helpers, Set<Integer> destinations) {
      Set<Integer> blocks = new TreeSet<>(doubtful);
      blocks.addAll(helpers);
      Set<Integer> nodes = new TreeSet<>(avoided);
      nodes.addAll(destinations);
      return new Notes(cached, blocks, nodes, forbidden, standIns, reader);
    }

    /** The same notes with other blocks in memory. */
    public Notes withCached(Set<Integer> blocks) {
      return new Notes(blocks, doubtful, avoided, forbidden, standIns, reader);
    }

    /** The same notes with a reader. */
    public Notes withReader(int node) {
      return new Notes(cached, doubtful, avoided, forbidden, standIns, OptionalInt.of(node));
    }

    /** The same notes with nodes that cannot take a block. */
    public Notes withForbidden(Set<Integer> nodes) {
      return new Notes(cached, doubtful, avoided, nodes, standIns, reader);
    }

    /** The same notes with lost blocks that their own node cannot take yet. */
    public Notes withStandIns(Map<Integer, Integer> blocks) {
      return new Notes(cached, doubtful, avoided, forbidden, blocks, reader);
    }
  }

  public LostStripe {
    alive = List.copyOf(alive);
    lost = List.copyOf(lost);
    moved = List.copyOf(moved);
    if (nodeOf.length != rule.code().n() || placeOf.length != rule.code().n()) {
      throw new IllegalArgumentException(
          "places of %d and %d blocks for %s, needed are %d"
              .formatted(nodeOf.length, placeOf.length, rule.code().name(), rule.code().n()));
    }
    if (lost.isEmpty() && moved.isEmpty()) {
      throw new IllegalArgumentException("stripe " + id + " has nothing to repair");
    }
  }

  /**
   * A stripe with some lost blocks and all others where they belong.
   *
   * @param nodeOf node of each block; values of lost blocks are ignored
   */
  public static LostStripe of(
      String id, StripeRule rule, long length, int[] nodeOf, List<Integer> lost) {
    int[] places = nodeOf.clone();
    lost.forEach(block -> places[block] = StripeRule.NOWHERE);
    List<Integer> alive = new ArrayList<>();
    for (int block = 0; block < places.length; block++) {
      if (!lost.contains(block)) {
        alive.add(block);
      }
    }
    return new LostStripe(id, length, places, places, alive, lost, List.of(), rule, Notes.NONE);
  }

  /** The stripe's code. */
  public ErasureCode code() {
    return rule.code();
  }

  /** The number of readable blocks in each rack that has some. */
  Map<Integer, Integer> helpersInRack(Topology topology) {
    Map<Integer, Integer> sizes = new HashMap<>();
    for (int block : alive) {
      if (nodeOf[block] >= 0) {
        sizes.merge(topology.rackOf(nodeOf[block]), 1, Integer::sum);
      }
    }
    return sizes;
  }

  /** The same stripe with other notes. */
  public LostStripe with(Notes other) {
    return new LostStripe(id, length, nodeOf, placeOf, alive, lost, moved, rule, other);
  }

  /** Blocks that need a destination: lost blocks first, then misplaced ones. */
  public List<Integer> homeless() {
    List<Integer> homeless = new ArrayList<>(lost);
    homeless.addAll(moved);
    return homeless;
  }
}
