package org.braid.sim.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.WorkloadSettings;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.lrc.SubstripeLimits;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.placement.replication.ReplicationPolicy;
import org.braid.placement.rule.CoreRackParity;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.load.BackgroundTraffic;
import org.braid.sim.load.DegradedReads;
import org.braid.sim.load.EncodingRun;
import org.braid.sim.load.RecoveryRun;
import org.braid.sim.time.RandomStreams;

/** Encoding of stripes while blocks are written (EAR experiments 5, 6 and 7). */
final class EncodeWorkload extends SimWorkload {
  private static final double MEGA = 1e6;

  EncodeWorkload() {
    super(
        "encode",
        "encodes stripes of blocks that a policy has placed, while clients write blocks and"
            + " background traffic uses the network",
        ownDefaults(),
        List.of(
            Measure.more("encode-throughput", "MB/s"),
            // A block over the mean time of a write, and the mean of the rates of all writes.
            Measure.more("write-throughput", "MB/s"),
            Measure.more("write-rate-mean", "MB/s"),
            Measure.less("encode-seconds", "s"),
            Measure.less("write-seconds", "s"),
            Measure.less("write-seconds-before", "s"),
            Measure.less("half-encoded", "s"),
            Measure.less("read-seconds", "s"),
            Measure.less("degraded-read-seconds", "s"),
            Measure.plain("degraded-reads", ""),
            Measure.less("failed-reads", ""),
            Measure.less("cross-rack", "GB")));
  }

