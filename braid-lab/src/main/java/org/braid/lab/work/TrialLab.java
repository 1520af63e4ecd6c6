package org.braid.lab.work;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.hdfs.testkit.lab.LabDriver;
import org.braid.lab.Flow;
import org.braid.lab.FlowGroup;
import org.braid.lab.Lab;
import org.braid.lab.LabSettings;
import org.braid.lab.daemon.YarnDaemons;
import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;

/** A lab with clients that the trials of an experiment share. */
final class TrialLab implements AutoCloseable {
  /** The value of {@code pending} in the lab's own configuration. */
  private static final String USUAL_PENDING = "30";

  /** Settings of all lab workloads, with defaults. */
  static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("topology", "6x3"),
          Map.entry("clients", "1"),
          Map.entry("link", "100mbit"),
          Map.entry("oversubscription", "1"),
          // Of the links between sites; none: no limit.
          Map.entry("site-link", "none"),
          Map.entry("room", "4g"),
          // Where NameNode and DataNodes keep their data: memory, or a directory on a disk.
          Map.entry("data", "memory"),
          // Whether DataNodes force replicas to disk before others are dropped.
          Map.entry("sync", "true"),
          // NodeManagers of YARN: none, all (one beside each DataNode), or their number.
          Map.entry("yarn", "none"),
          // Whether HDFS knows the rack and site of each node.
          Map.entry("location-aware", "true"),
          // Seconds after which the NameNode gives a block's copy or reconstruction to other nodes.
          Map.entry("pending", USUAL_PENDING));

  /** Settings that need a lab of their own. */
  static final List<String> FIXED =
      List.of("topology", "clients", "room", "data", "sync", "location-aware", "yarn", "pending");

  private static final String NONE = "none";
  private static final String MEMORY = "memory";
  private static final String SYNC_KEY = "braid.worker.sync";
  private static final String PENDING_KEY = "dfs.namenode.reconstruction.pending.timeout-sec";
  private static final double NODES_SECONDS = 60;
  private static final double SETTLE_SECONDS = 30;
  private static final long LOOK_MILLIS = 200;

  /** Two and a half heartbeats. */
  private static final double STEADY_SECONDS = 2.5;

  private static final long WARM_BYTES = 1 << 20;

  private final Lab lab;
  private final Map<String, LabClient> clients = new LinkedHashMap<>();
  private final Map<String, Object> made = new HashMap<>();

  /** Makes an object that trials share. */
  interface Maker<T> {
    T make() throws ExperimentException, InterruptedException;
  }

  private TrialLab(Lab lab) {
    this.lab = lab;
  }

  /** Checks the settings of all workloads. */
  static void check(WorkloadSettings settings) throws ExperimentException {
    topology(settings);
    limits(settings);
    settings.size("room");
    settings.flag("sync");
    settings.flag("location-aware");
    settings.integer("pending", 1);
    nodeManagers(settings);
  }

  /** What labs that can be shared have in common: the settings that need one of their own. */
  static List<String> fixed(WorkloadSettings settings) {
    return FIXED.stream().map(settings::text).toList();
  }

  /** Checks that the lab of some settings runs YARN. */
  static void requireYarn(WorkloadSettings settings) throws ExperimentException {
    if (nodeManagers(settings) == 0) {
      throw settings.wrong("yarn", "jobs need YARN: all, or a number of NodeManagers");
    }
  }

  /** The number of NodeManagers; 0: no YARN. */
  static int nodeManagers(WorkloadSettings settings) throws ExperimentException {
    int nodes = topology(settings).topology().nodes();
    return switch (settings.text("yarn")) {
      case NONE -> 0;
      case "all" -> nodes;
      default -> {
        int number = settings.integer("yarn", 1);
        if (number > nodes) {
          throw settings.wrong(
              "yarn", "%d NodeManagers are more than %d nodes".formatted(number, nodes));
        }
        yield number;
      }
    };
  }

  /** The nodes, racks, sites and clients that settings describe. */
  static LabTopology topology(WorkloadSettings settings) throws ExperimentException {
    int clients = settings.integer("clients", 0);
    return settings.as("topology", text -> LabTopology.parse(text, clients));
  }

  /** The lab of the settings; usual values of them are no properties of it. */
  static LabSettings wanted(WorkloadSettings settings) throws ExperimentException {
    LabSettings wanted =
        LabSettings.of(topology(settings), limits(settings))
            .withRoom(settings.size("room"))
            .withNodeManagers(nodeManagers(settings));
    String pending = settings.text("pending");
    if (!pending.equals(USUAL_PENDING)) {
      wanted = wanted.withProperty(PENDING_KEY, pending);
    }
    if (!settings.flag("location-aware")) {
      // Without a table or script, HDFS puts all nodes into its default rack.
      wanted =
          wanted.withProperty(
              "net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.ScriptBasedMapping");
    }
    if (!settings.text("data").equals(MEMORY)) {
      wanted = wanted.in(settings.as("data", Path::of));
    }
    if (!settings.flag("sync")) {
      wanted = wanted.withProperty(SYNC_KEY, "false");
    }
    return wanted;
  }

  /** Starts the lab of the settings, or joins the kept lab if it fits. */
  static TrialLab open(WorkloadSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    Lab lab = Lab.open(wanted(settings), progress);
    boolean ready = false;
    try {
      TrialLab trials = new TrialLab(lab);
      trials.warmUp();
      ready = true;
      return trials;
    } finally {
      if (!ready) {
        lab.close();
      }
    }
  }

  /** Starts all clients and warms them up. */
  private void warmUp() throws ExperimentException, InterruptedException {
    List<LabClient> all = new ArrayList<>();
    all.add(loader());
    for (String host : lab.clients()) {
      all.add(at(host));
    }
    unlimit();
    for (LabClient client : all) {
      String path = "/warm-" + client.host();
      client.call(
          new Command.Write(path, 1, WARM_BYTES, 1, WARM_BYTES, 1, 0), Answer.Written.class);
      for (Command.Client reader : Command.Client.values()) {
        client.call(new Command.Read(path, reader, Map.of(), 0, 0, false), Answer.RangeRead.class);
      }
      client.call(new Command.Delete(path));
    }
  }

  Lab lab() {
    return lab;
  }

  /** The loader, a client whose link has no limit. */
  LabClient loader() throws ExperimentException {
    return at(LabTopology.LOADER);
  }

  /** A client by number, modulo the number of clients. */
  LabClient client(int number) throws ExperimentException {
    List<String> hosts = lab.clients();
    if (hosts.isEmpty()) {
      throw ExperimentException.wrong("the lab has no client: set clients to 1 or more");
    }
    return at(hosts.get(number % hosts.size()));
  }

  /** A client inside or outside a rack. */
  LabClient client(String location, boolean inside) throws ExperimentException {
    for (Host host : lab.topology().hosts(Host.Role.CLIENT)) {
      boolean there =
          host.rack().isPresent()
              && lab.topology().location(host.rack().getAsInt()).equals(location);
      if (there == inside) {
        return at(host.name());
      }
    }
    throw ExperimentException.wrong(
        "the lab has no client %s rack %s: set clients to the number of racks"
            .formatted(inside ? "in" : "outside", location));
  }

  private synchronized LabClient at(String host) throws ExperimentException {
    LabClient known = clients.get(host);
    if (known == null) {
      List<String> arguments = List.of("-conf", lab.configuration().toString(), "-fs", lab.uri());
      known = new LabClient(host, lab.driver(host, LabDriver.class.getName(), arguments));
      clients.put(host, known);
    }
    return known;
  }

  /** LinkSets the limits of a trial. */
  void limit(WorkloadSettings settings) throws ExperimentException, InterruptedException {
    lab.limit(limits(settings));
  }

  /** The limits of a trial. */
  static LinkLimits limits(WorkloadSettings settings) throws ExperimentException {
    LinkLimits limits =
        LinkLimits.of(settings.rate("link"), settings.number("oversubscription", 1));
    return settings.text("site-link").equals(NONE)
        ? limits
        : limits.withSite(settings.rate("site-link"));
  }

  /** Removes all limits. */
  void unlimit() throws ExperimentException, InterruptedException {
    lab.unlimited();
  }

  /**
   * Starts a trial's datagrams from every second DataNode to the next one, which take a share of
   * their links (EAR, experiment 1).
   */
  FlowGroup udp(WorkloadSettings settings) throws ExperimentException, InterruptedException {
    List<Flow> flows = new ArrayList<>();
    if (!settings.text("udp").equals(NONE)) {
      double rate = settings.rate("udp");
      List<String> nodes = lab.dataNodes();
      for (int i = 0; i + 1 < nodes.size(); i += 2) {
        flows.add(Flow.udp(nodes.get(i), nodes.get(i + 1), rate));
      }
    }
    return lab.traffic(flows);
  }

  /** Starts to measure network and processors. */
  Meter meter() throws ExperimentException {
    return Meter.start(lab);
  }

  /** Makes an object once and keeps it for later trials. */
  <T> T once(String name, Maker<T> maker) throws ExperimentException, InterruptedException {
    Object known = made.get(name);
    if (known == null) {
      unlimit();
      known = maker.make();
      made.put(name, known);
    }
    @SuppressWarnings("unchecked") // what was made under a name has one type
    T same = (T) known;
    return same;
  }

  /** The blocks of files below a path, once each has its expected replicas. */
  List<Answer.Block> settled(String path) throws ExperimentException, InterruptedException {
    loader().call(new Command.AwaitWhole(path, SETTLE_SECONDS, false), Answer.Whole.class);
    return loader().call(new Command.Blocks(path), Answer.BlockLocations.class).blocks();
  }

  /**
   * Waits until all deletions are done: until the space that DataNodes report with each heartbeat
   * is constant. The space includes directories.
   */
  void settledSpace(String path) throws ExperimentException, InterruptedException {
    long begun = System.nanoTime();
    long since = begun;
    long used = -1;
    while (seconds(since) < STEADY_SECONDS && seconds(begun) < SETTLE_SECONDS) {
      Thread.sleep(LOOK_MILLIS);
      long now = loader().call(new Command.Usage(path), Answer.Stored.class).used();
      if (now != used) {
        used = now;
        since = System.nanoTime();
      }
    }
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  /** All DataNodes. */
  List<Answer.Node> nodes() {
    return lab.topology().hosts(Host.Role.DATA_NODE).stream()
        .map(
            host ->
                new Answer.Node(host.name(), lab.topology().location(host.rack().orElseThrow())))
        .toList();
  }

  /** A DataNode in another rack than the given one, chosen by a seed. */
  String nodeElsewhere(Answer.Node node, long seed) {
    List<String> others =
        nodes().stream()
            .filter(other -> !other.rack().equals(node.rack()))
            .map(Answer.Node::host)
            .toList();
    return others.get(new SplittableRandom(seed).nextInt(others.size()));
  }

  /** The value of a setting, which must be one of the given words. */
  static String choice(WorkloadSettings settings, String key, String... words)
      throws ExperimentException {
    String text = settings.text(key);
    if (!Arrays.asList(words).contains(text)) {
      throw settings.wrong(key, "\"" + text + "\" is none of " + String.join(", ", words));
    }
    return text;
  }

  /** Converts all paths; fails the trial if one is skipped. */
  Answer.Converted converted(Command.Convert command)
      throws ExperimentException, InterruptedException {
    Answer.Converted converted = loader().call(command, Answer.Converted.class);
    if (!converted.skipped().isEmpty()) {
      throw ExperimentException.trial("not converted: " + converted.skipped().get(0));
    }
    return converted;
  }

  /** Stopped DataNodes; closing restarts them. */
  final class StoppedNodes implements AutoCloseable {
    private final List<String> hosts;

    private StoppedNodes(List<String> hosts) {
      this.hosts = List.copyOf(hosts);
    }

    /** Removes limits, starts the nodes and waits until none is suspect. */
    @Override
    public void close() throws ExperimentException {
      try {
        unlimit();
        if (!hosts.isEmpty()) {
          lab.restart(hosts);
          awaitNodes(lab.dataNodes().size());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw ExperimentException.failed("interrupted while nodes were started again", e);
      }
    }
  }

  /** A stopped NodeManager, or none; closing restarts it. */
  final class StoppedNodeManager implements AutoCloseable {
    private final String host;

    private StoppedNodeManager(String host) {
      this.host = host;
    }

    private boolean none() {
      return host.isEmpty();
    }

    /** Waits until the ResourceManager does without it. */
    void await() throws ExperimentException, InterruptedException {
      if (!none()) {
        lab.awaitNodeManagers(lab.nodeManagers().size() - 1, RunProgress.NONE);
      }
    }

    @Override
    public void close() throws ExperimentException {
      if (!none()) {
        try {
          lab.restartNodeManagers(List.of(host));
          lab.awaitNodeManagers(lab.nodeManagers().size(), RunProgress.NONE);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw ExperimentException.failed("interrupted while a node was started again", e);
        }
      }
    }
  }

  /** Kills the NodeManager of a host where one runs; with an empty name none. */
  StoppedNodeManager stopManager(String host) throws ExperimentException, InterruptedException {
    if (!lab.nodeManagers().contains(host)) {
      return new StoppedNodeManager("");
    }
    lab.kill(YarnDaemons.role(host));
    return new StoppedNodeManager(host);
  }

  /** Kills DataNodes and waits until the NameNode suspects them. */
  StoppedNodes stop(List<String> hosts) throws ExperimentException, InterruptedException {
    StoppedNodes stopped = kill(hosts);
    boolean ready = false;
    try {
      awaitNodes(lab.dataNodes().size() - hosts.size());
      ready = true;
      return stopped;
    } finally {
      if (!ready) {
        stopped.close();
      }
    }
  }

  /** Kills DataNodes. */
  StoppedNodes kill(List<String> hosts) throws ExperimentException, InterruptedException {
    for (String host : hosts) {
      lab.kill(host);
    }
    return new StoppedNodes(hosts);
  }

  private void awaitNodes(int count) throws ExperimentException, InterruptedException {
    loader().call(new Command.AwaitNodes(count, NODES_SECONDS));
  }

  @Override
  public void close() {
    lab.close();
  }
}
