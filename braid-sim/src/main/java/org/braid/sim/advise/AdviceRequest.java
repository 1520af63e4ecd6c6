package org.braid.sim.advise;

import java.util.List;
import java.util.OptionalInt;
import org.braid.placement.Topology;
import org.braid.sim.durability.FailureModel;
import org.braid.sim.durability.RepairParameters;

/**
 * A cluster, and the requirements and codes to measure on it.
 *
 * @param topology nodes, racks, sites
 * @param blockSize bytes of a block
 * @param nodeBytes bytes that a node stores
 * @param failures of the cluster
 * @param repairs how repairs run; each candidate has a shape of its own
 * @param perRack most blocks of a stripe in a rack; empty to try what the requirements allow
 * @param requirements that every recommended candidate meets
 * @param codes names of the codes to measure
 * @param samples number of sample stripes for each measurement
 * @param seed of all random numbers
 */
public record AdviceRequest(
    Topology topology,
    long blockSize,
    double nodeBytes,
    FailureModel failures,
    RepairParameters repairs,
    OptionalInt perRack,
    Requirements requirements,
    List<String> codes,
    int samples,
    long seed) {
  public AdviceRequest {
    codes = List.copyOf(codes);
    if (samples < 1) {
      throw new IllegalArgumentException(samples + " samples: must be at least 1");
    }
  }

  /** Whether a Markov chain of node failures covers all failures but latent errors. */
  boolean isMarkov() {
    return failures.with(FailureModel.Latent.NONE).isMarkov();
  }
}
