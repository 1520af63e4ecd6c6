package org.braid.sim.durability;

import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;
import org.braid.plan.Network;
import org.braid.plan.RepairPlanners;
import org.braid.plan.manage.Budgets;

/** Clusters and settings of tests. */
final class Samples {
  static final double HOUR = 3600;

  private Samples() {}

  static RandomGenerator random(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  static Cluster cluster(String code, String topology) {
    return cluster(code, Topology.parse(topology), OptionalInt.empty());
  }

  static Cluster cluster(String code, Topology topology, OptionalInt perRack) {
    ErasureCode made = Codes.named(code);
    StripeRule rule = StripeRules.on(made, perRack, topology, node -> true);
    return new Cluster(topology, rule, 128 << 20, 16e12);
  }

  static RepairSettings repairs(String shape) {
    return new RepairSettings(
        RepairPlanners.named(shape),
        Network.Rates.DEFAULT,
        256 << 10,
        Double.POSITIVE_INFINITY,
        new Budgets(4, 32),
        1,
        600,
        0,
        0);
  }

  /** Repairs whose mean is an hour or two, whatever was lost. */
  static RepairTimes hours(double hours) {
    return (missing, nodes) -> new RepairTimes.Wait(0, 0, hours * HOUR / missing);
  }
}
