package org.braid.sim.load;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.braid.sim.time.RandomStreams;
import org.braid.sim.time.Simulation;

/**
 * Latent sector errors: they arrive as a Poisson process, each in a random block, and stay hidden
 * until the block is read or scrubbed.
 */
final class LatentSectorErrors {
  private final Setting setting;
  private final Simulation simulation;
  private final Blocks blocks;
  private final RandomGenerator random;
  private final PoissonArrivals arrivals;
  private final Map<Long, Set<Integer>> hidden = new HashMap<>();
  private int arisen;
  private int scrubbed;

  /**
   * Settings of the process.
   *
   * @param rate errors a second in all blocks together
   * @param scrubSeconds time in which the scrubber reads each block once
   */
  record Setting(double rate, double scrubSeconds) {}

  /** The blocks that may have errors. */
  interface Blocks {
    /** Number of stripes. */
    long stripes();

    /** Number of blocks of a stripe. */
    int width();

    /** Whether a block is stored. */
    boolean isThere(long stripe, int block);

    /** The scrubber found an error. */
    void scrubbed(long stripe, int block);
  }

  /** Errors from now on. */
  LatentSectorErrors(Setting setting, Simulation simulation, Blocks blocks, RandomStreams streams) {
    this.setting = setting;
    this.simulation = simulation;
    this.blocks = blocks;
    random = streams.of("latent errors");
    arrivals =
        new PoissonArrivals(
            simulation, setting.rate(), streams.of("arrivals of latent errors"), this::arise);
  }

  private void arise() {
    long stripe = random.nextLong(blocks.stripes());
    int block = random.nextInt(blocks.width());
    double untilScrub = random.nextDouble() * setting.scrubSeconds();
    if (!blocks.isThere(stripe, block) || of(stripe).contains(block)) {
      return;
    }
    arisen++;
    hidden.computeIfAbsent(stripe, unused -> new TreeSet<>()).add(block);
    simulation.after(
        Simulation.nanos(untilScrub),
        () -> {
          if (forget(stripe, block)) {
            scrubbed++;
            blocks.scrubbed(stripe, block);
          }
        });
  }

  /** The blocks of a stripe with hidden errors. */
  Set<Integer> of(long stripe) {
    return hidden.getOrDefault(stripe, Set.of());
  }

  /** Forgets an error that was found or whose block is replaced; returns whether there was one. */
  boolean forget(long stripe, int block) {
    Set<Integer> errors = hidden.get(stripe);
    if (errors == null || !errors.remove(block)) {
      return false;
    }
    if (errors.isEmpty()) {
      hidden.remove(stripe);
    }
    return true;
  }

  /** Stops new errors. */
  void stop() {
    arrivals.stop();
  }

  /** Number of errors so far. */
  int arisen() {
    return arisen;
  }

  /** Number of errors that the scrubber found. */
  int scrubbed() {
    return scrubbed;
  }
}
