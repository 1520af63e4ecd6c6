package org.braid.sim.advise;

import java.util.List;
import java.util.OptionalInt;
import org.braid.placement.Topology;
import org.braid.sim.durability.Faults;
import org.braid.sim.durability.RepairSettings;

/**
 * A cluster that wants advice.
 *
 * @param topology nodes, racks, sites
 * @param blockSize bytes of a block
 * @param nodeBytes bytes that a node stores
 * @param faults what goes wrong
 * @param repairs how repairs run; the shape is that of each choice
 * @param perRack blocks of a stripe in a rack at most; empty to try what limits allow
 * @param limits that must be kept
 * @param codes names of the codes to consider
 * @param samples stripes that are planned for each figure
 * @param seed of everything random
 */
public record Wanted(
    Topology topology,
    long blockSize,
    double nodeBytes,
    Faults faults,
    RepairSettings repairs,
    OptionalInt perRack,
    Limits limits,
    List<String> codes,
    int samples,
    long seed) {
  public Wanted {
    codes = List.copyOf(codes);
    if (samples < 1) {
      throw new IllegalArgumentException(samples + " samples, needed is 1 or more");
    }
  }

  /** Whether a Markov chain of node failures knows all that goes wrong but latent errors. */
  boolean isMarkov() {
    return faults.with(Faults.Latent.NONE).isMarkov();
  }
}
