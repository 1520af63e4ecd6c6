package org.braid.clients;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.ha.HAServiceStatus;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.hdfs.testkit.embedded.ServerPorts;
import org.braid.testing.Await;

/**
 * An HDFS with Braid of which each daemon is a process of its own and has a version of its own: two
 * NameNodes, some DataNodes, and a daemon of Braid's.
 */
final class UpgradedCluster implements Closeable {
  static final int BLOCK = 64 << 10;
  static final int SLICE = 16 << 10;
  static final int NODES = 7;
  private static final int RACKS = 7;
  private static final String SERVICE = "braid";
  private static final String HOST = "127.0.0.1:";
  private static final String DAEMON = "daemon";

  private final Path directory;
  private final Path logs;
  private final Map<String, String> classPaths;
  private final Configuration base;
  private final Map<String, Program> running = new TreeMap<>();
  private final Map<String, String> versions = new TreeMap<>();
  private final Map<String, Integer> starts = new TreeMap<>();
  private int active;

  /**
   * Starts all daemons.
   *
   * @param classPaths by version
   */
  UpgradedCluster(Path directory, Path logs, Map<String, String> classPaths, String version)
      throws IOException {
    this.directory = directory;
    this.logs = logs;
    this.classPaths = Map.copyOf(classPaths);
    base =
        EmbeddedCluster.configuration(
            new EmbeddedSettings(
                RACKS, NODES, BLOCK, directory, Map.of("braid.repair.delay", "5m")));
    pair(base, ServerPorts.free(4));
    try (Program format = process("format", version, nameNode(0))) {
      format.tell("stop");
    }
    copy(directory.resolve(nameNode(0)), directory.resolve(nameNode(1)));
    startNameNode(0, version);
    startNameNode(1, version);
    protocol(0).transitionToActive(byUser());
    for (int node = 0; node < NODES; node++) {
      startDataNode(node, version);
    }
    awaitNodes();
    start(DAEMON, DAEMON, version);
  }

