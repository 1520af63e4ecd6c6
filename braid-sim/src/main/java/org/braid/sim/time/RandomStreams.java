package org.braid.sim.time;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * One independent stream of random numbers for each purpose, all from one seed. Systems that are
 * compared see the same arrivals, whatever else they draw.
 */
public final class RandomStreams {
  private final long seed;

  /** The streams of a seed. */
  public RandomStreams(long seed) {
    this.seed = seed;
  }

  /** The stream of a purpose, from its beginning. */
  public RandomGenerator of(String purpose) {
    // FNV-1a: a purpose must give the same stream in every version, or seeds would not replay.
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < purpose.length(); i++) {
      hash = (hash ^ purpose.charAt(i)) * 0x100000001b3L;
    }
    return new SplittableRandom(new SplittableRandom(seed).nextLong() ^ hash);
  }

  /** A single stream for callers that need only one. */
  public static RandomGenerator single(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  /** Draws from the exponential distribution. */
  public static double exponential(double mean, RandomGenerator random) {
    return -mean * Math.log(1 - random.nextDouble());
  }
}
