package org.braid.sim.load;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.placement.EncoderChoice;
import org.braid.sim.net.Wires;
import org.braid.sim.time.Simulation;

/**
 * Reads of single blocks by clients: of the nearest copy or, where none can be read, of what the
 * stripe's other blocks make of it.
 */
public final class BlockReads {
  private final Wires wires;
  private final Simulation simulation;
  private final Rebuilding rebuilding;
  private final Mean plain = new Mean();
  private final Mean degraded = new Mean();
  private long failed;

  /**
   * What was measured.
   *
   * @param reads that ended
   * @param seconds mean time of a read of a copy; NaN without any
   * @param degradedReads of blocks without a copy
   * @param degradedSeconds mean time of these; NaN without any
   * @param failed reads of blocks that nothing could rebuild
   */
  public record Result(
      long reads, double seconds, long degradedReads, double degradedSeconds, long failed) {}

  BlockReads(Wires wires, Rebuilding rebuilding) {
    this.wires = wires;
    this.rebuilding = rebuilding;
    simulation = wires.simulation();
  }

  /** Reads the nearest of some copies. */
  void read(int client, int[] copies, RandomGenerator random) {
    long begin = simulation.now();
    fetch(client, copies, random, () -> plain.add(Simulation.seconds(simulation.now() - begin)));
  }

  /** Reads the nearest of some copies, of which the read tells that it is damaged. */
  void fetch(int client, int[] copies, RandomGenerator random, Runnable done) {
    int source = EncoderChoice.source(wires.fabric().topology(), client, copies, random);
    wires.read(source, client, rebuilding.blockBytes(), done);
  }

  /**
   * Reads a block that is lost.
   *
   * @param begin when the client asked, in nanoseconds
   * @param readable which blocks of the stripe can be read
   */
  void rebuild(int client, long begin, int block, int[] nodeOf, IntPredicate readable) {
    boolean possible =
        rebuilding.begin(
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
