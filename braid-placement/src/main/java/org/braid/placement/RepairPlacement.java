package org.braid.placement;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

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
}
