package org.braid.sim.load;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;

/**
 * Sectors become unreadable and nobody knows, until the block is read or the scrubber comes by:
 * errors arrive as a Poisson process, each in a random block.
 */
final class LatentErrors {
  private final Setting setting;
  private final Simulation simulation;
  private final Blocks blocks;
  private final RandomGenerator random;
  private final Arrivals arrivals;
  private final Map<Long, Set<Integer>> hidden = new HashMap<>();
  private int arisen;
  private int scrubbed;

  /**
   * How often.
   *
   * @param rate errors a second in all blocks together
   * @param scrubSeconds in which the scrubber reads each block once
   */
  record Setting(double rate, double scrubSeconds) {}

  /** The blocks that may have errors. */
  interface Blocks {
    /** How many stripes there are. */
    long stripes();

    /** Blocks of a stripe. */
    int width();

    /** Whether there is such a block, so that it can be damaged. */
    boolean isThere(long stripe, int block);

    /** The scrubber has found an error. */
    void scrubbed(long stripe, int block);
  }

  /** Errors from now on. */
  LatentErrors(Setting setting, Simulation simulation, Blocks blocks, Streams streams) {
    this.setting = setting;
    this.simulation = simulation;
    this.blocks = blocks;
    random = streams.of("latent errors");
    arrivals =
        new Arrivals(
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

  /** The blocks of a stripe that have errors. */
  Set<Integer> of(long stripe) {
    return hidden.getOrDefault(stripe, Set.of());
  }

  /** Takes an error away, as it was found or the block replaced; says whether there was one. */
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

  /** Lets no more errors arise. */
  void stop() {
    arrivals.stop();
  }

  /** Errors that have arisen. */
  int arisen() {
    return arisen;
  }

  /** Errors that the scrubber found. */
  int scrubbed() {
    return scrubbed;
  }
}
