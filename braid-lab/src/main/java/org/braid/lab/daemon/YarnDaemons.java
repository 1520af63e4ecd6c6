package org.braid.lab.daemon;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.lab.namespace.Namespaces;
import org.braid.lab.network.LabTopology;
import org.braid.placement.Topology;

/** Starts YARN's ResourceManager and NodeManagers and waits until they serve. */
public final class YarnDaemons {
  /** The role of the ResourceManager, which runs on the NameNode's host. */
  public static final String RESOURCE_MANAGER = "rm";

  private static final String NODE_MANAGER = "nm-";
  private static final int HTTP_PORT = 8088;
  private static final String RESOURCE_MANAGER_HEAP = "256m";
  private static final String NODE_MANAGER_HEAP = "128m";
  private static final String CLIENT_HEAP = "512m";
  private static final long MEBI = 1L << 20;
  private static final long RESOURCE_MANAGER_MEMORY = 350 * MEBI;

  /** Of a NodeManager and of the tasks that usually run on its host. */
  private static final long NODE_MANAGER_MEMORY = 350 * MEBI;

  private static final long LIVE_SECONDS = 180;
  private static final long LOOK_MILLIS = 200;

  private final List<String> hosts;
  private final JavaLauncher launch;
  private final Path site;
  private final Path data;
  private final Path logs;

  /**
   * The daemons of a lab.
   *
   * @param hosts the hosts of NodeManagers
   * @param launch builds the commands of programs with YARN on their class path
   * @param site the configuration file
   * @param data the directory of the data of daemons, as they see it
   * @param logs the directory of logs
   */
  public YarnDaemons(List<String> hosts, JavaLauncher launch, Path site, Path data, Path logs) {
    this.hosts = List.copyOf(hosts);
    this.launch = launch;
    this.site = site;
    this.data = data;
    this.logs = logs;
  }

  /**
   * The hosts of NodeManagers: DataNodes of all racks in turn.
   *
   * @param number of NodeManagers, at most one a DataNode
   */
  public static List<String> hosts(LabTopology topology, int number) {
    Topology racks = topology.topology();
    List<String> hosts = new ArrayList<>();
    for (int place = 0; hosts.size() < number; place++) {
      for (int rack = 0; rack < racks.racks() && hosts.size() < number; rack++) {
        List<Integer> nodes = racks.nodesIn(rack);
        if (place < nodes.size()) {
          hosts.add(racks.nodeName(nodes.get(place)));
        }
      }
    }
    return hosts;
  }

  /** Bytes of memory of YARN's daemons and of jobs. */
  public static long memory(int nodeManagers) {
    return nodeManagers == 0 ? 0 : RESOURCE_MANAGER_MEMORY + nodeManagers * NODE_MANAGER_MEMORY;
  }

  /** The properties of all daemons and clients, in addition to those of HDFS. */
  public Map<String, String> properties() {
    return YarnSite.properties(hosts.size(), launch.arguments());
  }

  /** Further properties of jobs, which make Braid's client their file system. */
  public static Map<String, String> ofJobs() {
    return YarnSite.ofJobs();
  }

  /** The role of a host's NodeManager. */
  public static String role(String host) {
    return NODE_MANAGER + host;
  }

  /** The host of a NodeManager; empty for other roles. */
  static Optional<String> hostOf(String role) {
    return role.startsWith(NODE_MANAGER)
        ? Optional.of(role.substring(NODE_MANAGER.length()))
        : Optional.empty();
  }

  /** The rack of a daemon, as HDFS writes it; empty for the ResourceManager. */
  public static String location(String role, LabTopology topology) {
    return hostOf(role)
        .map(host -> topology.location(topology.host(host).rack().orElseThrow()))
        .orElse("");
  }

  /** The roles of YARN's daemons in a lab. */
  public static List<String> roles(LabTopology topology, int nodeManagers) {
    return nodeManagers == 0 ? List.of() : roles(hosts(topology, nodeManagers));
  }

  private static List<String> roles(List<String> hosts) {
    List<String> roles = new ArrayList<>(List.of(RESOURCE_MANAGER));
    hosts.forEach(host -> roles.add(role(host)));
    return roles;
  }

  /** The roles of these daemons. */
  public List<String> roles() {
    return roles(hosts);
  }

  /** The hosts of NodeManagers. */
  public List<String> hosts() {
    return hosts;
  }

  /**
   * The command of a client of YARN.
   *
   * @param root the directory of the lab
   */
  public static List<String> client(Path root, List<String> words) {
    return JavaLauncher.joinYarn(root).client(CLIENT_HEAP, words);
  }

  /** Builds commands of programs with YARN and MapReduce on their class path. */
  JavaLauncher launch() {
    return launch;
  }

  /** Starts the ResourceManager and all NodeManagers. */
  public void start(Namespaces space) throws ExperimentException, InterruptedException {
    List<String> words =
        List.of(
            Namespaces.ROLE + RESOURCE_MANAGER,
            "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager",
            "-conf",
            site.toString());
    space.run(
        "set -e\n"
            + Namespaces.inBackground(
                Daemons.NAME_NODE,
                launch.daemon(RESOURCE_MANAGER_HEAP, words),
                logs.resolve(RESOURCE_MANAGER + ".log")));
    startNodeManagers(space, hosts);
  }

  /** Starts the NodeManagers of hosts. */
  public void startNodeManagers(Namespaces space, List<String> some)
      throws ExperimentException, InterruptedException {
    StringBuilder script = new StringBuilder("set -e\n");
    for (String host : some) {
      List<String> words =
          new ArrayList<>(
              List.of(
                  Namespaces.ROLE + role(host),
                  "org.apache.hadoop.yarn.server.nodemanager.NodeManager",
                  "-conf",
                  site.toString()));
      YarnSite.ofHost(host, data).forEach((key, value) -> words.add("-D" + key + "=" + value));
      script.append(
          Namespaces.inBackground(
              host, launch.daemon(NODE_MANAGER_HEAP, words), logs.resolve(role(host) + ".log")));
    }
    space.run(script.toString());
    Daemons.awaitSeen(space, some.stream().map(YarnDaemons::role).toList());
  }

  /** Waits until the ResourceManager counts a number of NodeManagers. */
  public void awaitLive(
      int number, Daemons.Metrics metrics, Daemons.Health health, RunProgress progress)
      throws ExperimentException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIVE_SECONDS);
    while (true) {
      int live =
          metrics
              .bean(
                  Daemons.NAME_NODE,
                  HTTP_PORT,
                  "Hadoop:service=ResourceManager,name=ClusterMetrics")
              .map(bean -> bean.path("NumActiveNMs").asInt())
              .orElse(0);
      progress.at("starting NodeManagers", Math.min(live, number), number);
      if (live == number) {
        return;
      }
      health.check();
      if (System.nanoTime() - end > 0) {
        throw ExperimentException.failed(
            "%d of %d NodeManagers are live after %d s; their logs are in %s"
                .formatted(live, number, LIVE_SECONDS, logs));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
