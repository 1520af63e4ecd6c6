package org.braid.lab.work;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Progress;
import org.braid.experiment.Settings;
import org.braid.hdfs.lab.Answer;
import org.braid.hdfs.lab.Command;
import org.braid.hdfs.lab.LabDriver;
import org.braid.lab.Flow;
import org.braid.lab.Lab;
import org.braid.lab.LabSettings;
import org.braid.lab.Traffic;
import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.Limits;

/** A lab with clients, as the trials of an experiment share it. */
final class Bench implements AutoCloseable {
  /** What every workload of the lab can be told, with defaults. */
  static final Map<String, String> DEFAULTS =
      Map.of(
          "topology", "6x3",
          "clients", "1",
          "link", "100mbit",
          "oversubscription", "1",
          // Of the links that join sites; none: as fast as it gets.
          "site-link", "none",
          "room", "4g",
          // Whether HDFS knows which rack and site a node is in.
          "location-aware", "true");

  /** Those that need a lab of their own. */
  static final List<String> FIXED = List.of("topology", "clients", "room", "location-aware");

  private static final String NONE = "none";
  private static final double NODES_SECONDS = 60;
  private static final double SETTLE_SECONDS = 30;
  private static final long LOOK_MILLIS = 200;

  /** Two heartbeats and a half. */
  private static final double STEADY_SECONDS = 2.5;

  private static final long WARM_BYTES = 1 << 20;

  private final Lab lab;
  private final Map<String, LabClient> clients = new LinkedHashMap<>();
  private final Map<String, Object> made = new HashMap<>();

  /** Makes something that trials share. */
  interface Maker<T> {
    T make() throws ExperimentException, InterruptedException;
  }

  private Bench(Lab lab) {
    this.lab = lab;
  }

  /** Checks what all workloads can be told. */
  static void check(Settings settings) throws ExperimentException {
    topology(settings);
    limits(settings);
    settings.size("room");
    settings.flag("location-aware");
  }

  /** The nodes, racks, sites and clients that settings describe. */
  static LabTopology topology(Settings settings) throws ExperimentException {
    int clients = settings.integer("clients", 0);
    return settings.as("topology", text -> LabTopology.parse(text, clients));
  }

  /** Starts the lab that settings describe, or uses the one that runs if it serves. */
  static Bench open(Settings settings, Progress progress)
      throws ExperimentException, InterruptedException {
    LabSettings wanted =
        LabSettings.of(topology(settings), limits(settings)).withRoom(settings.size("room"));
    if (!settings.flag("location-aware")) {
      // Without a table or a script all nodes are in HDFS's default rack.
      wanted =
          wanted.withProperty(
              "net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.ScriptBasedMapping");
    }
    Lab lab = Lab.open(wanted, progress);
    boolean ready = false;
    try {
      Bench bench = new Bench(lab);
      bench.warmUp();
      ready = true;
      return bench;
    } finally {
      if (!ready) {
        lab.close();
      }
    }
  }

  /** Starts all clients: what a process does for the first time takes longer. */
  private void warmUp() throws ExperimentException, InterruptedException {
    List<LabClient> all = new ArrayList<>();
    all.add(loader());
    for (String host : lab.clients()) {
      all.add(at(host));
    }
    unlimit();
    for (LabClient client : all) {
      String path = "/warm-" + client.host();
      client.tell(
          new Command.Write(path, 1, WARM_BYTES, 1, WARM_BYTES, 1, 0), Answer.Written.class);
      for (Command.Client reader : Command.Client.values()) {
        client.tell(new Command.Read(path, reader, Map.of(), 0, 0, false), Answer.Been.class);
      }
      client.tell(new Command.Delete(path));
    }
  }

  Lab lab() {
    return lab;
  }

  /** A client whose link has no limit, which looks after the file system. */
  LabClient loader() throws ExperimentException {
    return at(LabTopology.LOADER);
  }

  /** One of the clients, in turn. */
  LabClient client(int number) throws ExperimentException {
    List<String> hosts = lab.clients();
    if (hosts.isEmpty()) {
      throw ExperimentException.wrong("the lab has no client: set clients to 1 or more");
    }
    return at(hosts.get(number % hosts.size()));
  }

