package org.braid.lab.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.lab.namespace.Namespaces;
import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;

/** Starts the NameNode, the DataNodes and the coordinator of a lab and waits until they serve. */
public final class Daemons {
  /** The NameNode's host. */
  static final String NAME_NODE = LabTopology.NAME_NODE;

  static final int RPC_PORT = 8020;
  static final int NAME_NODE_HTTP_PORT = 9870;
  static final int TRANSFER_PORT = 9866;
  static final int DATA_NODE_HTTP_PORT = 9864;
  static final int DATA_NODE_IPC_PORT = 9867;

  /** The file system's address inside the lab. */
  public static final String URI = "hdfs://" + NAME_NODE + ":" + RPC_PORT;

  /** Largest heaps; a DataNode needs about as much memory again outside its heap. */
  private static final String NAME_NODE_HEAP = "384m";

  private static final String DATA_NODE_HEAP = "160m";

  /** The role of the coordinator. */
  public static final String COORDINATOR = "coordinator";

  private static final String COORDINATOR_HEAP = "256m";
  private static final String AGENT_HEAP = "96m";

  private static final long MEBI = 1L << 20;
  private static final long NAME_NODE_MEMORY = 350 * MEBI;
  private static final long DATA_NODE_MEMORY = 200 * MEBI;
  private static final long CLIENT_MEMORY = 600 * MEBI;

  private static final long LIVE_SECONDS = 180;
  private static final long END_MILLIS = 20_000;
  private static final long LOOK_MILLIS = 200;

  private final LabTopology topology;
  private final Plugins plugins;
  private final JavaLauncher launch;
  private final Path site;
  private final Path data;
  private final Path logs;
  private final Optional<YarnDaemons> yarn;

  /** Reads metrics of daemons. */
  public interface Metrics {
    /** A bean of a daemon's JMX page; empty when it does not answer yet. */
    Optional<JsonNode> bean(String host, int port, String name)
        throws ExperimentException, InterruptedException;
  }

  /** Checks that all daemons run. */
  public interface Health {
    /** Throws when a daemon that must run has ended. */
    void check() throws ExperimentException;
  }

  /**
   * The daemons of a lab.
   *
   * @param plugins their plugins
   * @param launch builds the commands of Java programs
   * @param site their configuration file
   * @param data the directory of their data, as they see it
   * @param logs the directory of their logs
   * @param yarn the daemons of YARN, where they run
   */
  public Daemons(
      LabTopology topology,
      Plugins plugins,
      JavaLauncher launch,
      Path site,
      Path data,
      Path logs,
      Optional<YarnDaemons> yarn) {
    this.topology = topology;
    this.plugins = plugins;
    this.launch = launch;
    this.site = site;
    this.data = data;
    this.logs = logs;
    this.yarn = yarn;
  }

  /** How messages call a daemon. */
  public static String called(String role) {
    return switch (role) {
      case NAME_NODE -> "the NameNode";
      case COORDINATOR -> "the coordinator";
      case YarnDaemons.RESOURCE_MANAGER -> "the ResourceManager";
      default ->
          YarnDaemons.hostOf(role)
              .map(host -> "the NodeManager of " + host)
              .orElse("DataNode " + role);
    };
  }

  /** The daemons of YARN, where they run. */
  public Optional<YarnDaemons> yarn() {
    return yarn;
  }

  /** Bytes of memory of the daemons and clients of a lab, without data. */
  public static long memory(LabTopology topology) {
    return NAME_NODE_MEMORY
        + topology.topology().nodes() * DATA_NODE_MEMORY
        + (1 + topology.clients().size()) * CLIENT_MEMORY;
  }

  /** The text of the configuration file. */
  public static String site(
      long blockSize, Path racks, Path data, Plugins plugins, Map<String, String> others) {
    return SiteFile.text(SiteFile.properties(blockSize, racks, data, plugins, others));
  }

  /**
   * The configuration of a host's stock daemon or client.
   *
   * @param blockSize bytes of a block
   * @param racks the table of racks by address
   * @param others further properties
   */
  public String stockSite(long blockSize, Path racks, Map<String, String> others, Host host) {
    Map<String, String> own = new TreeMap<>(others);
    if (host.role() == Host.Role.DATA_NODE) {
      own.putAll(ofDataNode(host.name()));
    }
    return site(blockSize, racks, data, Plugins.NONE, own);
  }

