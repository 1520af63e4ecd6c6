package org.braid.placement;

import java.util.Collection;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.braid.code.ErasureCode;

/** The nodes of a cluster that may take rebuilt blocks, shared by the repairs of many stripes. */
public final class RepairTargets {
  private final Candidates candidates;

  private RepairTargets(Candidates candidates) {
    this.candidates = candidates;
  }

  /** The eligible nodes of a topology; asks the predicate once a node. */
  public static RepairTargets of(Topology topology, IntPredicate eligible) {
    return new RepairTargets(new Candidates(topology, eligible));
  }

  /** The nodes and racks. */
  public Topology topology() {
    return candidates.topology();
  }

  /** Number of eligible nodes. */
  public int size() {
    return candidates.size();
  }

  /** Racks with an eligible node. */
  int racks() {
    return candidates.racks();
  }

  /** The eligible nodes of a rack. */
  int[] in(int rack) {
    return candidates.in(rack);
  }

  /** All eligible nodes, ascending. */
  int[] all() {
    return candidates.all();
  }

  /** Whether a node is eligible. */
  boolean contains(int node) {
    return candidates.contains(node);
  }

  /**
   * The places that a stripe leaves for its lost blocks: distinct eligible nodes without a
   * surviving block, in target racks, none of which then holds more than c blocks of the stripe; on
   * a grid of racks ({@link GridPlacement}) in the rack of the block's column, which is where the
   * column's survivors are, while a column without survivors goes to a rack of no other column.
   * Survivors that break the limits already only keep their rack from getting more.
   *
   * @param nodeOf node of each block of the stripe, -1 for a block that is nowhere
   * @param lost blocks to rebuild; what {@code nodeOf} says of them does not count
   */
  public RepairPlaces places(
      ErasureCode code, int[] nodeOf, Collection<Integer> lost, StripeLimits limits) {
    return new RepairPlaces(
        this, code.racks().map(unused -> GridPlacement.columns(code)), nodeOf, lost, limits);
  }

  /** The same for a stripe that is known to be on no grid. */
  RepairPlaces places(int[] nodeOf, Collection<Integer> lost, StripeLimits limits) {
    return new RepairPlaces(this, Optional.empty(), nodeOf, lost, limits);
  }
}
