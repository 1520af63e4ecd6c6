package org.braid.sim.durability;

import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.time.RandomStreams;

/** Clusters and settings of tests. */
final class Samples {
  static final double HOUR = 3600;

  private Samples() {}

  static RandomGenerator random(long seed) {
    return RandomStreams.single(seed);
  }

  static EncodedCluster cluster(String code, String topology) {
    return cluster(code, Topology.parse(topology), OptionalInt.empty());
  }

  static EncodedCluster cluster(String code, Topology topology, OptionalInt perRack) {
    ErasureCode made = Codes.named(code);
    StripeRule rule = StripeRules.on(made, perRack, EligibleNodes.all(topology));
    return new EncodedCluster(topology, rule, 128 << 20, 16e12);
  }

  static RepairParameters repairs(String shape) {
    return new RepairParameters(
        RepairPlanners.named(shape),
        Network.Rates.DEFAULT,
        256 << 10,
        Double.POSITIVE_INFINITY,
        new RepairBudgets(4, 32),
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
