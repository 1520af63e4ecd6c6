package org.braid.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.lab.daemon.Daemons;
import org.braid.lab.daemon.YarnDaemons;
import org.braid.lab.namespace.Namespaces;
import org.braid.lab.namespace.OwnDisks;
import org.braid.lab.namespace.Proc;
import org.braid.lab.network.Host;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkCounts;
import org.braid.lab.network.LinkLimits;
import org.braid.lab.network.NetworkScript;

/**
 * An HDFS of unmodified daemons, each a process of its own, in network namespaces whose links are
 * limited: hosts, racks and sites as on a real network, on one machine.
 *
 * <p>A lab ends with the process that started it, unless it was {@linkplain #keep kept}; no
 * process, namespace or mount remains. Processes in a lab reach nothing outside.
 *
 * <p>Methods may be called from several threads, except {@link #close}.
 */
public final class Lab implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS = 1e-9;
  private static final int LOOKS = 5;
  private static final long LOOK_NANOS = 100_000_000;

  private final LabSettings settings;
  private final Namespaces space;
  private final Daemons daemons;
  private final LabDirectory directory;
  private final Runnable onClose;
  private final List<Driver> drivers = new CopyOnWriteArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger trafficNumbers = new AtomicInteger();
  private final Set<String> down = ConcurrentHashMap.newKeySet();
  private final Driver agent;
  private volatile LinkLimits limits = LinkLimits.NONE;
  private volatile boolean kept;

  /**
   * A lab whose namespaces and network exist.
   *
   * @param onClose ends the lab, or releases one that was joined
   */
  Lab(
      LabSettings settings,
      Namespaces space,
      Daemons daemons,
      LabDirectory directory,
      Runnable onClose)
      throws ExperimentException {
    this.settings = settings;
    this.space = space;
    this.daemons = daemons;
    this.directory = directory;
    this.onClose = onClose;
    this.agent = launch("agent", LabTopology.LOADER, daemons.agent());
  }

  /**
   * Starts a lab that lives until it is closed or this process ends. On return, the links have
   * their limits and passed the test, and all DataNodes are live.
   *
   * @throws ExperimentException when this machine lacks a requirement, or a daemon did not start
   */
  public static Lab start(LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    return LabStarter.start(LabRegistry.here(), settings, progress);
  }

  /**
   * Joins the lab that {@code lab up} keeps running if it has the same topology, plugins and
   * properties; else {@linkplain #start starts} one. Joining starts DataNodes that do not run. A
   * kept lab goes on when it is closed.
   */
  public static Lab open(LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    return LabStarter.open(LabRegistry.here(), settings, progress);
  }

  /**
   * Starts a lab whose daemons the caller starts, with {@link #exec}. On return, the links have
   * their limits.
   */
  public static Lab network(LabSettings settings, RunProgress progress)
      throws ExperimentException, InterruptedException {
    return LabStarter.network(LabRegistry.here(), settings, progress);
  }

  public LabSettings settings() {
    return settings;
  }

  public LabTopology topology() {
    return settings.topology();
  }

  /** The names of the DataNodes' hosts, in the topology's command. */
  public List<String> dataNodes() {
    return names(Host.Role.DATA_NODE);
  }

  /** Names of the clients' hosts. */
  public List<String> clients() {
    return names(Host.Role.CLIENT);
  }

  private List<String> names(Host.Role role) {
    return topology().hosts(role).stream().map(Host::name).toList();
  }

  /** The URI of the file system inside the lab. */
  public String uri() {
    return Daemons.URI;
  }

  /** The Hadoop configuration file of clients in the lab; it names the file system. */
  public Path configuration() {
    return directory.site();
  }

  /**
   * The configuration of a host's stock daemon or client, for whoever starts them himself: in the
   * format of {@code hdfs-site.xml}.
   */
  public String stockSite(Host host) {
    return daemons.stockSite(
        settings.blockSize(), directory.root().resolve("racks"), settings.properties(), host);
  }

  /** The directory of the logs of daemons and drivers. */
  public Path logs() {
    return directory.logs();
  }

  /** The namespaces of the lab. */
  Namespaces space() {
    return space;
  }

  LabDirectory directory() {
    return directory;
  }

  // ---- links
  // -------------------------------------------------------------------------------------

  /** Changes the rates of links; connections stay open. */
  public void limit(LinkLimits other) throws ExperimentException, InterruptedException {
    try {
      other.check(topology());
    } catch (IllegalArgumentException e) {
      throw ExperimentException.wrong(String.valueOf(e.getMessage()));
    }
    space.run(new NetworkScript(topology()).limit(other));
    limits = other;
  }

  /** Removes all limits, for example to load data. */
  public void unlimited() throws ExperimentException, InterruptedException {
    limit(LinkLimits.NONE);
  }

  /** The present limits of the links. */
  public LinkLimits limits() {
    return limits;
  }

  /** Counters of links and machine since the start. */
  public Counters counters() throws ExperimentException {
    LinkCounts links;
    try {
      links = LinkCounts.parse(topology(), space.devices());
    } catch (IllegalArgumentException e) {
      throw ExperimentException.failed("the lab's network is gone: its keeper was ended", e);
    }
    return new Counters(System.nanoTime() * NANOS, links, Proc.machine());
  }

  /** Starts flows between hosts; closing the result ends them. */
  public FlowGroup traffic(List<Flow> flows) throws ExperimentException, InterruptedException {
    ObjectNode command = JSON.createObjectNode().put("do", "start-flows");
    String name = "flows" + trafficNumbers.incrementAndGet();
    command.put("name", name);
    ArrayNode list = command.putArray("flows");
    for (Flow flow : flows) {
      Host to = topology().host(flow.to());
      ObjectNode item = list.addObject();
      item.put("from", topology().host(flow.from()).name());
      item.put("to", to.name()).put("address", to.address());
      item.put("udp", flow.protocol() == Flow.Protocol.UDP);
      item.put("rate", Double.isInfinite(flow.rate()) ? 0 : flow.rate());
    }
    agent.call(command);
    return new FlowGroup(name, agent);
  }

  // ---- processes
  // ---------------------------------------------------------------------------------

  /**
   * A program on a host. The started process is the one that enters the lab; to kill the program,
   * kill its descendants too. The program ends with the lab at the latest.
   *
   * @param host name of a host
   * @param command program and arguments
   * @return a builder for the caller to start
   */
  public ProcessBuilder exec(String host, List<String> command) {
    return space.onHost(topology().host(host).name(), command);
  }

  /**
   * A Java program on a host, with the class path of this process and the class archive of the
   * daemons.
   *
   * @param host name of a host
   * @param heap largest heap, as in {@code 512m}
   * @param words further JVM options, the main class and its arguments
   * @return a builder for the caller to start
   */
  public ProcessBuilder java(String host, String heap, List<String> words) {
    return exec(host, daemons.java(heap, words));
  }

  /**
   * Starts a program that executes commands on a host; its JVM has a heap of 512 MiB.
   *
   * @param host name of a host
   * @param main the main class
   * @param arguments of the main class
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
   * Checks that all daemons run that should run.
   *
   * @throws ExperimentException when one has ended, with the end of its log
   */
  public void check() throws ExperimentException {
    if (!space.identity().alive()) {
      throw ExperimentException.failed(
          "the lab is gone: its keeper, process " + space.identity().keeper() + ", was ended");
    }
    List<String> missing = missing();
    // A process has no command line for a moment while it becomes another program.
    for (int look = 1; look < LOOKS && !missing.isEmpty(); look++) {
      LockSupport.parkNanos(LOOK_NANOS);
      missing = missing();
    }
    if (!missing.isEmpty()) {
      String role = missing.get(0);
      throw ExperimentException.failed(
          Daemons.called(role) + " ended by itself" + LogTail.of(directory.log(role)));
    }
  }

  private List<String> missing() {
    Set<String> running = space.members().keySet();
    return daemons.roles().stream()
        .filter(role -> !running.contains(role) && !down.contains(role))
        .toList();
  }

  /**
   * Kills a daemon's process and waits for its end. Its files stay.
   *
   * @param role one of those that {@link Daemons#roles()} names
   */
  public void kill(String role) throws ExperimentException, InterruptedException {
    Namespaces.Member member = member(role);
    down.add(role);
    ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroyForcibly);
    daemons.awaitEnd(space, role);
  }

  /** Asks a daemon's process to end, and waits for some time whether it does. */
  void askToEnd(String role) throws ExperimentException, InterruptedException {
    Namespaces.Member member = member(role);
    down.add(role);
    ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroy);
    daemons.ends(space, role);
  }

  /**
   * Stops a daemon's process as if its machine hung: connections stay open, requests get no answer.
   * Returns once it is stopped.
   */
  public void pause(String role) throws ExperimentException, InterruptedException {
    daemons.setStopped(space, role, member(role).pid(), true);
  }

  /** Resumes a paused daemon and returns once it goes on. */
  public void resume(String role) throws ExperimentException, InterruptedException {
    daemons.setStopped(space, role, member(role).pid(), false);
  }

  private Namespaces.Member member(String role) throws ExperimentException {
    check();
    if (!daemons.roles().contains(role)) {
      throw new NoSuchElementException("the lab has no daemon " + role);
    }
    Namespaces.Member member = space.members().get(role);
    if (member == null) {
      throw ExperimentException.failed(Daemons.called(role) + " does not run");
    }
    return member;
  }

  /** Starts a killed NameNode on its files and waits until all DataNodes are live again. */
  public void restartNameNode() throws ExperimentException, InterruptedException {
    daemons.startNameNode(space);
    down.remove(LabTopology.NAME_NODE);
    awaitLive(RunProgress.NONE);
  }

  /** Starts a killed coordinator. */
  public void restartCoordinator() throws ExperimentException, InterruptedException {
    daemons.startCoordinator(space);
    down.remove(Daemons.COORDINATOR);
  }

  /**
   * Cuts the link of a host, or of a rack to the others: nothing is delivered, and nobody is told.
   */
  public void cut(String name) throws ExperimentException, InterruptedException {
    space.run(new NetworkScript(topology()).cut(name));
  }

  /** Joins a link that was cut. */
  public void join(String name) throws ExperimentException, InterruptedException {
    space.run(new NetworkScript(topology()).join(name));
  }

  /** The disks of the DataNodes. */
  public LabDisks disks() {
    return new LabDisks(this, new OwnDisks(space));
  }

  /** Waits until all DataNodes are live and the NameNode has left safe mode. */
  public void awaitLive(RunProgress progress) throws ExperimentException, InterruptedException {
    daemons.awaitLive(new JmxMetrics(agent), this::check, progress);
  }

  /** Waits until a DataNode says that it is registered. */
  public void awaitRegistered(String dataNode) throws ExperimentException, InterruptedException {
    daemons.awaitRegistered(List.of(dataNode), new JmxMetrics(agent), this::check);
  }

  /** Starts killed DataNodes on their files and waits until they are registered. */
  public void restart(List<String> dataNodes) throws ExperimentException, InterruptedException {
    List<String> hosts = dataNodes.stream().map(name -> topology().host(name).name()).toList();
    daemons.startDataNodes(space, hosts);
    hosts.forEach(down::remove);
    daemons.awaitRegistered(hosts, new JmxMetrics(agent), this::check);
  }

  /** The hosts of NodeManagers; none where YARN does not run. */
  public List<String> nodeManagers() {
    return daemons.yarn().map(YarnDaemons::hosts).orElse(List.of());
  }

  /** Starts killed NodeManagers of hosts. */
  public void restartNodeManagers(List<String> hosts)
      throws ExperimentException, InterruptedException {
    daemons.yarn().orElseThrow().startNodeManagers(space, hosts);
    hosts.forEach(host -> down.remove(YarnDaemons.role(host)));
  }

  /** Waits until the ResourceManager counts a number of NodeManagers. */
  public void awaitNodeManagers(int number, RunProgress progress)
      throws ExperimentException, InterruptedException {
    daemons.yarn().orElseThrow().awaitLive(number, new JmxMetrics(agent), this::check, progress);
  }

  /** Resumes paused DataNodes and starts those that do not run. */
  public void mend() throws ExperimentException, InterruptedException {
    Map<String, Namespaces.Member> members = space.members();
    List<String> missing = new ArrayList<>();
    for (String node : dataNodes()) {
      Namespaces.Member member = members.get(node);
      if (member == null) {
        missing.add(node);
      } else if (member.stopped()) {
        resume(node);
      }
    }
    if (!missing.isEmpty()) {
      restart(missing);
    }
    List<String> without =
        nodeManagers().stream()
            .filter(host -> !members.containsKey(YarnDaemons.role(host)))
            .toList();
    if (!without.isEmpty()) {
      restartNodeManagers(without);
      awaitNodeManagers(nodeManagers().size(), RunProgress.NONE);
    }
  }

  /** Starts all daemons and waits until all DataNodes are live. */
  void startDaemons(RunProgress progress) throws ExperimentException, InterruptedException {
    down.add(Daemons.COORDINATOR);
    List<String> yarn = daemons.yarn().map(YarnDaemons::roles).orElse(List.of());
    down.addAll(yarn);
    daemons.start(space);
    awaitLive(progress);
    if (daemons.yarn().isPresent()) {
      daemons.yarn().get().start(space);
      down.removeAll(yarn);
      awaitNodeManagers(nodeManagers().size(), progress);
    }
    daemons.startCoordinator(space);
    down.remove(Daemons.COORDINATOR);
  }

  /** Leaves the daemons to the caller. */
  void leaveDaemons() {
    down.addAll(daemons.roles());
  }

  /** Lets the lab outlive this process; closing it then only releases it. */
  void keep() throws ExperimentException {
    space.keep();
    kept = true;
  }

  /** Ends the drivers, and the lab unless it is kept. */
  @Override
  public void close() {
    drivers.forEach(Driver::close);
    agent.close();
    if (!kept) {
      onClose.run();
    }
  }
}