  private void pair(Configuration conf, List<Integer> ports) {
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "hdfs://" + SERVICE);
    conf.set(DFSConfigKeys.DFS_NAMESERVICES, SERVICE);
    conf.set(
        DFSConfigKeys.DFS_HA_NAMENODES_KEY_PREFIX + "." + SERVICE, nameNode(0) + "," + nameNode(1));
    for (int i = 0; i < 2; i++) {
      String of = "." + SERVICE + "." + nameNode(i);
      conf.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + of, HOST + ports.get(2 * i));
      conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY + of, HOST + ports.get(2 * i + 1));
    }
    conf.unset(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY);
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY,
        directory.resolve("shared").toUri().toString());
    conf.set(
        HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + "." + SERVICE,
        ConfiguredFailoverProxyProvider.class.getName());
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_CHECKPOINT_CHECK_PERIOD_KEY, 1);
    conf.setInt(HdfsClientConfigKeys.Failover.SLEEPTIME_BASE_KEY, 50);
  }

  private static String nameNode(int index) {
    return "nn" + index;
  }

  private static String dataNode(int index) {
    return "rack" + index % RACKS + "-node" + index;
  }

  private static StateChangeRequestInfo byUser() {
    return new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED);
  }

  private HAServiceProtocol protocol(int index) throws IOException {
    return new NNHAServiceTarget(client(), SERVICE, nameNode(index)).getProxy(client(), 60_000);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  /** A configuration for clients. */
  Configuration client() {
    return new HdfsConfiguration(base);
  }

  /** HDFS's own client. */
  DistributedFileSystem fileSystem() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(base), client());
  }

  /** A client of one of the NameNodes: also a standby one tells of DataNodes. */
  private DistributedFileSystem nameNodeClient(int index) throws IOException {
    String address =
        base.get(
            DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + "." + SERVICE + "." + nameNode(index));
    return (DistributedFileSystem)
        FileSystem.newInstance(URI.create("hdfs://" + address), client());
  }

  /** A configuration file for clients. */
  Path clientFile() throws IOException {
    return write("client", client());
  }

  private Path write(String name, Configuration conf) throws IOException {
    Path file = directory.resolve(name + ".xml");
    try (OutputStream out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
    return file;
  }

  private Program process(String kind, String version, String name, String... options)
      throws IOException {
    Configuration conf = client();
    if (name.startsWith("nn")) {
      conf.set(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY, name);
      conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, directory.resolve(name).toUri().toString());
    } else if (name.startsWith("rack")) {
      conf.set(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY, name);
      conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, directory.resolve(name).toUri().toString());
    }
    List<String> command = new ArrayList<>();
    command.add(UpgradedDaemon.class.getName());
    command.add(kind);
    command.add(write(name, conf).toString());
    command.addAll(List.of(options));
    String log = "%s-%d-%s.err".formatted(name, starts.merge(name, 1, Integer::sum), version);
    Program program =
        new Program(
            Program.home(),
            List.of(
                "-Xmx320m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED"),
            classPaths.get(version),
            logs.resolve(log),
            command);
    String answer;
    try {
      answer = program.answer();
    } catch (IOException e) {
      program.close();
      throw new IOException(kind + " " + name + " did not start, see " + logs.resolve(log), e);
    }
    if (!answer.equals(ClassPaths.hadoop(version))) {
      program.close();
      throw new IOException(kind + " " + name + " is of " + answer + ", expected is " + version);
    }
    return program;
  }

  private void start(String kind, String name, String version, String... options)
      throws IOException {
    running.put(name, process(kind, version, name, options));
    versions.put(name, version);
  }

  private void stop(String name) throws IOException {
    try (Program program = running.remove(name)) {
      program.tell("stop");
    }
  }

  private void startNameNode(int index, String version, String... options) throws IOException {
    start("namenode", nameNode(index), version, options);
  }

  /** Starts a DataNode that does not run. */
  void startDataNode(int index, String version, String... options) throws IOException {
    start("datanode", dataNode(index), version, options);
  }

  /** Ends a DataNode at once. */
  void kill(int node) {
    running.remove(dataNode(node)).close();
  }

  /** As {@code hdfs dfsadmin -shutdownDatanode ... upgrade}, and a start with another version. */
  void change(int node, String version) throws Exception {
    String before = known(node).getXferAddr();
    shutDown(node);
    startDataNode(node, version);
    Await.until(
        "another address of " + dataNode(node),
        () -> known(node).getXferAddr(),
        address -> !address.equals(before));
    awaitNodes();
  }

  private void shutDown(int node) throws Exception {
    DatanodeInfo known = known(node);
    DFSAdmin admin = new DFSAdmin(client());
    int status = admin.run(new String[] {"-shutdownDatanode", known.getIpcAddr(false), "upgrade"});
    if (status != 0) {
      throw new IOException("-shutdownDatanode of " + dataNode(node) + ": status " + status);
    }
    try (Program program = running.remove(dataNode(node))) {
      String answer = program.answer();
      if (!answer.equals("stopped")) {
        throw new IOException(dataNode(node) + ": " + answer);
      }
    }
  }

  private DatanodeInfo known(int node) throws IOException {
    try (DistributedFileSystem fs = nameNodeClient(active)) {
      return Arrays.stream(fs.getDataNodeStats(DatanodeReportType.ALL))
          .filter(info -> info.getHostName().equals(dataNode(node)))
          .findFirst()
          .orElseThrow(() -> new IOException(dataNode(node) + " is not known"));
    }
  }

  /** The standby NameNode is started anew with another version, and the other one likewise. */
  void changeNameNodes(String version, String... options) throws IOException {
    for (int i = 0; i < 2; i++) {
      int standby = 1 - active;
      stop(nameNode(standby));
      startNameNode(standby, version, options);
      awaitNodes();
      protocol(active).transitionToStandby(byUser());
      protocol(standby).transitionToActive(byUser());
      active = standby;
      awaitNodes();
    }
  }

  /** A daemon of Braid's of another version takes over. */
  void changeDaemon(String version) throws IOException {
    stop(DAEMON);
    start(DAEMON, DAEMON, version);
  }

  /** Goes back to what was when the upgrade was prepared, as OPERATIONS says. */
  void rollBack(String version) throws IOException {
    for (String name : List.copyOf(running.keySet())) {
      stop(name);
    }
    startNameNode(0, version, "-rollingUpgrade", "rollback");
    protocol(0).transitionToActive(byUser());
    active = 0;
    process("bootstrap", version, nameNode(1)).close();
    startNameNode(1, version);
    for (int node = 0; node < NODES; node++) {
      startDataNode(node, version, "-Ddfs.datanode.replica.cache.expiry.time=0", "-rollback");
    }
    awaitNodes();
    start(DAEMON, DAEMON, version);
  }

  /** Waits until all NameNodes that run know all DataNodes that run, and are not in safe mode. */
  void awaitNodes() throws IOException {
    Set<String> nodes = new TreeSet<>(running.keySet());
    nodes.removeIf(name -> !name.startsWith("rack"));
    for (int i = 0; i < 2; i++) {
      if (running.containsKey(nameNode(i))) {
        HAServiceProtocol nameNode = protocol(i);
        Await.until(nameNode(i) + " to be ready", () -> isReady(nameNode));
        try (DistributedFileSystem fs = nameNodeClient(i)) {
          Await.until(
              nameNode(i) + " to know " + nodes,
              () -> reported(fs),
              known -> known.containsAll(nodes));
        }
      }
    }
  }

  /** The live DataNodes that have reported to a NameNode. */
  private static Set<String> reported(DistributedFileSystem fs) throws IOException {
    Set<String> known = new TreeSet<>();
    for (DatanodeInfo node : fs.getDataNodeStats(DatanodeReportType.LIVE)) {
      if (node.getLastBlockReportTime() > 0) {
        known.add(node.getHostName());
      }
    }
    return known;
  }

  private static boolean isReady(HAServiceProtocol nameNode) {
    try {
      HAServiceStatus status = nameNode.getServiceStatus();
      return status.getState() == HAServiceState.ACTIVE || status.isReadyToBecomeActive();
    } catch (IOException e) {
      return false; // as the connection is that to the process before
    }
  }

  /** Waits until the NameNode gives a DataNode up. */
  void awaitDead(int node) throws IOException {
    try (DistributedFileSystem fs = nameNodeClient(active)) {
      Await.until(
          dataNode(node) + " to be dead",
          () -> reported(fs),
          known -> !known.contains(dataNode(node)));
    }
  }

  /** Waits until all DataNodes know, or know no more, that an upgrade goes on. */
  void awaitUpgrade(boolean goesOn) throws IOException {
    Await.until(
        "all DataNodes to hear of the upgrade",
        () -> {
          for (int node = 0; node < NODES; node++) {
            if (keepsTrash(node) != goesOn) {
              return false;
            }
          }
          return true;
        });
  }

  /** Whether a DataNode's disk has the mark that it keeps what is deleted. */
  private boolean keepsTrash(int node) throws IOException {
    try (Stream<Path> pools = Files.list(directory.resolve(dataNode(node)).resolve("current"))) {
      return pools.anyMatch(pool -> Files.exists(pool.resolve("RollingUpgradeInProgress")));
    }
  }

  /** The versions of all DataNodes that run. */
  Set<String> versions() {
    Set<String> all = new TreeSet<>();
    versions.forEach(
        (name, version) -> {
          if (name.startsWith("rack") && running.containsKey(name)) {
            all.add(version);
          }
        });
    return all;
  }

  @Override
  public void close() {
    running.values().forEach(Program::close);
  }
}
