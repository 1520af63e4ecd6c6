package org.braid.sim.load;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.placement.replication.EncoderChoice;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.Simulation;

/**
 * Reads of single blocks by clients: from the nearest copy or, without a readable copy, as degraded
 * reads.
 */
public final class BlockReads {
  private final SimulatedNetwork network;
  private final Simulation simulation;
  private final DegradedReads degradedReads;
  private final RunningMean plain = new RunningMean();
  private final RunningMean degraded = new RunningMean();
  private long failed;

  /**
   * Measured reads.
   *
   * @param reads number of reads that ended
   * @param seconds mean time of a read from a copy; NaN without any
   * @param degradedReads number of degraded reads
   * @param degradedSeconds mean time of a degraded read; NaN without any
   * @param failed number of reads of blocks that could not be rebuilt
   */
  public record Result(
      long reads, double seconds, long degradedReads, double degradedSeconds, long failed) {}

  BlockReads(SimulatedNetwork network, DegradedReads degradedReads) {
    this.network = network;
    this.degradedReads = degradedReads;
    simulation = network.simulation();
  }

  /** Reads the nearest copy. */
  void read(int client, int[] copies, RandomGenerator random) {
    long begin = simulation.now();
    fetch(client, copies, random, () -> plain.add(Simulation.seconds(simulation.now() - begin)));
  }

  /** Reads the nearest copy without measuring the time. */
  void fetch(int client, int[] copies, RandomGenerator random, Runnable done) {
    int source = EncoderChoice.source(network.fabric().topology(), client, copies, random);
    network.read(source, client, degradedReads.blockBytes(), done);
  }

  /**
   * Reads a block without a readable copy.
   *
   * @param begin when the client asked, in nanoseconds
   * @param readable the blocks of the stripe that can be read
   */
  void rebuild(int client, long begin, int block, int[] nodeOf, IntPredicate readable) {
    boolean possible =
        degradedReads.begin(
            client,
            block,
            nodeOf,
            readable,
            () -> degraded.add(Simulation.seconds(simulation.now() - begin)));
    failed += possible ? 0 : 1;
  }

  Result result() {
    return new Result(
        plain.count() + degraded.count(),
        plain.value(),
        degraded.count(),
        degraded.value(),
        failed);
  }
}
