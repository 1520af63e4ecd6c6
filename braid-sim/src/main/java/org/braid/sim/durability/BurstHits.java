package org.braid.sim.durability;

import java.util.random.RandomGenerator;
import org.apache.commons.math3.distribution.HypergeometricDistribution;

/**
 * Number of blocks of a stripe that a burst of random nodes hits, each block on a node of its own:
 * a hypergeometric distribution, given that at least one block is hit.
 */
final class BurstHits {
  /** By number of hits, its probability. */
  private final double[] probability;

  /**
   * The distribution.
   *
   * @param nodes of the cluster
   * @param burst nodes of the burst
   * @param blocks on nodes of the cluster
   */
  BurstHits(int nodes, int burst, int blocks) {
    // Without a generator of its own: it draws nothing.
    var hits = new HypergeometricDistribution(null, nodes, blocks, burst);
    probability = new double[Math.min(blocks, burst) + 1];
    for (int i = 0; i < probability.length; i++) {
      probability[i] = hits.probability(i);
    }
  }

  /** The probability that at least one block is hit. */
  double any() {
    double any = 0;
    for (int hits = 1; hits < probability.length; hits++) {
      any += probability[hits];
    }
    return any;
  }

  /** Draws a number of hits, at least 1. */
  int draw(RandomGenerator random) {
    double at = random.nextDouble() * any();
    int hits = 1;
    while (hits < probability.length - 1 && at >= probability[hits]) {
      at -= probability[hits];
      hits++;
    }
    return hits;
  }

  /** Draws a number of hits, half of the time uniformly, so that large numbers occur often. */
  int drawWide(RandomGenerator random) {
    return random.nextBoolean() ? draw(random) : 1 + random.nextInt(probability.length - 1);
  }

  /** The probability of a number with {@link #draw} over that with {@link #drawWide}. */
  double weight(int hits) {
    double plain = probability[hits] / any();
    return plain / (0.5 * plain + 0.5 / (probability.length - 1));
  }
}