  private static Map<String, String> ownDefaults() {
    Map<String, String> defaults = ClusterSettings.defaults("20x20", "1gbit", "1gbit");
    // One spinning disk reads at about the rate of the network.
    defaults.put("disk", "1gbit");
    defaults.put("code", "rs-10-4");
    defaults.put("policy", "ear");
    defaults.put("replicas", "3");
    defaults.put("replica-layout", "hdfs");
    defaults.put("rack-failures", "all");
    defaults.put("homes", "random");
    defaults.put("processes", "20");
    defaults.put("stripes", "50");
    defaults.put("share", "any");
    defaults.put("encoder", "stripe");
    defaults.put("transfers", "one-by-one");
    defaults.put("compute-seconds", "0");
    defaults.put("publish-seconds", "0");
    defaults.put("pause-seconds", "0");
    defaults.put("block", "64m");
    defaults.put("start", "0");
    defaults.put("write-rate", "1");
    defaults.put("writer", "any");
    defaults.put("clients", "0");
    defaults.put("write-course", "hops");
    defaults.put("write-overhead-seconds", "0");
    defaults.put("read-rate", "0");
    defaults.put("encoded-before", "0");
    defaults.put("failed-nodes", "0");
    defaults.put("shape", "star");
    defaults.put("slice", "4m");
    defaults.put("queue", "4");
    defaults.put("background-rate", "1");
    defaults.put("background-size", "64m");
    defaults.put("background-cross", "0.5");
    return defaults;
  }

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    ClusterSettings cluster = ClusterSettings.of(settings);
    Topology topology = cluster.topology();
    ErasureCode code = settings.as("code", Codes::named);
    ReplicationPolicy named = settings.as("policy", ReplicationPolicies::named);
    int failures = rackFailures(settings, code, named);
    // The limits of substripes do not follow from blocks a rack.
    ReplicationPolicy policy =
        named == ReplicationPolicies.EAR_LRC ? ReplicationPolicies.earLrc(failures) : named;
    // c blocks a rack survive floor(m / c) rack failures (EAR section 3.2).
    StripeRule rule = StripeRules.of(code, StripeLimits.perRack(code.m() / failures));
    int storing = storing(settings, topology, code);
    rule.check(EligibleNodes.of(topology, node -> node < storing));
    double share = settings.number("background-cross", 0);
    var setting =
        new EncodingRun.Setting(
            code.k(),
            policy.placer(rule, settings.as("replica-layout", ReplicaLayout::named)),
            layout(settings, policy, rule, named != ReplicationPolicies.EAR_LRC),
            settings.integer("replicas", 1),
            settings.size("block"),
            encoding(settings),
            writes(settings),
            reads(settings, cluster, code),
            new BackgroundTraffic.Shape(
                settings.number("background-rate", 0), settings.size("background-size"), share));
    long stripes = (long) setting.encoding().processes() * setting.encoding().stripes();
    return new Model() {
      @Override
      public Map<String, Double> run(long seed) {
        return figures(
            new EncodingRun(setting, cluster.network(), new RandomStreams(seed)).run(), setting);
      }

      @Override
      public long memory() {
        return cluster.memory() + stripes * (200L + 60L * code.n());
      }
    };
  }

  /** Number of racks that may fail after encoding. */
  private static int rackFailures(
      WorkloadSettings settings, ErasureCode code, ReplicationPolicy policy)
      throws ExperimentException {
    boolean local = policy == ReplicationPolicies.EAR_LRC;
    if (settings.text("rack-failures").equals("all")) {
      return local ? Tolerance.counted(code) : code.m();
    }
    int failures = settings.integer("rack-failures", 1);
    if (failures > code.m()) {
      throw settings.wrong(
          "rack-failures",
          "%s has %d parities, it cannot survive the loss of %d racks"
              .formatted(code.name(), code.m(), failures));
    }
    if (local) {
      try {
        SubstripeLimits.of(code, failures);
      } catch (PlacementException e) {
        throw settings.wrong("rack-failures", String.valueOf(e.getMessage()));
      }
    }
    return failures;
  }

  /** Number of nodes that store blocks; they come before the clients. */
  private static int storing(WorkloadSettings settings, Topology topology, ErasureCode code)
      throws ExperimentException {
    int clients = settings.integer("clients", 0);
    if (clients > 0 && topology.nodes() - clients < code.n()) {
      throw settings.wrong(
          "clients",
          "%d of %d nodes are clients only, %s needs %d nodes that store blocks"
              .formatted(clients, topology.nodes(), code.name(), code.n()));
    }
    return topology.nodes() - clients;
  }

  private static EncodingRun.Encoding encoding(WorkloadSettings settings)
      throws ExperimentException {
    return new EncodingRun.Encoding(
        settings.integer("processes", 1),
        settings.integer("stripes", 1),
        settings.constant("share", EncodingRun.Share.class),
        choice(settings, "encoder", "process", "stripe")
            ? EncodingRun.Encoder.EACH_PROCESS
            : EncodingRun.Encoder.EACH_STRIPE,
        settings.constant("transfers", EncodingRun.Transfers.class),
        new EncodingRun.Overheads(
            settings.number("start", 0),
            settings.number("compute-seconds", 0),
            settings.number("publish-seconds", 0),
            settings.number("pause-seconds", 0)));
  }

  private static EncodingRun.Writes writes(WorkloadSettings settings) throws ExperimentException {
    return new EncodingRun.Writes(
        settings.number("write-rate", 0),
        settings.constant("writer", EncodingRun.Writer.class),
        settings.integer("clients", 0),
        choice(settings, "write-course", "pipeline", "hops")
            ? EncodingRun.WritePath.PIPELINE
            : EncodingRun.WritePath.HOP_BY_HOP,
        settings.number("write-overhead-seconds", 0));
  }

  private static EncodingRun.Reads reads(
      WorkloadSettings settings, ClusterSettings cluster, ErasureCode code)
      throws ExperimentException {
    int failed = settings.integer("failed-nodes", 0);
    int nodes = storing(settings, cluster.topology(), code);
    if (nodes - failed < code.n()) {
      throw settings.wrong(
          "failed-nodes",
          "%d of %d nodes fail, %s needs %d that run"
              .formatted(failed, nodes, code.name(), code.n()));
    }
    long block = settings.size("block");
    long slice = settings.size("slice");
    return new EncodingRun.Reads(
        settings.number("read-rate", 0),
        settings.integer("encoded-before", 0),
        failed,
        new DegradedReads.Setting(
            code,
            block,
            settings.as("shape", RepairPlanners::named),
            cluster.plannerNetwork(Math.max(1, block / code.alpha()), slice),
            new RecoveryRun.SlicePolicy(slice, settings.integer("queue", 1))));
  }

  private static EncodingRun.Layout layout(
      WorkloadSettings settings, ReplicationPolicy policy, StripeRule rule, boolean byRule)
      throws ExperimentException {
    boolean near = choice(settings, "homes", "near", "random");
    return (stripe, eligible, random) -> {
      var even = policy.encode(rule, eligible, stripe.replicas(), random);
      return near && byRule
          ? CoreRackParity.in(rule, eligible, even, stripe.replicas(), stripe.coreRack(), random)
          : even;
    };
  }

  private static Map<String, Double> figures(
      EncodingRun.Result result, EncodingRun.Setting setting) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("encode-throughput", result.dataBytes() / MEGA / result.encodeSeconds());
    figures.put("encode-seconds", result.encodeSeconds());
    put(figures, "write-throughput", (double) setting.blockBytes() / MEGA / result.writeSeconds());
    put(figures, "write-rate-mean", result.writeRate() / MEGA);
    put(figures, "write-seconds", result.writeSeconds());
    put(figures, "write-seconds-before", result.writeSecondsBefore());
    figures.put("half-encoded", result.encodedAt().get(result.encodedAt().size() / 2));
    put(figures, "read-seconds", result.reads().seconds());
    put(figures, "degraded-read-seconds", result.reads().degradedSeconds());
    figures.put("degraded-reads", (double) result.reads().degradedReads());
    figures.put("failed-reads", (double) result.reads().failed());
    figures.put("cross-rack", result.crossRackBytes() / 1e9);
    return figures;
  }
}
