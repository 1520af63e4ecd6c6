package org.braid.sim.time;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Independent random numbers for each purpose, all from one seed: runs that compare systems see the
 * same arrivals, whatever else the systems draw.
 */
public final class Streams {
  private final long seed;

  /** The streams of a seed. */
  public Streams(long seed) {
    this.seed = seed;
  }

  /** The stream of a purpose, from its beginning. */
  public RandomGenerator of(String purpose) {
    // FNV-1a: what a name gives must never change, or seeds would not replay.
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < purpose.length(); i++) {
      hash = (hash ^ purpose.charAt(i)) * 0x100000001b3L;
    }
    return new SplittableRandom(new SplittableRandom(seed).nextLong() ^ hash);
  }

  /** A time drawn from the exponential distribution, in seconds. */
  public static double exponential(double mean, RandomGenerator random) {
    return -mean * Math.log(1 - random.nextDouble());
  }
}
