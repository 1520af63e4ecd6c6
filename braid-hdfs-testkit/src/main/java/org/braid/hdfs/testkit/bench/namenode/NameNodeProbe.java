package org.braid.hdfs.testkit.bench.namenode;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.util.ExitUtil;
import org.braid.code.Codes;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.BraidPlacementPolicy;
import org.braid.hdfs.namenode.host.LockHolds;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testkit.bench.namenode.InjectedImage.State;
import org.braid.hdfs.testkit.bench.namenode.NameNodeBench.Contender;
import org.braid.hdfs.testkit.bench.namenode.NameNodeLoad.Operation;
import org.braid.hdfs.testkit.embedded.EmbeddedRacks;
import org.braid.thread.DaemonThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that starts one NameNode on an injected image, measures it and writes the results to a
 * file of properties.
 */
final class NameNodeProbe {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeProbe.class);

  static final String LOAD = "load";
  static final String REPORTS = "reports";
  static final String INDEX = "index";
  static final String FAILOVER = "failover";
  static final String HEAP = "heap";
  static final String UNKNOWN = "lookup.unknown";
  static final String KNOWN = "lookup.known";
  static final String CYCLE = "cycle";
  static final String DAMAGED = "damaged";
  static final String FIRST_LOST = "lost.first";
  static final String ALL_LOST = "lost.all";
  static final String STATUS = "status";
  static final String FSCK = "fsck";
  static final String DRY_RUN = "convert.dry-run";

  /** Behind the name of a command: the most bytes of heap that its client takes. */
  static final String PEAK = ".peak";

  static final String DELETE = "load.delete";
  static final String FOLLOW = "follow";
  static final String LOCK = "lock.";

  /** Files in no stripe. */
  static final int LOOSE = 100;

  private static final long START_SECONDS = 600;
  private static final int REPEATS = 5;

  /** Stripes a second that a dry run is waited for at least: it plans each of them. */
  private static final long PLANNED_A_SECOND = 1000;

  /** So that the index may be read anew for an unknown block: at most once a second. */
  private static final long UNKNOWN_PAUSE_MILLIS = 1100;

  /** Until a list of damaged stripes is old, so that another one is made. */
  private static final long LIST_MILLIS = 2000;

  private final Contender contender;
  private final InjectedStripes stripes;
  private final Path directory;
  private final long operationSeconds;
  private final Properties measured = new Properties();

  private NameNodeProbe(
      Contender contender, InjectedStripes stripes, Path directory, long operationSeconds) {
    this.contender = contender;
    this.stripes = stripes;
    this.directory = directory;
    this.operationSeconds = operationSeconds;
  }

  /** The words: contender, code, stripes, seed, seconds an operation, directory, file to write. */
  public static void main(String[] words) {
    int status = 1;
    try {
      measure(words);
      status = 0;
    } catch (Throwable e) {
      LOG.error("not measured", e);
    } finally {
      Runtime.getRuntime().halt(status); // threads of the NameNode's are not waited for
    }
  }

  private static void measure(String[] words) throws Exception {
    Contender contender = Contender.valueOf(words[0]);
    int count = contender == Contender.EMPTY ? 0 : Integer.parseInt(words[2]);
    InjectedStripes stripes =
        new InjectedStripes(Codes.named(words[1]), count, LOOSE, Long.parseLong(words[3]));
    NameNodeProbe probe =
        new NameNodeProbe(contender, stripes, Path.of(words[5]), Long.parseLong(words[4]));
    probe.run();
    try (OutputStream out = Files.newOutputStream(Path.of(words[6]))) {
      probe.measured.store(out, null);
    }
  }

  private void run() throws Exception {
    DefaultMetricsSystem.setMiniClusterMode(true);
    ExitUtil.disableSystemExit();
    Configuration conf = configuration();
    NameNode.format(conf);
    State state = contender.isConverted() ? State.CONVERTED : State.REPLICATED;
    Path image = directory.resolveSibling(contender.image());
    InjectedImage.give(stripes, state, image, directory.resolve("name"));
    long begun = System.nanoTime();
    NameNode nameNode = NameNode.createNameNode(new String[0], conf);
    if (nameNode == null) {
      throw new IOException("the NameNode did not start");
    }
    note(LOAD, begun);
    try (InjectedNodes nodes = InjectedNodes.register(nameNode, stripes, contender.hasBraid())) {
      seconds(REPORTS, nodes.report(state));
      await("the end of safe mode", () -> !nameNode.getNamesystem().isInSafeMode());
      readIndex(nameNode, INDEX);
      begun = System.nanoTime();
      nameNode
          .getRpcServer()
          .transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED));
      ensure(nameNode);
      note(FAILOVER, begun);
      await(
          "queues of replication",
          () -> nameNode.getNamesystem().getBlockManager().isPopulatingReplQueues());
      measured.setProperty(HEAP, String.valueOf(usedHeap()));
      if (contender == Contender.BRAID) {
        operate(nameNode, nodes);
      }
      if (contender == Contender.UNCONVERTED) {
        String code = stripes.code().name();
        command(
            nameNode,
            ClientProbe.Command.dryRun(code),
            Math.max(operationSeconds, stripes.count() / PLANNED_A_SECOND));
      }
      if (contender.isConverted()) {
        load(nameNode);
      }
      if (contender == Contender.BRAID) {
        follow(nameNode);
      }
      if (contender.hasBraid()) {
        holds(plugin(nameNode).host().holds());
      }
    }
  }

  private Configuration configuration() throws IOException {
    String any = "127.0.0.1:0";
    Configuration conf = new HdfsConfiguration();
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "hdfs://bench");
    conf.set(DFSConfigKeys.DFS_NAMESERVICES, "bench");
    conf.set(DFSConfigKeys.DFS_HA_NAMENODES_KEY_PREFIX + ".bench", "nn0,nn1");
    conf.set(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY, "nn0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + ".bench.nn0", any);
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY + ".bench.nn0", any);
    // There is no other one; nobody connects to it.
    conf.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + ".bench.nn1", "127.0.0.1:1");
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY + ".bench.nn1", "127.0.0.1:2");
    conf.setInt(DFSConfigKeys.DFS_HA_LOGROLL_PERIOD_KEY, -1);
    conf.setBoolean(DFSConfigKeys.DFS_HA_STANDBY_CHECKPOINTS_KEY, false);
    Path top = directory.toAbsolutePath();
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, top.resolve("name").toUri().toString());
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY, top.resolve("shared").toUri().toString());
    conf.set("hadoop.tmp.dir", top.resolve("tmp").toString());
    conf.setClass(
        "net.topology.node.switch.mapping.impl", EmbeddedRacks.class, DNSToSwitchMapping.class);
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, 0);
    if (contender.hasBraid()) {
      conf.set(BraidNameNodePlugin.PLUGINS_KEY, BraidNameNodePlugin.class.getName());
      conf.set(BraidNameNodePlugin.POLICY_KEY, BraidPlacementPolicy.class.getName());
    }
    return conf;
  }

  private void readIndex(NameNode nameNode, String name) throws IOException {
    long begun = System.nanoTime();
    ensure(nameNode);
    note(name, begun);
  }

  private void ensure(NameNode nameNode) throws IOException {
    if (contender.hasBraid()) {
      plugin(nameNode).index().ensure();
    }
  }

  private static BraidNameNodePlugin plugin(NameNode nameNode) {
    return BraidNameNodePlugin.of(
            nameNode.getNamesystem().getBlockManager().getDatanodeManager().getNetworkTopology())
        .orElseThrow();
  }

  private static long usedHeap() {
    for (int i = 0; i < 2; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private void operate(NameNode nameNode, InjectedNodes nodes) throws Exception {
    URI uri = uri(nameNode);
    Configuration client = new HdfsConfiguration();
    client.set(FileSystem.FS_DEFAULT_NAME_KEY, uri.toString());
    List<Long> unknown = List.of(stripes.looseBlock(0).getBlockId());
    List<Long> known = List.of(stripes.block(0, 0).getBlockId());
    ExecutorService worker = Executors.newCachedThreadPool(DaemonThreads.named("operation"));
    NameNodeLink link = new NameNodeLink(uri, client);
    try (NameNodeCalls calls = new NameNodeCalls(link)) {
      calls.cluster();
      Callable<Object> nothing = () -> "";
      measure(worker, KNOWN, nothing, () -> calls.stripesOf(known));
      measure(worker, UNKNOWN, () -> pause(UNKNOWN_PAUSE_MILLIS), () -> calls.stripesOf(unknown));
      measure(worker, CYCLE, nothing, () -> cycle(calls));
      measure(worker, DAMAGED, () -> pause(LIST_MILLIS), calls::damagedStripes);
      int[] silent = new int[1];
      Callable<Object> falls =
          () -> {
            // Each time another node, of other stripes, with no list that has them.
            nodes.revive();
            pause(LIST_MILLIS);
            calls.damagedStripes();
            silent[0] = (silent[0] + stripes.code().n()) % stripes.nodes();
            nodes.silence(silent[0]);
            return "";
          };
      measure(worker, FIRST_LOST, falls, () -> firstLost(calls));
      measure(worker, ALL_LOST, nothing, () -> allLost(calls));
      nodes.revive();
    }
    command(nameNode, ClientProbe.Command.STATUS, operationSeconds);
    command(nameNode, ClientProbe.Command.FSCK, operationSeconds);
  }

  private void command(NameNode nameNode, ClientProbe.Command command, long seconds)
      throws IOException, InterruptedException {
    String name = command.name();
    ClientProbe.Taken taken =
        ClientProbe.run(uri(nameNode), command, seconds, directory.resolve(name + ".log"));
    taken.seconds().ifPresent(value -> measured.setProperty(name, value.toString()));
    taken.peakBytes().ifPresent(value -> measured.setProperty(name + PEAK, value.toString()));
    if (!taken.remark().isEmpty()) {
      measured.setProperty(name + ".remark", taken.remark());
    }
  }

  private static Object pause(long millis) throws InterruptedException {
    Thread.sleep(millis);
    return "";
  }

  /**
   * The page of lost stripes with which a repair begins; until then the NameNode may answer from
   * the list that it made last.
   */
  private static int firstLost(NameNodeCalls calls) throws IOException {
    int[] found = new int[1];
    while (found[0] == 0) {
      calls.damagedStripes(Page.until(() -> found[0] > 0, page -> found[0] += page.size()));
    }
    return found[0];
  }

  private static int allLost(NameNodeCalls calls) throws IOException {
    int[] found = new int[1];
    calls.damagedStripes(page -> found[0] += page.size());
    if (found[0] == 0) {
      throw new IOException("a silent node has no stripes");
    }
    return found[0];
  }

  private static URI uri(NameNode nameNode) {
    return URI.create("hdfs://127.0.0.1:" + nameNode.getNameNodeAddress().getPort());
  }

  private void load(NameNode nameNode) throws Exception {
    try (NameNodeLoad load = new NameNodeLoad(uri(nameNode), new HdfsConfiguration(), stripes)) {
      NameNodeLoad.Taken taken = load.measure(contender == Contender.BRAID);
      taken.milliseconds().forEach((operation, value) -> milliseconds(name(operation), value));
      measured.setProperty(name(Operation.ADD_BLOCK_BESIDE) + ".remark", taken.besides());
      milliseconds(DELETE, load.delete());
    }
  }

  /**
   * How long the index takes after changes that it is not told of: a parity file of each directory
   * is deleted in the NameNode's process, as the edit log does it on a standby.
   */
  private void follow(NameNode nameNode) throws IOException {
    Set<String> directories = new HashSet<>();
    for (int stripe = stripes.count() - 1; stripe >= 0 && directories.size() < 256; stripe--) {
      String path = BraidPaths.stripePath(stripes.id(stripe));
      if (directories.add(path.substring(0, path.lastIndexOf('/')))) {
        nameNode.getRpcServer().delete(path, false);
      }
    }
    long begun = System.nanoTime();
    plugin(nameNode).index().catchUp();
    note(FOLLOW, begun);
  }

  /** The key of an operation's result. */
  static String name(Operation operation) {
    return "load." + operation;
  }

  private void milliseconds(String name, double value) {
    measured.setProperty(name, String.valueOf(value));
  }

  private void holds(LockHolds holds) {
    holds
        .until()
        .forEach(
            (what, hold) ->
                measured.setProperty(
                    LOCK + what,
                    "%d %s %s %s"
                        .formatted(
                            hold.count(),
                            hold.total() / 1e9,
                            hold.longest() / 1e9,
                            hold.processor() / 1e9)));
  }

  /** The calls that each conversion and repair makes, however small, that look at all stripes. */
  private static int cycle(NameNodeCalls calls) throws IOException {
    String lease = calls.leases().acquire("bench").getLease();
    try {
      calls.sweep(lease, List.of());
      List<Long> blocks = new ArrayList<>();
      calls
          .files(InjectedImage.LOOSE)
          .forEach(file -> file.blocks().forEach(block -> blocks.add(block.block().id())));
      int found = calls.stripesOf(blocks).size();
      calls.sweep(lease, List.of());
      return found;
    } finally {
      calls.leases().release(lease);
    }
  }

  /**
   * The median of some runs; a remark when the time is over or the operation fails.
   *
   * @param before what is done before each, and not measured
   */
  private void measure(
      ExecutorService worker, String name, Callable<Object> before, Callable<Object> operation)
      throws Exception {
    List<Double> times = new ArrayList<>();
    int repeats = stripes.count() < NameNodeLoad.FEW ? 1 : REPEATS;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(operationSeconds);
    try {
      for (int i = 0; i < repeats && (i == 0 || System.nanoTime() < end); i++) {
        before.call();
        Future<Double> run = worker.submit(() -> timed(operation));
        times.add(run.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS));
      }
    } catch (TimeoutException e) {
      if (times.isEmpty()) {
        measured.setProperty(name + ".remark", "more than " + operationSeconds + " s");
      }
    } catch (ExecutionException e) {
      measured.setProperty(name + ".remark", String.valueOf(e.getCause()));
    }
    if (!times.isEmpty()) {
      double[] sorted = times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      measured.setProperty(name, String.valueOf(sorted[sorted.length / 2]));
    }
  }

  private static double timed(Callable<Object> operation) throws Exception {
    long begun = System.nanoTime();
    operation.call();
    return (System.nanoTime() - begun) / 1e9;
  }

  private void note(String name, long begun) {
    seconds(name, System.nanoTime() - begun);
  }

  private void seconds(String name, long nanos) {
    measured.setProperty(name, String.valueOf(nanos / 1e9));
  }

  private static void await(String what, BooleanSupplier condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IOException("waited %d s in vain for %s".formatted(START_SECONDS, what));
      }
      Thread.sleep(10);
    }
  }
}