  /** A client in a rack, or outside it. */
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

  /** Limits links as a trial has it. */
  void limit(Settings settings) throws ExperimentException, InterruptedException {
    lab.limit(limits(settings));
  }

  /** The limits of a trial. */
  static Limits limits(Settings settings) throws ExperimentException {
    Limits limits = Limits.of(settings.rate("link"), settings.number("oversubscription", 1));
    return settings.text("site-link").equals(NONE)
        ? limits
        : limits.withSite(settings.rate("site-link"));
  }

  /** Takes limits off. */
  void unlimit() throws ExperimentException, InterruptedException {
    lab.unlimited();
  }

  /**
   * Starts to send datagrams from every second DataNode to the next one, as a trial has it, which
   * leaves less of their links for others (EAR, experiment 1).
   */
  Traffic udp(Settings settings) throws ExperimentException, InterruptedException {
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

  /** Begins to measure what network and processors do. */
  Meter meter() throws ExperimentException {
    return Meter.start(lab);
  }

  /** Something that is made once, and kept for later trials. */
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

  /** Blocks of files below a path once each has the replicas that it is to have. */
  List<Answer.Block> settled(String path) throws ExperimentException, InterruptedException {
    loader().tell(new Command.AwaitWhole(path, SETTLE_SECONDS, false), Answer.Whole.class);
    return loader().tell(new Command.Blocks(path), Answer.Placed.class).blocks();
  }

  /**
   * Waits until nothing is deleted any more: the space that DataNodes tell of with each heartbeat
   * stays the same. It is no measure of the files alone, as directories count, too.
   */
  void settledSpace(String path) throws ExperimentException, InterruptedException {
    long begun = System.nanoTime();
    long since = begun;
    long used = -1;
    while (seconds(since) < STEADY_SECONDS && seconds(begun) < SETTLE_SECONDS) {
      Thread.sleep(LOOK_MILLIS);
      long now = loader().tell(new Command.Usage(path), Answer.Stored.class).used();
      if (now != used) {
        used = now;
        since = System.nanoTime();
      }
    }
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  /** A DataNode in another rack than one, chosen by a seed. */
  String nodeElsewhere(Answer.Node node, long seed) {
    List<String> others = new ArrayList<>();
    for (Host host : lab.topology().hosts(Host.Role.DATA_NODE)) {
      if (!lab.topology().location(host.rack().orElseThrow()).equals(node.rack())) {
        others.add(host.name());
      }
    }
    return others.get(new SplittableRandom(seed).nextInt(others.size()));
  }

  /** A setting that has to be one of a few words. */
  static String choice(Settings settings, String key, String... words) throws ExperimentException {
    String text = settings.text(key);
    if (!Arrays.asList(words).contains(text)) {
      throw settings.wrong(key, "\"" + text + "\" is none of " + String.join(", ", words));
    }
    return text;
  }

  /** Converts all that is asked for, or the trial fails. */
  Answer.Converted converted(Command.Convert order)
      throws ExperimentException, InterruptedException {
    Answer.Converted converted = loader().tell(order, Answer.Converted.class);
    if (!converted.skipped().isEmpty()) {
      throw ExperimentException.trial("not converted: " + converted.skipped().get(0));
    }
    return converted;
  }

  /** DataNodes that were stopped; started again when it is closed. */
  final class Stopped implements AutoCloseable {
    private final List<String> hosts;

    private Stopped(List<String> hosts) {
      this.hosts = List.copyOf(hosts);
    }

    /** Takes limits off, starts the nodes and waits until they are trusted again. */
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

  /** Kills DataNodes and waits until nobody relies on them any more. */
  Stopped stop(List<String> hosts) throws ExperimentException, InterruptedException {
    Stopped stopped = kill(hosts);
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
  Stopped kill(List<String> hosts) throws ExperimentException, InterruptedException {
    for (String host : hosts) {
      lab.kill(host);
    }
    return new Stopped(hosts);
  }

  private void awaitNodes(int count) throws ExperimentException, InterruptedException {
    loader().tell(new Command.AwaitNodes(count, NODES_SECONDS));
  }

  @Override
  public void close() {
    lab.close();
  }
}