  /** The properties of a single DataNode. */
  private Map<String, String> ofDataNode(String name) {
    return Map.of(
        "dfs.datanode.hostname", name,
        "dfs.datanode.data.dir", data.resolve(name).toUri().toString(),
        "hadoop.tmp.dir", data.resolve("tmp-" + name).toString());
  }

  /**
   * The roles of all daemons: {@code nn}, the names of DataNodes and, where they run, the
   * coordinator and the daemons of YARN.
   */
  public List<String> roles() {
    return Stream.concat(
            roles(topology, plugins).stream(),
            yarn.stream().flatMap(daemons -> daemons.roles().stream()))
        .toList();
  }

  /** The roles of all daemons of HDFS in a lab. */
  public static List<String> roles(LabTopology topology, Plugins plugins) {
    Stream<String> watch =
        plugins == Plugins.BRAID_WATCHED ? Stream.of(COORDINATOR) : Stream.empty();
    return Stream.of(Stream.of(NAME_NODE), watch, dataNodes(topology))
        .flatMap(roles -> roles)
        .toList();
  }

  private static Stream<String> dataNodes(LabTopology topology) {
    return topology.hosts(Host.Role.DATA_NODE).stream().map(Host::name);
  }

  /** The command of a Java program, which can run jobs where YARN runs. */
  public List<String> java(String heap, List<String> words) {
    return yarn.map(YarnDaemons::launch).orElse(launch).client(heap, words);
  }

  /** The command of the agent. */
  public List<String> agent() {
    return launch.daemon(AGENT_HEAP, List.of("org.braid.lab.agent.Agent"));
  }

  /** Starts the NameNode with an empty namespace, and all DataNodes. */
  public void start(Namespaces space) throws ExperimentException, InterruptedException {
    StringBuilder script = new StringBuilder("set -e\n");
    script.append("cp -r '%s' '%s'\n".formatted(launch.formatted(), data.resolve("name")));
    script.append(nameNode());
    dataNodes(topology).forEach(name -> script.append(dataNode(name)));
    space.run(script.toString());
    awaitSeen(space, Stream.concat(Stream.of(NAME_NODE), dataNodes(topology)).toList());
  }

  private String nameNode() {
    List<String> words =
        List.of(
            Namespaces.ROLE + NAME_NODE,
            "org.apache.hadoop.hdfs.server.namenode.NameNode",
            "-conf",
            site.toString());
    return background(NAME_NODE, launch.daemon(NAME_NODE_HEAP, words));
  }

  /** Starts the NameNode on its files. */
  public void startNameNode(Namespaces space) throws ExperimentException, InterruptedException {
    space.run("set -e\n" + nameNode());
    awaitSeen(space, List.of(NAME_NODE));
  }

  /** A started process takes a moment to become the daemon. */
  static void awaitSeen(Namespaces space, List<String> roles) throws InterruptedException {
    holdsInTime(() -> space.members().keySet().containsAll(roles));
  }

  /**
   * Starts the coordinator if the plugins include it; the NameNode and its DataNodes must be live.
   */
  public void startCoordinator(Namespaces space) throws ExperimentException, InterruptedException {
    if (plugins == Plugins.BRAID_WATCHED) {
      List<String> words =
          List.of(
              Namespaces.ROLE + COORDINATOR,
              "org.braid.cli.Main",
              "daemon",
              "-conf",
              site.toString(),
              "-fs",
              URI);
      List<String> command = launch.client(COORDINATOR_HEAP, words);
      space.run(Namespaces.inBackground(NAME_NODE, command, logs.resolve(COORDINATOR + ".log")));
      awaitSeen(space, List.of(COORDINATOR));
    }
  }

  /** Starts DataNodes on their files. */
  public void startDataNodes(Namespaces space, List<String> names)
      throws ExperimentException, InterruptedException {
    StringBuilder script = new StringBuilder("set -e\n");
    names.forEach(name -> script.append(dataNode(name)));
    space.run(script.toString());
    awaitSeen(space, names);
  }

