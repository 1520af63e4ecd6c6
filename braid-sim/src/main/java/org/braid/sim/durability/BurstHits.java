package org.braid.sim.durability;

import java.util.random.RandomGenerator;
import org.braid.sim.failure.Gamma;

/**
 * How many of some blocks, each on a node of its own, a burst of random nodes hits: a
 * hypergeometric distribution.
 */
final class BurstHits {
  private final double[] share;
  private final double none;

  /**
   * Computes it.
   *
   * @param nodes of the cluster
   * @param burst nodes of the burst
   * @param blocks on nodes of the cluster
   */
  BurstHits(int nodes, int burst, int blocks) {
    int most = Math.min(blocks, burst);
    share = new double[most + 1];
    for (int hits = 0; hits <= most; hits++) {
      share[hits] =
          burst - hits > nodes - blocks
              ? 0
              : Math.exp(
                  logChoose(blocks, hits)
                      + logChoose(nodes - blocks, burst - hits)
                      - logChoose(nodes, burst));
    }
    none = share[0];
  }

  private static double logChoose(int n, int k) {
    return Gamma.log(n + 1.0) - Gamma.log(k + 1.0) - Gamma.log(n - k + 1.0);
  }

  /** The probability that at least one is hit. */
  double any() {
    double any = 0;
    for (int hits = 1; hits < share.length; hits++) {
      any += share[hits];
    }
    return any;
  }

  /** The probability that none is hit. */
  double none() {
    return none;
  }

  /** So many are hit, at least one. */
  int draw(RandomGenerator random) {
    double at = random.nextDouble() * any();
    int hits = 1;
    while (hits < share.length - 1 && at >= share[hits]) {
      at -= share[hits];
      hits++;
    }
    return hits;
  }

  /** So many are hit, at least one; half of the draws are uniform, so that many hits are seen. */
  int drawWide(RandomGenerator random) {
    return random.nextBoolean() ? draw(random) : 1 + random.nextInt(share.length - 1);
  }

  /** The probability of {@link #draw} over that of {@link #drawWide}. */
  double weight(int hits) {
    double plain = share[hits] / any();
    return plain / (0.5 * plain + 0.5 / (share.length - 1));
  }
}
