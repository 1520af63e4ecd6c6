package org.braid.hdfs.testkit.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;

/**
 * The NameNodes of an embedded cluster: one, or an active and a standby one that share a directory
 * of edits. Their addresses are in the cluster's configuration.
 */
final class EmbeddedNameNodes {
  private static final String SERVICE = "braid";
  private static final String HOST = "127.0.0.1:";
  private static final String ANY = HOST + "0";

  private final Configuration base;
  private final Path directory;
  private final List<NameNode> running = new ArrayList<>();
  private final Set<NameNode> activated = Collections.newSetFromMap(new IdentityHashMap<>());
  private volatile int active;

  /**
   * Formats and starts the NameNodes.
   *
   * @param base the cluster's configuration, to which the addresses are added
   * @param directory the directory of the NameNodes' files
   * @param count number of NameNodes, 1 or 2
   */
  EmbeddedNameNodes(Configuration base, Path directory, int count) throws IOException {
    this.base = base;
    this.directory = directory.toAbsolutePath();
    // A NameNode has its address again when it comes back, and one of two knows the other's.
    List<String> addresses = ServerPorts.free(count).stream().map(p -> HOST + p).toList();
    if (count == 1) {
      base.set(FileSystem.FS_DEFAULT_NAME_KEY, "hdfs://" + addresses.get(0));
      base.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, addresses.get(0));
    } else {
      configurePair(addresses);
    }
    NameNode.format(configuration(0, count));
    for (int i = 1; i < count; i++) {
      copy(nameDirectory(0), nameDirectory(i));
    }
    startAll(count);
  }

  private void configurePair(List<String> addresses) {
    List<String> ids = List.of(id(0), id(1));
    base.set(FileSystem.FS_DEFAULT_NAME_KEY, "hdfs://" + SERVICE);
    base.set(DFSConfigKeys.DFS_NAMESERVICES, SERVICE);
    base.set(DFSConfigKeys.DFS_HA_NAMENODES_KEY_PREFIX + "." + SERVICE, String.join(",", ids));
    for (int i = 0; i < ids.size(); i++) {
      base.set(
          DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + "." + SERVICE + "." + ids.get(i),
          addresses.get(i));
      base.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY + "." + SERVICE + "." + ids.get(i), ANY);
    }
    base.set(
        DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY,
        directory.resolve("shared").toUri().toString());
    base.set(
        HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + "." + SERVICE,
        ConfiguredFailoverProxyProvider.class.getName());
    base.setBoolean(DFSConfigKeys.DFS_HA_STANDBY_CHECKPOINTS_KEY, false);
    base.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    base.setInt(HdfsClientConfigKeys.Failover.SLEEPTIME_BASE_KEY, 50);
  }

  private static String id(int index) {
    return "nn" + index;
  }

  private Path nameDirectory(int index) {
    return directory.resolve(index == 0 ? "name" : "name" + index);
  }

  private Configuration configuration(int index, int count) {
    Configuration conf = new HdfsConfiguration(base);
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, nameDirectory(index).toUri().toString());
    if (count > 1) {
      conf.set(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY, id(index));
    }
    return conf;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private NameNode create(int index, int count, String... options) throws IOException {
    NameNode started = NameNode.createNameNode(options, configuration(index, count));
    if (started == null) {
      throw new IOException("the NameNode did not start");
    }
    return started;
  }

  private void startAll(int count, String... options) throws IOException {
    for (int i = 0; i < count; i++) {
      running.add(create(i, count, options));
    }
    if (count > 1) {
      activate(active);
      return;
    }
    if (base.get(DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY) != null) {
      base.set(
          DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY,
          text(running.get(0).getServiceRpcAddress()));
    }
  }

  private static String text(InetSocketAddress bound) {
    return bound.getAddress().getHostAddress() + ":" + bound.getPort();
  }

  private void activate(int index) throws IOException {
    running
        .get(index)
        .getRpcServer()
        .transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED));
    active = index;
    activated.add(running.get(index));
  }

  /** Whether one of a pair is, or was, active since it started. */
  boolean tookOver(NameNode nameNode) {
    return activated.contains(nameNode);
  }

  /** The active NameNode, or the last active one when all are stopped. */
  NameNode active() {
    return running.get(active);
  }

  /** All NameNodes. */
  List<NameNode> all() {
    return List.copyOf(running);
  }

  /** Whether there is a standby NameNode. */
  boolean paired() {
    return running.size() > 1;
  }

  /**
   * Stops all NameNodes and starts them again; the active one stays the same.
   *
   * @param options of the command line
   */
  void restart(String... options) throws IOException {
    stop();
    int count = running.size();
    running.clear();
    startAll(count, options);
  }

  /** Makes the active NameNode a standby and the other one active; both keep their memory. */
  void handOver() throws IOException {
    if (!paired()) {
      throw new IllegalStateException("there is one NameNode: nothing to hand over to");
    }
    active()
        .getRpcServer()
        .transitionToStandby(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED));
    activate(1 - active);
  }

  /** Stops the active NameNode, activates the standby and restarts the stopped one as standby. */
  void failOver() throws IOException {
    if (!paired()) {
      throw new IllegalStateException("there is one NameNode: nothing to fail over to");
    }
    int failed = active;
    stop(running.get(failed));
    activate(1 - failed);
    running.set(failed, create(failed, running.size()));
  }

  void stop() {
    running.forEach(EmbeddedNameNodes::stop);
    EmbeddedMetrics.nameNodesStopped();
  }

  private static void stop(NameNode nameNode) {
    nameNode.stop();
    nameNode.join();
  }

  /** Properties that a client needs to find the NameNodes. */
  Map<String, String> clientProperties() {
    Map<String, String> properties = new TreeMap<>();
    if (paired()) {
      for (Map.Entry<String, String> entry : base) {
        if (entry.getKey().equals(DFSConfigKeys.DFS_NAMESERVICES)
            || entry.getKey().startsWith(DFSConfigKeys.DFS_HA_NAMENODES_KEY_PREFIX + ".")
            || entry.getKey().startsWith(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + ".")
            || entry.getKey().startsWith(HdfsClientConfigKeys.Failover.PREFIX)) {
          properties.put(entry.getKey(), entry.getValue());
        }
      }
    }
    return properties;
  }
}
