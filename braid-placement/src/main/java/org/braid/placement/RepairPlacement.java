package org.braid.placement;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;

/** Where rebuilt blocks of a stripe go. */
public final class RepairPlacement {
  private RepairPlacement() {}

  /**
   * Chooses a node for each lost block: distinct eligible nodes without a surviving block, in
   * target racks, none of which then holds more than c blocks of the stripe. Racks with fewest
   * blocks are preferred, ties are random. Survivors that break the limits already only keep their
   * rack from getting more.
   *
   * @param nodeOf node of each block of the stripe, -1 for a block that is nowhere
   * @param lost blocks to rebuild; what {@code nodeOf} says of them does not count
   * @return nodes in the order of {@code lost}
   * @throws PlacementException when there are not enough such nodes
   */
  public static int[] destinations(
      Topology topology,
      IntPredicate eligible,
      int[] nodeOf,
      List<Integer> lost,
      StripeLimits limits,
      RandomGenerator random) {
    Set<Integer> rebuilt = new HashSet<>();
    for (int block : lost) {
      if (block < 0 || block >= nodeOf.length || !rebuilt.add(block)) {
        throw new IllegalArgumentException(
            "lost blocks " + lost + " must be distinct blocks of a stripe of " + nodeOf.length);
      }
    }
    Candidates candidates = new Candidates(topology, eligible);
    StripeFill fill = new StripeFill(candidates, limits, random);
    int survivors = 0;
    for (int block = 0; block < nodeOf.length; block++) {
      if (nodeOf[block] >= 0 && !rebuilt.contains(block)) {
        fill.take(nodeOf[block]);
        survivors++;
      }
    }
    int[] destinations = new int[lost.size()];
    for (int i = 0; i < destinations.length; i++) {
      destinations[i] = fill.takeLeast();
      if (destinations[i] == Candidates.NONE) {
        throw new PlacementException(
            "nodes",
            destinations.length,
            i,
            ("no node left for a rebuilt block: %d are to be placed, %d find a node beside the %d"
                    + " surviving blocks with at most %d in a rack (%d eligible nodes in %d racks):"
                    + " add nodes or racks or allow more blocks a rack")
                .formatted(
                    destinations.length,
                    i,
                    survivors,
                    limits.perRack(),
                    candidates.size(),
                    candidates.racks()));
      }
    }
    return destinations;
  }

  /**
   * Chooses a node for each lost block of a code: on a grid of racks ({@link GridPlacement}) in the
   * rack of its column, which is where the column's survivors are; a column without survivors goes
   * to a rack of no other column. All other codes as above.
   *
   * @throws PlacementException when there are not enough such nodes
   */
  public static int[] destinations(
      Topology topology,
      IntPredicate eligible,
      ErasureCode code,
      int[] nodeOf,
      List<Integer> lost,
      StripeLimits limits,
      RandomGenerator random) {
    if (code.racks().isEmpty()) {
      return destinations(topology, eligible, nodeOf, lost, limits, random);
    }
    int[] survivors = nodeOf.clone();
    lost.forEach(block -> survivors[block] = Candidates.NONE);
    Set<Integer> used = new HashSet<>();
    for (int node : survivors) {
      if (node >= 0) {
        used.add(topology.rackOf(node));
      }
    }
    int[] chosen = new int[lost.size()];
    for (List<Integer> column : GridPlacement.columns(code)) {
      List<Integer> missing = column.stream().filter(lost::contains).toList();
      if (missing.isEmpty()) {
        continue;
      }
      int rack = rackOfColumn(topology, eligible, survivors, column, used, random);
      used.add(rack);
      int[] nodes =
          destinations(
              topology,
              eligible,
              survivors,
              missing,
              new StripeLimits(column.size(), Set.of(rack)),
              random);
      for (int i = 0; i < nodes.length; i++) {
        survivors[missing.get(i)] = nodes[i];
        chosen[lost.indexOf(missing.get(i))] = nodes[i];
      }
    }
    return chosen;
  }

  /** The rack with most survivors of a column, else a random unused one with room for it. */
  private static int rackOfColumn(
      Topology topology,
      IntPredicate eligible,
      int[] nodeOf,
      List<Integer> column,
      Set<Integer> used,
      RandomGenerator random) {
    int[] held = new int[topology.racks()];
    int best = 0;
    for (int block : column) {
      if (nodeOf[block] >= 0) {
        int rack = topology.rackOf(nodeOf[block]);
        held[rack]++;
        best = held[rack] > held[best] ? rack : best;
      }
    }
    if (held[best] > 0) {
      return best;
    }
    Candidates candidates = new Candidates(topology, eligible);
    int[] racks = IntStream.range(0, topology.racks()).toArray();
    int rack =
        Candidates.pick(
            racks, r -> !used.contains(r) && candidates.in(r).length >= column.size(), random);
    if (rack == Candidates.NONE) {
      throw new PlacementException(
          "racks",
          1,
          0,
          ("no rack left for a lost column of %d blocks: none without a block of the stripe has so"
                  + " many eligible nodes (%d in %d racks): add a rack or nodes")
              .formatted(column.size(), candidates.size(), candidates.racks()));
    }
    return rack;
  }
}
