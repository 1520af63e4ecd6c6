package org.braid.placement;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The places of one stripe while its lost blocks are given new ones, block by block. Taking any
 * place that is allowed is never a dead end for the others, see {@link StripeLimits#room}; only a
 * lost column of a grid can take the rack that another one needs.
 */
public final class RepairPlaces {
  private final RepairTargets targets;
  private final Topology topology;
  private final StripeLimits limits;
  private final Set<Integer> taken = new HashSet<>();
  private final Map<Integer, Integer> inRack = new HashMap<>();
  private final Optional<Columns> columns;
  private final int survivors;

  RepairPlaces(
      RepairTargets targets,
      Optional<List<List<Integer>>> columns,
      int[] nodeOf,
      Collection<Integer> lost,
      StripeLimits limits) {
    Set<Integer> rebuilt = new HashSet<>();
    for (int block : lost) {
      if (block < 0 || block >= nodeOf.length || !rebuilt.add(block)) {
        throw new IllegalArgumentException(
            "lost blocks " + lost + " must be distinct blocks of a stripe of " + nodeOf.length);
      }
    }
    this.targets = targets;
    this.topology = targets.topology();
    this.limits = limits;
    this.columns = columns.map(blocks -> new Columns(blocks, nodeOf.length));
    int count = 0;
    for (int block = 0; block < nodeOf.length; block++) {
      if (nodeOf[block] >= 0 && !rebuilt.contains(block)) {
        take(block, nodeOf[block]);
        count++;
      }
    }
    survivors = count;
  }

  /** Which column of a grid each block is in, and in which racks columns are. */
  private static final class Columns {
    private final int[] columnOf;
    private final int[] sizes;

    /** By column and rack, the blocks there. */
    private final List<Map<Integer, Integer>> held;

    Columns(List<List<Integer>> columns, int blocks) {
      columnOf = new int[blocks];
      sizes = columns.stream().mapToInt(List::size).toArray();
      held = columns.stream().<Map<Integer, Integer>>map(c -> new HashMap<>()).toList();
      for (int c = 0; c < sizes.length; c++) {
        for (int block : columns.get(c)) {
          columnOf[block] = c;
        }
      }
    }

    /** The rack with most blocks of a block's column, -1 when no rack has any. */
    int rackOf(int block) {
      int best = Candidates.NONE;
      int most = 0;
      for (Map.Entry<Integer, Integer> rack : held.get(columnOf[block]).entrySet()) {
        boolean first = rack.getValue() == most && rack.getKey() < best;
        if (rack.getValue() > most || (first && most > 0)) {
          best = rack.getKey();
          most = rack.getValue();
        }
      }
      return best;
    }
  }

  /** Whether a lost block may go to a node, beside the survivors and what was placed already. */
  public boolean allows(int block, int node) {
    if (!targets.contains(node) || taken.contains(node)) {
      return false;
    }
    int rack = topology.rackOf(node);
    if (columns.isEmpty()) {
      return limits.allows(rack) && inRack(rack) < limits.perRack();
    }
    Columns grid = columns.get();
    int home = grid.rackOf(block);
    return home == Candidates.NONE
        ? limits.allows(rack)
            && inRack(rack) == 0
            && targets.in(rack).length >= grid.sizes[grid.columnOf[block]]
        : rack == home;
  }

  /** Blocks of the stripe in a rack. */
  public int inRack(int rack) {
    return inRack.getOrDefault(rack, 0);
  }

  /** Counts a block at a node, whether or not that is allowed. */
  public void take(int block, int node) {
    int rack = topology.rackOf(node);
    taken.add(node);
    inRack.merge(rack, 1, Integer::sum);
    columns.ifPresent(grid -> grid.held.get(grid.columnOf[block]).merge(rack, 1, Integer::sum));
  }

  /** Takes a block that was placed away again. */
  public void release(int block, int node) {
    int rack = topology.rackOf(node);
    taken.remove(node);
    inRack.merge(rack, -1, Integer::sum);
    columns.ifPresent(
        grid ->
            grid.held
                .get(grid.columnOf[block])
                .computeIfPresent(rack, (r, count) -> count > 1 ? count - 1 : null));
  }

  /**
   * Takes an allowed node of the racks with fewest blocks of the stripe, ties at random.
   *
   * @param placed how many lost blocks have places already, of how many, for the message
   * @throws PlacementException when no node is allowed
   */
  int takeLeast(int block, int placed, int all, RandomGenerator random) {
    int least = Integer.MAX_VALUE;
    for (int node : targets.all()) {
      if (inRack(topology.rackOf(node)) < least && allows(block, node)) {
        least = inRack(topology.rackOf(node));
      }
    }
    int fewest = least;
    int node =
        Candidates.pick(
            targets.all(), n -> inRack(topology.rackOf(n)) == fewest && allows(block, n), random);
    if (node == Candidates.NONE) {
      throw refusal(block, placed, all);
    }
    take(block, node);
    return node;
  }

  /**
   * Why no node is allowed for a block.
   *
   * @param placed how many lost blocks have places already
   * @param all how many need one
   */
  public PlacementException refusal(int block, int placed, int all) {
    if (columns.isPresent() && columns.get().rackOf(block) == Candidates.NONE) {
      return new PlacementException(
          "racks",
          1,
          0,
          ("no rack left for a lost column of %d blocks: none without a block of the stripe has so"
                  + " many eligible nodes (%d in %d racks): add a rack or nodes")
              .formatted(
                  columns.get().sizes[columns.get().columnOf[block]],
                  targets.size(),
                  targets.racks()));
    }
    int most = columns.map(grid -> grid.sizes[grid.columnOf[block]]).orElse(limits.perRack());
    return new PlacementException(
        "nodes",
        all,
        placed,
        ("no node left for a rebuilt block: %d are to be placed, %d find a node beside the %d"
                + " surviving blocks with at most %d in a rack (%d eligible nodes in %d racks):"
                + " add nodes or racks or allow more blocks a rack")
            .formatted(all, placed, survivors, most, targets.size(), targets.racks()));
  }
}
