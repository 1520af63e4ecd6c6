package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.braid.code.ErasureCode;
import org.braid.placement.StripeRule;

/**
 * A stripe with something to repair.
 *
 * @param id its name
 * @param length bytes of a block
 * @param nodeOf by block, the node to read it from; negative for one that is nowhere or, when it is
 *     alive all the same, for a virtual block of zeros
 * @param placeOf by block, the node at which it counts for the rule; negative for none
 * @param alive blocks that can be read
 * @param lost blocks to rebuild
 * @param moved alive blocks that stand where the rule forbids it
 * @param rule its code, and where its blocks may be
 * @param notes what else is known
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
   * What may change from one attempt at a stripe to the next.
   *
   * @param cached blocks that their node has in memory
   * @param doubtful alive blocks that failed as helpers: read only when there is no way without
   * @param avoided nodes that failed as destinations: they get nothing unless there is no other
   * @param forbidden nodes that cannot take a block of this stripe
   * @param reader the node that waits to read the lost block and gets it instead of a new home
   */
  public record Notes(
      Set<Integer> cached,
      Set<Integer> doubtful,
      Set<Integer> avoided,
      Set<Integer> forbidden,
      OptionalInt reader) {
    /** Nothing special. */
    public static final Notes NONE =
        new Notes(Set.of(), Set.of(), Set.of(), Set.of(), OptionalInt.empty());

    public Notes {
      cached = Set.copyOf(cached);
      doubtful = Set.copyOf(doubtful);
      avoided = Set.copyOf(avoided);
      forbidden = Set.copyOf(forbidden);
    }

    /** The same after a failure. */
    public Notes plus(Set<Integer> helpers, Set<Integer> destinations) {
      Set<Integer> blocks = new TreeSet<>(doubtful);
      blocks.addAll(helpers);
      Set<Integer> nodes = new TreeSet<>(avoided);
      nodes.addAll(destinations);
      return new Notes(cached, blocks, nodes, forbidden, reader);
    }

    /** The same with other blocks in memory. */
    public Notes withCached(Set<Integer> blocks) {
      return new Notes(blocks, doubtful, avoided, forbidden, reader);
    }

    /** The same with a reader that waits. */
    public Notes withReader(int node) {
      return new Notes(cached, doubtful, avoided, forbidden, OptionalInt.of(node));
    }

    /** The same with nodes that cannot take a block. */
    public Notes withForbidden(Set<Integer> nodes) {
      return new Notes(cached, doubtful, avoided, nodes, reader);
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
   * A stripe of which some blocks are lost and all others are where they belong.
   *
   * @param nodeOf node of each block; what it says of those lost does not count
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

  /** Its code. */
  public ErasureCode code() {
    return rule.code();
  }

  /** The same with other notes. */
  public LostStripe with(Notes other) {
    return new LostStripe(id, length, nodeOf, placeOf, alive, lost, moved, rule, other);
  }

  /** Blocks that need a place: first those to rebuild, then those to move. */
  public List<Integer> homeless() {
    List<Integer> homeless = new ArrayList<>(lost);
    homeless.addAll(moved);
    return homeless;
  }
}
