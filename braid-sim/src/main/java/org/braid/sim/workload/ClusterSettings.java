package org.braid.sim.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.WorkloadSettings;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.sim.net.Fabric;
import org.braid.sim.net.LinkSharing;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.Simulation;

/**
 * The simulated cluster of a workload, from its settings.
 *
 * @param topology nodes, racks and sites
 * @param speeds of links, disks and processors
 * @param sharing how transfers share links
 */
record ClusterSettings(Topology topology, Fabric.Speeds speeds, LinkSharing sharing) {
  private static final String NONE = "none";

  /** Defaults of the cluster's settings, to which workloads add their own. */
  static Map<String, String> defaults(String topology, String link, String uplink) {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("topology", topology);
    defaults.put("link", link);
    defaults.put("uplink", uplink);
    defaults.put("node-uplink", NONE);
    defaults.put("bandwidth", NONE);
    defaults.put("site-link", NONE);
    defaults.put("site-delays", NONE);
    defaults.put("disk", NONE);
    defaults.put("cpu", NONE);
    defaults.put("network", "held");
    return defaults;
  }

  static ClusterSettings of(WorkloadSettings settings) throws ExperimentException {
    Topology topology = settings.as("topology", Topology::parse);
    Fabric.Speeds speeds =
        new Fabric.Speeds(
            both(settings) ? settings.rate("bandwidth") : rate(settings, "link"),
            both(settings) ? settings.rate("bandwidth") : uplink(settings),
            rate(settings, "site-link"),
            rate(settings, "disk"),
            rate(settings, "cpu"),
            delays(settings, topology.sites()),
            rate(settings, "node-uplink"));
    return new ClusterSettings(topology, speeds, settings.as("network", LinkSharing::named));
  }

  /** Whether one bandwidth is set for links and uplinks. */
  private static boolean both(WorkloadSettings settings) {
    return !settings.text("bandwidth").equals(NONE);
  }

  /** A rate; infinite for none. */
  static double rate(WorkloadSettings settings, String key) throws ExperimentException {
    return settings.text(key).equals(NONE) ? Double.POSITIVE_INFINITY : settings.rate(key);
  }

  private static double uplink(WorkloadSettings settings) throws ExperimentException {
    // A rate, or an oversubscription such as 10:1.
    String text = settings.text("uplink");
    if (!text.endsWith(":1")) {
      return rate(settings, "uplink");
    }
    String ratio = text.substring(0, text.length() - 2);
    if (!ratio.matches("[0-9]{1,6}([.][0-9]{1,6})?") || Double.parseDouble(ratio) <= 0) {
      throw settings.wrong(
          "uplink", "\"" + text + "\" is neither a rate nor an oversubscription such as 10:1");
    }
    Topology topology = settings.as("topology", Topology::parse);
    double nodes = (double) topology.nodes() / topology.racks();
    return rate(settings, "link") * nodes / Double.parseDouble(ratio);
  }

  private static Fabric.Delays delays(WorkloadSettings settings, int sites)
      throws ExperimentException {
    // One-way delays in milliseconds: a row for each sending site, rows separated by /.
    String text = settings.text("site-delays");
    if (text.equals(NONE)) {
      return Fabric.Delays.NONE;
    }
    List<String> rows = List.of(text.split("/"));
    double[][] seconds = new double[sites][sites];
    boolean square = rows.size() == sites;
    for (int from = 0; from < sites && square; from++) {
      String[] row = rows.get(from).strip().split("[,\\s]+");
      square = row.length == sites;
      for (int to = 0; to < sites && square; to++) {
        square = row[to].matches("[0-9]{1,6}([.][0-9]{1,6})?");
        seconds[from][to] = square ? Double.parseDouble(row[to]) / 1000 : 0;
      }
    }
    if (!square) {
      throw settings.wrong(
          "site-delays",
          "\"%s\" is not %d rows of %d delays in milliseconds, as in 0 20 / 20 0 for two sites"
              .formatted(text, sites, sites));
    }
    return Fabric.Delays.ofSites(seconds);
  }

  /** An idle network with a new clock. */
  SimulatedNetwork network() {
    Simulation simulation = new Simulation();
    return new SimulatedNetwork(simulation, new Fabric(topology, speeds), sharing);
  }

  /**
   * The network as planners see it.
   *
   * @param value bytes of a value of plans
   * @param slice bytes of a slice
   */
  Network plannerNetwork(long value, long slice) {
    double nodes = (double) topology.nodes() / topology.racks();
    double link = Double.isInfinite(speeds.link()) ? Network.Rates.DEFAULT.link() : speeds.link();
    double leaving = Math.min(speeds.uplink(), speeds.leaving() * nodes);
    double oversubscription = Math.max(1, link * nodes / leaving);
    return Network.of(topology)
        .with(new Network.Rates(link, oversubscription, speeds.site()))
        .with(new Network.Volume(value, slice));
  }

  /** Approximate bytes of memory of links and their checker. */
  long memory() {
    return 200L * topology.nodes() + (16L << 20);
  }
}
