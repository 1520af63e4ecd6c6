package org.braid.sim.durability;

import java.util.random.RandomGenerator;
import org.braid.sim.durability.RepairSettings.Course;
import org.braid.sim.durability.RepairSettings.Law;

/**
 * All that is asked about one stripe's life.
 *
 * @param cluster where it is
 * @param patterns of the cluster's code
 * @param faults what goes wrong
 * @param repairs how long repairs take
 * @param course order and law of repairs
 */
public record StripeModel(
    Cluster cluster, Patterns patterns, Faults faults, RepairTimes repairs, Course course) {
  public StripeModel {
    if (!patterns.code().name().equals(cluster.code().name())) {
      throw new IllegalArgumentException(
          "patterns of " + patterns.code().name() + " for stripes of " + cluster.code().name());
    }
    faults.bursts().requireOn(cluster.topology().nodes());
  }

  /** Draws a wait for a repair. */
  double wait(int missing, double nodes, RandomGenerator random) {
    RepairTimes.Wait wait = repairs.of(missing, nodes);
    if (course.law() == Law.EXPONENTIAL) {
      return -Math.log1p(-random.nextDouble()) * wait.mean();
    }
    return wait.before() + random.nextDouble() * wait.queue() + wait.own();
  }

  /** Latent errors of a block in a second. */
  double latentRate() {
    return faults.latent().perByte() * cluster.blockSize();
  }
}