  private String dataNode(String name) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Namespaces.ROLE + name,
                "org.apache.hadoop.hdfs.server.datanode.DataNode",
                "-conf",
                site.toString()));
    ofDataNode(name).forEach((key, value) -> words.add("-D" + key + "=" + value));
    return background(name, launch.daemon(DATA_NODE_HEAP, words));
  }

  private String background(String host, List<String> command) {
    return Namespaces.inBackground(host, command, logs.resolve(host + ".log"));
  }

  /** Waits until all DataNodes are live and the NameNode has left safe mode. */
  public void awaitLive(Metrics metrics, Health health, RunProgress progress)
      throws ExperimentException, InterruptedException {
    int all = topology.topology().nodes();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIVE_SECONDS);
    int live = 0;
    while (true) {
      progress.at("starting DataNodes", live, all);
      Optional<JsonNode> state =
          metrics.bean(
              NAME_NODE, NAME_NODE_HTTP_PORT, "Hadoop:service=NameNode,name=FSNamesystemState");
      live = state.map(bean -> bean.path("NumLiveDataNodes").asInt()).orElse(0);
      if (live >= all && isOpen(metrics)) {
        progress.at("starting DataNodes", all, all);
        return;
      }
      health.check();
      if (System.nanoTime() - end > 0) {
        throw ExperimentException.failed(
            "%d of %d DataNodes are live after %d s; their logs are in %s"
                .formatted(live, all, LIVE_SECONDS, logs));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static boolean isOpen(Metrics metrics) throws ExperimentException, InterruptedException {
    return metrics
        .bean(NAME_NODE, NAME_NODE_HTTP_PORT, "Hadoop:service=NameNode,name=NameNodeInfo")
        .map(bean -> bean.path("Safemode").asText("?").isEmpty())
        .orElse(false);
  }

  /** Waits until DataNodes report that they are registered. */
  public void awaitRegistered(List<String> names, Metrics metrics, Health health)
      throws ExperimentException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIVE_SECONDS);
    for (String name : names) {
      while (!isRegistered(name, metrics)) {
        health.check();
        if (System.nanoTime() - end > 0) {
          throw ExperimentException.failed(
              "DataNode %s is not registered after %d s; its log is %s"
                  .formatted(name, LIVE_SECONDS, logs.resolve(name + ".log")));
        }
        Thread.sleep(LOOK_MILLIS);
      }
    }
  }

  private static boolean isRegistered(String name, Metrics metrics)
      throws ExperimentException, InterruptedException {
    return metrics
        .bean(name, DATA_NODE_HTTP_PORT, "Hadoop:service=DataNode,name=DataNodeInfo")
        .map(bean -> bean.path("BPServiceActorInfo").asText("").contains("RUNNING"))
        .orElse(false);
  }

  /** Waits for the end of a killed daemon. */
  public void awaitEnd(Namespaces space, String role)
      throws ExperimentException, InterruptedException {
    if (!ends(space, role)) {
      throw late(role, "was killed and does not end");
    }
  }

  /** Whether a daemon ends within some time. */
  public boolean ends(Namespaces space, String role) throws InterruptedException {
    return holdsInTime(() -> !space.members().containsKey(role));
  }

  /**
   * Stops a daemon's process, or lets it go on, and waits until it did: a process that is busy in
   * the kernel stops a moment after its signal.
   *
   * @param pid its id, as this process sees it
   * @param stopped whether it is to be stopped
   */
  public void setStopped(Namespaces space, String role, long pid, boolean stopped)
      throws ExperimentException, InterruptedException {
    signal(stopped ? "STOP" : "CONT", pid);
    Namespaces.Member wanted = new Namespaces.Member(pid, stopped);
    if (!holdsInTime(() -> wanted.equals(space.members().get(role)))) {
      throw late(role, stopped ? "was paused and does not stop" : "was resumed and does not go on");
    }
  }

  private static ExperimentException late(String role, String what) {
    return ExperimentException.failed("%s %s within %d s".formatted(role, what, END_MILLIS / 1000));
  }

  /** Waits until a state is reached; false when it is not reached in time. */
  private static boolean holdsInTime(BooleanSupplier state) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
    while (!state.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      Thread.sleep(LOOK_MILLIS / 10);
    }
    return true;
  }

  private static void signal(String name, long pid)
      throws ExperimentException, InterruptedException {
    try {
      // Java sends only signals that end a process.
      int status = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start().waitFor();
      if (status != 0) {
        throw ExperimentException.failed("process " + pid + " could not be sent SIG" + name);
      }
    } catch (IOException e) {
      throw ExperimentException.failed("cannot run kill: " + e.getMessage(), e);
    }
  }
}
