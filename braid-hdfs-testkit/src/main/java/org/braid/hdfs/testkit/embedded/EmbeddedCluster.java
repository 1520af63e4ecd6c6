package org.braid.hdfs.testkit.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.ExitUtil;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.jspecify.annotations.Nullable;

/**
 * An HDFS cluster in this process: one NameNode, or an active and a standby one, and any number of
 * DataNodes on loopback addresses. The daemons are unmodified and load Braid's plugins by
 * configuration, as on a real cluster. The host name of node i is {@code rackR-nodeI}, or {@code
 * siteS.rackR-nodeI} when there are several sites.
 */
public final class EmbeddedCluster implements Closeable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration USUAL = Duration.ofSeconds(60);

  private static final long PAUSE_MILLIS = 10;

  private final EmbeddedSettings settings;
  private final Configuration base;
  private final List<@Nullable DataNode> dataNodes = new ArrayList<>();
  private final List<String> uuids = new ArrayList<>();
  private final EmbeddedNameNodes nameNodes;
  private boolean closed;

  private EmbeddedCluster(EmbeddedSettings settings) throws IOException {
    this.settings = settings;
    Files.createDirectories(settings.directory());
    base = configuration(settings);
    EmbeddedMetrics.begin();
    ExitUtil.disableSystemExit();
    nameNodes = new EmbeddedNameNodes(base, settings.directory(), settings.nameNodes());
  }

  /** Starts a cluster and waits until every DataNode has registered and reported its blocks. */
  public static EmbeddedCluster start(EmbeddedSettings settings) throws IOException {
    EmbeddedCluster cluster = new EmbeddedCluster(settings);
    try {
      for (int i = 0; i < settings.nodes(); i++) {
        cluster.dataNodes.add(null);
        cluster.uuids.add("");
        cluster.startNode(i);
      }
      cluster.awaitNodes();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** The configuration of the daemons of a cluster, without the addresses of its NameNodes. */
  public static Configuration configuration(EmbeddedSettings settings) {
    Configuration conf = new HdfsConfiguration();
    String any = "127.0.0.1:0";
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, any);
    conf.set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, any);
    conf.set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, any);
    conf.set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, any);
    Path dir = settings.directory().toAbsolutePath();
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_CHECKPOINT_DIR_KEY,
        dir.resolve("checkpoint").toUri().toString());
    conf.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.setClass(
        "net.topology.node.switch.mapping.impl",
        EmbeddedRacks.class,
        org.apache.hadoop.net.DNSToSwitchMapping.class);
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, settings.blockSize());
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 512);
    // Dead after 2 * 0.5 + 10 * 1 s instead of ten minutes, and work is looked for at once.
    conf.setLong(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.set(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, "300ms");
    // A copy that was asked for before a restart is asked for again in time.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 10);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_DATANODE_DIRECTORYSCAN_INTERVAL_KEY, -1);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SCANNER_VOLUME_BYTES_PER_SECOND, 0);
    // Their threads would outlive them.
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_GC_TIME_MONITOR_ENABLE, false);
    // No du process for each DataNode.
    conf.set("fs.getspaceused.classname", "org.apache.hadoop.fs.DFCachingGetSpaceUsed");
    // All nodes share one heap.
    conf.setLong(BraidDataNodePlugin.CACHE_KEY, 2 << 20);
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    // Who closes a file, or begins a block, before the last one is reported, asks again at once.
    conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, 10);
    conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, 10);
    // A client outlives a restart of the NameNode.
    conf.setBoolean("dfs.client.retry.policy.enabled", true);
    conf.set("dfs.client.retry.policy.spec", "200,50");
    EmbeddedPlugins.configure(conf);
    EmbeddedLocks.configure(conf);
    settings.properties().forEach(conf::set);
    return conf;
  }

  /** Starts a stopped DataNode; it keeps its files. */
  public void startNode(int index) throws IOException {
    startNode(index, new HdfsConfiguration(base));
  }

  /** Starts a stopped DataNode with further properties. */
  public void startNode(int index, Map<String, String> properties) throws IOException {
    Configuration conf = new HdfsConfiguration(base);
    properties.forEach(conf::set);
    startNode(index, conf);
  }

  /** Starts a stopped DataNode without Braid's plugin. */
  public void startPlainNode(int index) throws IOException {
    Configuration conf = new HdfsConfiguration(base);
    conf.unset(BraidDataNodePlugin.PLUGINS_KEY);
    startNode(index, conf);
  }

  private void startNode(int index, Configuration conf, String... options) throws IOException {
    if (dataNodes.get(index) != null) {
      throw new IllegalStateException("node " + index + " runs already");
    }
    nameNodes.all().forEach(DeadNodes::awaitUnknown);
    conf.set(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY, nodeName(index));
    // More often than the NameNode expects: what it wants done waits for the next heartbeat.
    conf.set(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, "300ms");
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, volumes(index));
    DataNode node = DataNode.instantiateDataNode(options, conf);
    if (node == null) {
      throw new IOException("DataNode " + index + " did not start");
    }
    node.runDatanodeDaemon();
    dataNodes.set(index, node);
  }

  /**
   * The data directory of a DataNode; it contains the directories of the volumes, if there are
   * several.
   */
  public Path dataDirectory(int index) {
    return settings.directory().toAbsolutePath().resolve("data" + index);
  }

  private String volumes(int index) {
    Path data = dataDirectory(index);
    String asked = settings.properties().get(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY);
    if (asked == null) {
      return data.toUri().toString();
    }
    return Arrays.stream(asked.split(","))
        .map(
            volume -> {
              int name = volume.indexOf(']') + 1;
              return volume.substring(0, name) + data.resolve(volume.substring(name)).toUri();
            })
        .collect(Collectors.joining(","));
  }

  /**
   * Records the UUIDs of running DataNodes; a new DataNode has one after its first registration.
   */
  private void rememberUuids() {
    for (int i = 0; i < dataNodes.size(); i++) {
      DataNode node = dataNodes.get(i);
      String uuid = node == null ? null : node.getDatanodeUuid();
      if (uuid != null) {
        uuids.set(i, uuid);
      }
    }
  }

  /** Stops a DataNode at once. Its files stay, and the NameNode notices only missing heartbeats. */
  public void stopNode(int index) {
    DataNode node = Objects.requireNonNull(dataNodes.get(index), "the node is stopped already");
    dataNodes.set(index, null);
    node.shutdown();
  }

  /** Whether the DataNode is running. */
  public boolean runs(int index) {
    return dataNodes.get(index) != null;
  }

  /**
   * Restarts all NameNodes on their files and waits until the DataNodes have reported to them.
   *
   * @param options of the command line
   */
  public void restartNameNode(String... options) throws IOException {
    nameNodes.restart(options);
    awaitNodes();
  }

  /**
   * Restarts all daemons in their state before a rolling upgrade: the NameNode on its image from
   * the preparation, the DataNodes with the replicas that they have kept in their trash since. Also
   * starts stopped nodes.
   *
   * <p>A DataNode that was stopped in the last minutes would trust the list of replicas that it
   * wrote at its stop, which lacks those from its trash.
   */
  public void rollBack() throws IOException {
    IntStream.range(0, nodes()).filter(this::runs).forEach(this::stopNode);
    nameNodes.restart("-rollingUpgrade", "rollback");
    for (int node = 0; node < nodes(); node++) {
      startNode(
          node,
          new HdfsConfiguration(base),
          "-Ddfs.datanode.replica.cache.expiry.time=0",
          "-rollback");
    }
    awaitNodes();
  }

  /** Restarts all daemons as stock HDFS, without Braid's plugins. */
  public void restartPlain() throws IOException {
    EmbeddedPlugins.remove(base);
    restartAll();
  }

  /** Restarts all daemons with Braid's plugins. */
  public void restartWithBraid() throws IOException {
    EmbeddedPlugins.configure(base);
    restartAll();
  }

  private void restartAll() throws IOException {
    List<Integer> running = IntStream.range(0, nodes()).filter(this::runs).boxed().toList();
    running.forEach(this::stopNode);
    nameNodes.restart();
    for (int node : running) {
      startNode(node);
    }
    awaitNodes();
  }

  /**
   * Stops the active NameNode, activates the standby and restarts the stopped one as standby.
   *
   * @throws IllegalStateException when there is only one NameNode
   */
  public void failOver() throws IOException {
    nameNodes.failOver();
    awaitNodes();
  }

  /**
   * Makes the active NameNode a standby and the other one active, as {@code hdfs haadmin -failover}
   * does: both keep their memory.
   */
  public void handOver() throws IOException {
    nameNodes.handOver();
    awaitNodes();
  }

  /** Stops all NameNodes at once. */
  public void stopNameNode() {
    nameNodes.stop();
  }

  /**
   * Waits until every running DataNode has registered its current addresses, reported its blocks
   * and is relied on by every NameNode, and no NameNode is in safe mode. Of two NameNodes one that
   * is or was active need not have new full block reports: after a failover HDFS keeps replicas
   * marked stale until the next full report, which can take hours.
   */
  public void awaitNodes() throws IOException {
    for (NameNode nameNode : nameNodes.all()) {
      boolean tookOver = nameNodes.tookOver(nameNode);
      for (int i = 0; i < dataNodes.size(); i++) {
        DataNode node = dataNodes.get(i);
        if (node != null) {
          await(
              nodeName(i) + " to report its blocks",
              START,
              () -> reported(node, nameNode, tookOver));
        }
      }
      await("the NameNode to leave safe mode", START, () -> !nameNode.isInSafeMode());
    }
    rememberUuids();
  }

  private static boolean reported(DataNode node, NameNode nameNode, boolean tookOver) {
    String uuid = node.getDatanodeUuid();
    if (uuid == null) {
      return false;
    }
    DatanodeManager nodes = nameNode.getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeDescriptor known = nodes.getDatanode(uuid);
    return known != null
        && known.isAlive()
        && known.getXferPort() == node.getXferPort()
        && known.getStorageInfos().length > 0
        // One that registers again is suspect until it is heard or answers.
        && BraidNameNodePlugin.of(nodes.getNetworkTopology())
            .filter(braid -> braid.host().isSuspect(known))
            .isEmpty()
        && (tookOver
            || Arrays.stream(known.getStorageInfos())
                .noneMatch(DatanodeStorageInfo::areBlockContentsStale));
  }

  /**
   * Has all NameNodes call a stopped DataNode dead, as they do by themselves some 11 to 16 seconds
   * after its last heartbeat.
   */
  public void awaitDead(int index) throws IOException {
    if (runs(index)) {
      throw new IllegalStateException(nodeName(index) + " runs");
    }
    String uuid = uuids.get(index);
    for (NameNode nameNode : nameNodes.all()) {
      await(
          "the NameNode to give up " + nodeName(index),
          USUAL,
          () -> DeadNodes.giveUp(nameNode, uuid));
    }
  }

  private static void await(String what, Duration most, BooleanSupplier condition)
      throws IOException {
    long end = System.nanoTime() + most.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new IOException(
            "waited %.1f s in vain for %s".formatted(most.toMillis() / 1000.0, what));
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for " + what);
      }
    }
  }

  /** The host name of a node. */
  public String nodeName(int index) {
    int rack = index % settings.racks();
    String site = settings.sites() == 1 ? "" : "site" + rack % settings.sites() + ".";
    return site + "rack" + rack + "-node" + index;
  }

  /** The UUID of a DataNode. */
  public String uuid(int index) {
    return uuids.get(index);
  }

  /** The index of the node whose DataNode has a UUID; empty if there is none. */
  public OptionalInt indexOf(String uuid) {
    int index = uuids.indexOf(uuid);
    return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
  }

  public int nodes() {
    return settings.nodes();
  }

  public int racks() {
    return settings.racks();
  }

  /** The URI of the file system, {@code hdfs://HOST:PORT} or {@code hdfs://NAMESERVICE}. */
  public String uri() {
    return base.get(FileSystem.FS_DEFAULT_NAME_KEY);
  }

  /** A copy of the configuration for clients of this cluster. */
  public Configuration configuration() {
    return new HdfsConfiguration(base);
  }

  /** A new stock HDFS client, without Braid. */
  public DistributedFileSystem fileSystem() throws IOException {
    return (DistributedFileSystem)
        FileSystem.newInstance(FileSystem.getDefaultUri(base), configuration());
  }

  /** All NameNodes, the active one and the standby one. */
  public List<NameNode> nameNodes() {
    return nameNodes.all();
  }

  /** The active NameNode. */
  public NameNode nameNode() {
    return nameNodes.active();
  }

  /**
   * Properties that a client needs beside {@link #uri} to find the NameNodes and to retry until
   * they are back.
   */
  public Map<String, String> clientProperties() {
    Map<String, String> properties = new TreeMap<>(nameNodes.clientProperties());
    for (String key : List.of("dfs.client.retry.policy.enabled", "dfs.client.retry.policy.spec")) {
      properties.put(key, base.get(key));
    }
    // A node that is stopped does not come back by itself.
    properties.put("braid.repair.delay", base.get("braid.repair.delay", "0s"));
    return properties;
  }

  /** The host and port of the active NameNode's web server. */
  public String webAddress() {
    return NetUtils.getHostPortString(nameNode().getHttpAddress());
  }

  /** The running DataNode of a node. */
  public DataNode dataNode(int index) {
    return Objects.requireNonNull(dataNodes.get(index), "the node is stopped");
  }

  @Override
  public void close() {
    for (int i = 0; i < dataNodes.size(); i++) {
      if (dataNodes.get(i) != null) {
        stopNode(i);
      }
    }
    stopNameNode();
    if (!closed) {
      closed = true;
      EmbeddedMetrics.end();
    }
  }
}
