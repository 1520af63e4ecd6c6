package org.braid.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Progress;
import org.braid.lab.daemon.Daemons;
import org.braid.lab.network.Hop;
import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.Limits;
import org.braid.lab.network.LinkCounts;
import org.braid.lab.network.NetworkScript;
import org.braid.lab.network.Rings;
import org.braid.lab.space.Proc;
import org.braid.lab.space.Space;

/**
 * An HDFS of unmodified daemons, each a process of its own, in network namespaces whose links are
 * limited: hosts, racks and sites as on a real network, on one machine.
 *
 * <p>Whatever ends the process that started a lab ends the lab, unless it was {@linkplain #keep
 * kept}; no process, namespace or mount stays behind. Nothing in it can reach anything outside.
 *
 * <p>Methods may be called from several threads, except {@link #close}.
 */
public final class Lab implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS = 1e-9;
  private static final int LOOKS = 5;
  private static final long LOOK_NANOS = 100_000_000;

  private final LabSettings settings;
  private final Space space;
  private final Daemons daemons;
  private final LabDirectory directory;
  private final Runnable onClose;
  private final List<Driver> drivers = new CopyOnWriteArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger trafficNumbers = new AtomicInteger();
  private final Set<String> down = ConcurrentHashMap.newKeySet();
  private final Driver agent;
  private volatile Limits limits = Limits.NONE;
  private volatile boolean kept;

  /**
   * A lab whose namespaces and network are there.
   *
   * @param onClose gives back what the lab holds: kills it, or only lets go of it
   */
  Lab(LabSettings settings, Space space, Daemons daemons, LabDirectory directory, Runnable onClose)
      throws ExperimentException {
    this.settings = settings;
    this.space = space;
    this.daemons = daemons;
    this.directory = directory;
    this.onClose = onClose;
    this.agent = launch("agent", LabTopology.LOADER, daemons.agent());
  }

  /**
   * Starts a lab that lives as long as this process, or until it is closed. All its links have
   * their first limits when this returns, and were tested; all DataNodes are live.
   *
   * @throws ExperimentException when this machine lacks what it takes, or something did not start
   */
  public static Lab start(LabSettings settings, Progress progress)
      throws ExperimentException, InterruptedException {
    return LabStart.start(Labs.here(), settings, progress);
  }

  /**
   * Uses the lab that {@code lab up} keeps running if it serves as well, with the same topology,
   * plugins and properties; else {@linkplain #start starts} one. A kept lab goes on when it is
   * closed; its DataNodes that do not run are started first.
   */
  public static Lab open(LabSettings settings, Progress progress)
      throws ExperimentException, InterruptedException {
    return LabStart.open(Labs.here(), settings, progress);
  }

  public LabSettings settings() {
    return settings;
  }

  public LabTopology topology() {
    return settings.topology();
  }

  /** The names of the DataNodes' hosts, in the topology's order. */
  public List<String> dataNodes() {
    return names(Host.Role.DATA_NODE);
  }

  /** The names of the clients' hosts. */
  public List<String> clients() {
    return names(Host.Role.CLIENT);
  }

  private List<String> names(Host.Role role) {
    return topology().hosts(role).stream().map(Host::name).toList();
  }

  /** The file system's address inside. */
  public String uri() {
    return Daemons.URI;
  }

  /** A configuration file of Hadoop for clients inside, which also names the file system. */
  public Path configuration() {
    return directory.site();
  }

  /** Where the logs of daemons and drivers are. */
  public Path logs() {
    return directory.logs();
  }

  /** Processes and network inside, for what this class does not offer. */
  Space space() {
    return space;
  }

  LabDirectory directory() {
    return directory;
  }

  // ---- links
  // -------------------------------------------------------------------------------------

  /** Gives links other rates, in place: what flows goes on. */
  public void limit(Limits other) throws ExperimentException, InterruptedException {
    try {
      other.check(topology());
    } catch (IllegalArgumentException e) {
      throw ExperimentException.wrong(String.valueOf(e.getMessage()));
    }
    space.run(new NetworkScript(topology()).limit(other));
    limits = other;
  }

  /** Takes all limits off, for example to load data. */
  public void unlimited() throws ExperimentException, InterruptedException {
    limit(Limits.NONE);
  }

  /** The limits that links have now. */
  public Limits limits() {
    return limits;
  }

  /** What links, machine, daemons and clients have done so far. */
  public Counters counters() throws ExperimentException {
    Map<String, Double> processes = new LinkedHashMap<>();
    space.members().forEach((role, member) -> processes.put(role, Proc.cpuSeconds(member.pid())));
    for (Driver driver : drivers) {
      processes.put(driver.name(), Proc.cpuSeconds(driver.pid()));
    }
    LinkCounts links;
    try {
      links = LinkCounts.parse(topology(), space.devices());
    } catch (IllegalArgumentException e) {
      throw ExperimentException.failed("the lab's network is gone: its keeper was ended", e);
    }
    return new Counters(
        System.nanoTime() * NANOS,
        links,
        Proc.machine(),
        processes,
        Proc.disks(),
        directory.stored(space));
  }

  /** Tests whether the links carry what their present limits allow; takes some seconds. */
  public SelfTest selfTest(Progress progress) throws ExperimentException, InterruptedException {
    List<SelfTest.Ring> rings = new ArrayList<>();
    Map<String, List<Hop>> all = Rings.of(topology());
    for (Map.Entry<String, List<Hop>> ring : all.entrySet()) {
      progress.at("testing links", rings.size(), all.size());
      double possible = Rings.capacity(topology(), limits, ring.getValue());
      if (!Double.isInfinite(possible)) {
        List<Flow> flows =
            ring.getValue().stream().map(hop -> Flow.tcp(hop.from(), hop.to())).toList();
        double measured = measure(flows, SelfTest.SECONDS);
        rings.add(
            new SelfTest.Ring(ring.getKey(), flows.size(), possible * SelfTest.PAYLOAD, measured));
      }
    }
    progress.at("testing links", all.size(), all.size());
    return new SelfTest(rings);
  }

  /** What flows have together, in bytes of payload a second, after their start is over. */
  private double measure(List<Flow> flows, double seconds)
      throws ExperimentException, InterruptedException {
    try (Traffic traffic = traffic(flows)) {
      Thread.sleep(700);
      double start = System.nanoTime() * NANOS;
      long before = traffic.received();
      Thread.sleep(Math.round(1000 * seconds));
      long after = traffic.received();
      return (after - before) / (System.nanoTime() * NANOS - start);
    }
  }

  /** Starts flows between hosts; they end when what is returned is closed. */
  public Traffic traffic(List<Flow> flows) throws ExperimentException, InterruptedException {
    ObjectNode order = JSON.createObjectNode().put("do", "start-flows");
    String name = "flows" + trafficNumbers.incrementAndGet();
    order.put("name", name);
    ArrayNode list = order.putArray("flows");
    for (Flow flow : flows) {
      Host to = topology().host(flow.to());
      ObjectNode item = list.addObject();
      item.put("from", topology().host(flow.from()).name());
      item.put("to", to.name()).put("address", to.address());
      item.put("udp", flow.protocol() == Flow.Protocol.UDP);
      item.put("rate", Double.isInfinite(flow.rate()) ? 0 : flow.rate());
    }
    agent.call(order);
    return new Traffic(name, agent);
  }

  // ---- processes
  // ---------------------------------------------------------------------------------

  /**
   * A program on a host. Its process is the one that entered the lab: to kill the program, kill its
   * descendants, too. It ends with the lab at the latest.
   *
   * @param host name of a host
   * @param command program and arguments
   * @return to be started by the caller
   */
  public ProcessBuilder exec(String host, List<String> command) {
    return space.onHost(topology().host(host).name(), command);
  }

  /**
   * A Java program on a host, with the class path of this process and the archive that the daemons
   * start with.
   *
   * @param host name of a host
   * @param heap of the largest heap, as in {@code 512m}
   * @param words further options of the JVM, the main class, and its arguments
   * @return to be started by the caller
   */
  public ProcessBuilder java(String host, String heap, List<String> words) {
    return exec(host, daemons.java(heap, words));
  }

  /**
   * Starts a program on a host that takes orders; its JVM has a heap of 512 MiB.
   *
   * @param host name of a host
   * @param main the class of its {@code main}
   * @param arguments of that
   */
  public Driver driver(String host, String main, List<String> arguments)
      throws ExperimentException {
    List<String> words = new ArrayList<>();
    words.add(main);
    words.addAll(arguments);
    Driver driver =
        launch(
            host + "#" + numbers.incrementAndGet(),
            topology().host(host).name(),
            daemons.java("512m", words));
    drivers.add(driver);
    return driver;
  }

  private Driver launch(String name, String host, List<String> command) throws ExperimentException {
    Path log = directory.logs().resolve(name.replace('#', '-') + ".log");
    try {
      Process process =
          space
              .onHost(host, command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new Driver(name, process, log, this::check);
    } catch (IOException e) {
      throw ExperimentException.failed(
          "cannot start " + name + " in the lab: " + e.getMessage(), e);
    }
  }

  /**
   * Looks whether all daemons run that are to run.
   *
   * @throws ExperimentException when one has ended, with the end of its log
   */
  public void check() throws ExperimentException {
    if (!space.identity().alive()) {
      throw ExperimentException.failed(
          "the lab is gone: its keeper, process " + space.identity().keeper() + ", was ended");
    }
    List<String> missing = missing();
    // A process that is just becoming another program has no command for a moment.
    for (int look = 1; look < LOOKS && !missing.isEmpty(); look++) {
      LockSupport.parkNanos(LOOK_NANOS);
      missing = missing();
    }
    if (!missing.isEmpty()) {
      String role = missing.get(0);
      String what =
          switch (role) {
            case LabTopology.NAME_NODE -> "the NameNode";
            case Daemons.COORDINATOR -> "the coordinator";
            default -> "DataNode " + role;
          };
      throw ExperimentException.failed(what + " ended by itself" + LogEnd.of(directory.log(role)));
    }
  }

  private List<String> missing() {
    Set<String> running = space.members().keySet();
    return daemons.roles().stream()
        .filter(role -> !running.contains(role) && !down.contains(role))
        .toList();
  }

  /** Kills a DataNode's process, at once, and waits until it is gone. Its files stay. */
  public void kill(String dataNode) throws ExperimentException, InterruptedException {
    Space.Member member = member(dataNode);
    down.add(dataNode);
    ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroyForcibly);
    daemons.awaitEnd(space, dataNode);
  }

  /** Stops a DataNode's process as if its machine hung: connections stay, nothing is answered. */
  public void pause(String dataNode) throws ExperimentException, InterruptedException {
    daemons.signal("STOP", member(dataNode).pid());
  }

  /** Lets a paused DataNode go on. */
  public void resume(String dataNode) throws ExperimentException, InterruptedException {
    daemons.signal("CONT", member(dataNode).pid());
  }

  private Space.Member member(String dataNode) throws ExperimentException {
    check();
    Space.Member member = space.members().get(topology().host(dataNode).name());
    if (member == null) {
      throw ExperimentException.failed("DataNode " + dataNode + " does not run");
    }
    return member;
  }

  /** Starts DataNodes that were killed, on their files, and waits until they are registered. */
  public void restart(List<String> dataNodes) throws ExperimentException, InterruptedException {
    List<String> hosts = dataNodes.stream().map(name -> topology().host(name).name()).toList();
    daemons.startDataNodes(space, hosts);
    hosts.forEach(down::remove);
    daemons.awaitRegistered(hosts, new Inquiry(agent), this::check);
  }

  /** Resumes DataNodes that are paused, and starts those that do not run. */
  public void mend() throws ExperimentException, InterruptedException {
    Map<String, Space.Member> members = space.members();
    List<String> missing = new ArrayList<>();
    for (String node : dataNodes()) {
      Space.Member member = members.get(node);
      if (member == null) {
        missing.add(node);
      } else if (member.stopped()) {
        resume(node);
      }
    }
    if (!missing.isEmpty()) {
      restart(missing);
    }
  }

  /** Starts all daemons and waits until all DataNodes are live. */
  void startDaemons(Progress progress) throws ExperimentException, InterruptedException {
    down.add(Daemons.COORDINATOR);
    daemons.start(space);
    daemons.awaitLive(new Inquiry(agent), this::check, progress);
    daemons.startCoordinator(space);
    down.remove(Daemons.COORDINATOR);
  }

  /** Lets it outlive this process; whoever closes it then only lets go of it. */
  void keep() throws ExperimentException {
    space.keep();
    kept = true;
  }

  /** Ends the drivers, and the lab itself if it was started and not only joined. */
  @Override
  public void close() {
    drivers.forEach(Driver::close);
    agent.close();
    if (!kept) {
      onClose.run();
    }
  }
}
