package org.braid.sim.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.WorkloadSettings;
import org.braid.sim.load.ReadersRun;
import org.braid.sim.time.RandomStreams;

/** Concurrent readers (HDFS-EC section 5.3). */
final class ReadersWorkload extends SimWorkload {
  ReadersWorkload() {
    super(
        "readers",
        "clients read files at the same time, striped, contiguous or replicated",
        ownDefaults(),
        List.of(
            Measure.more("read-throughput", "MB/s"),
            Measure.more("slowest-client", "MB/s"),
            Measure.less("seconds", "s"),
            Measure.less("imbalance", "x"),
            Measure.plain("served", "GB"),
            Measure.less("from-disks", "GB")));
  }

  private static Map<String, String> ownDefaults() {
    Map<String, String> defaults = ClusterSettings.defaults("20x1", "10gbit", "none");
    defaults.put("network", "fair");
    defaults.put("disk", "1gbit");
    defaults.put("code", "rs-6-3");
    defaults.put("layout", "striped");
    defaults.put("placement", "random");
    defaults.put("clients", "5");
    defaults.put("client-nodes", "0");
    defaults.put("files", "distinct");
    defaults.put("stripes", "4");
    defaults.put("block", "256m");
    defaults.put("replicas", "1");
    return defaults;
  }

  @Override
  Model model(WorkloadSettings settings) throws ExperimentException {
    ClusterSettings cluster = ClusterSettings.of(settings);
    ErasureCode code = settings.as("code", Codes::named);
    boolean striped = choice(settings, "layout", "striped", "contiguous");
    boolean balanced = choice(settings, "placement", "balanced", "random");
    boolean same = choice(settings, "files", "same", "distinct");
    int replicas = settings.integer("replicas", 1);
    int clientNodes = settings.integer("client-nodes", 0);
    int storing = cluster.topology().nodes() - clientNodes;
    if (clientNodes > 0 && storing < Math.max(code.n(), replicas)) {
      throw settings.wrong(
          "client-nodes",
          "%d of %d nodes store, %s needs %d"
              .formatted(storing, cluster.topology().nodes(), code.name(), code.n()));
    }
    if (cluster.topology().nodes() < Math.max(code.n(), replicas)) {
      throw settings.wrong(
          "topology",
          "%d nodes cannot hold the %d blocks of a stripe"
              .formatted(cluster.topology().nodes(), code.n()));
    }
    var setting =
        new ReadersRun.Setting(
            code.k(),
            code.m(),
            settings.integer("clients", 1),
            clientNodes,
            same,
            settings.integer("stripes", 1),
            settings.size("block"),
            striped,
            replicas,
            balanced);
    return seed -> {
      ReadersRun.Result result =
          new ReadersRun(setting, cluster.network(), new RandomStreams(seed)).run();
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("read-throughput", result.bytesPerSecond() / 1e6);
      figures.put("slowest-client", result.slowest() / 1e6);
      figures.put("seconds", result.seconds());
      figures.put("imbalance", result.imbalance());
      figures.put("served", result.servedBytes() / 1e9);
      figures.put("from-disks", result.diskBytes() / 1e9);
      return figures;
    };
  }
}
