package org.braid.sim.durability;

import java.util.random.RandomGenerator;
import org.braid.sim.durability.RepairParameters.Course;
import org.braid.sim.durability.RepairParameters.Law;
import org.braid.sim.time.RandomStreams;

/**
 * The model of one stripe's life.
 *
 * @param cluster of the stripe
 * @param patterns of the cluster's code
 * @param failures of the cluster
 * @param repairs times of repairs
 * @param course order of repairs and distribution of their times
 */
public record StripeModel(
    EncodedCluster cluster,
    ErasurePatterns patterns,
    FailureModel failures,
    RepairTimes repairs,
    Course course) {
  public StripeModel {
    if (!patterns.code().name().equals(cluster.code().name())) {
      throw new IllegalArgumentException(
          "patterns of " + patterns.code().name() + " for stripes of " + cluster.code().name());
    }
    failures.bursts().requireAtMost(cluster.topology().nodes());
  }

  /** Draws the time of a repair. */
  double wait(int missing, double nodes, RandomGenerator random) {
    RepairTimes.Wait wait = repairs.of(missing, nodes);
    if (course.law() == Law.EXPONENTIAL) {
      return RandomStreams.exponential(wait.mean(), random);
    }
    return wait.before() + random.nextDouble() * wait.queue() + wait.own();
  }

  /** Latent errors of a block a second. */
  double latentRate() {
    return failures.latent().perByte() * cluster.blockSize();
  }
}
