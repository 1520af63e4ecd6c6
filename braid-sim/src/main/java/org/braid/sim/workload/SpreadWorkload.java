package org.braid.sim.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.WorkloadSettings;
import org.braid.placement.Topology;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.placement.replication.ReplicationPolicy;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.study.PolicyStudy;
import org.braid.sim.time.RandomStreams;

/** How evenly a policy spreads replicas and reads over racks (EAR experiments 8 and 9). */
final class SpreadWorkload extends SimWorkload {
  SpreadWorkload() {
    super(
        "spread",
        "places blocks on a cluster many times and averages each rack's share of the replicas and"
            + " the busiest rack's share of the reads of a file",
        ownDefaults(),
        List.of(
            Measure.less("largest-share", ""),
            Measure.less("upper-quarter-share", ""),
            Measure.plain("median-share", ""),
            Measure.more("lower-quarter-share", ""),
            Measure.more("smallest-share", ""),
            // Several replicas of a block in a rack count once.
            Measure.less("largest-block-share", ""),
            Measure.more("smallest-block-share", ""),
            Measure.less("hotness", "")));
  }

  private static Map<String, String> ownDefaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("topology", "20x20");
    defaults.put("code", "rs-10-4");
    defaults.put("policy", "ear");
    defaults.put("per-rack", "1");
    defaults.put("replicas", "3");
    defaults.put("replica-layout", "hdfs");
    defaults.put("blocks", "1000");
    defaults.put("clusters", "1000");
    return defaults;
  }

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    Topology topology = settings.as("topology", Topology::parse);
    ErasureCode code = settings.as("code", Codes::named);
    ReplicationPolicy policy = settings.as("policy", ReplicationPolicies::named);
    int blocks = settings.integer("blocks", 1);
    int clusters = settings.integer("clusters", 1);
    StripeRule rule = StripeRules.of(code, StripeLimits.perRack(settings.integer("per-rack", 1)));
    ReplicaLayout layout = settings.as("replica-layout", ReplicaLayout::named);
    var study =
        new PolicyStudy.Setting(
            topology, rule, layout, settings.integer("replicas", 1), blocks, List.of(blocks));
    policy.placer(rule, layout);
    return new Model() {
      @Override
      public Map<String, Double> run(long seed) {
        double[] mean = mean(study, policy, clusters, seed);
        int racks = topology.racks();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("largest-share", mean[0]);
        figures.put("upper-quarter-share", mean[racks / 4]);
        figures.put("median-share", mean[racks / 2]);
        figures.put("lower-quarter-share", mean[racks - 1 - racks / 4]);
        figures.put("smallest-share", mean[racks - 1]);
        figures.put("largest-block-share", mean[racks]);
        figures.put("smallest-block-share", mean[racks + 1]);
        figures.put("hotness", mean[racks + 2]);
        return figures;
      }

      @Override
      public long memory() {
        return 400L * blocks + 400L * topology.nodes();
      }
    };
  }

  /** Mean shares of racks by rank, the largest and smallest share of blocks, the mean hotness. */
  private static double[] mean(
      PolicyStudy.Setting study, ReplicationPolicy policy, int clusters, long seed) {
    RandomGenerator random = new RandomStreams(seed).of("clusters");
    int racks = study.topology().racks();
    double[] sum = new double[racks + 3];
    for (int i = 0; i < clusters; i++) {
      PolicyStudy.Spread spread = PolicyStudy.spread(study, policy, random);
      for (int rack = 0; rack < racks; rack++) {
        sum[rack] += spread.shares().get(rack);
      }
      sum[racks] += spread.blockShares().get(0);
      sum[racks + 1] += spread.blockShares().get(racks - 1);
      sum[racks + 2] += spread.hotness().get(0).index();
    }
    for (int i = 0; i < sum.length; i++) {
      sum[i] /= clusters;
    }
    return sum;
  }
}
