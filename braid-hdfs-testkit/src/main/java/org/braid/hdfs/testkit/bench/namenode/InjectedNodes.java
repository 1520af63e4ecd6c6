package org.braid.hdfs.testkit.bench.namenode;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNodeLayoutVersion;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.testkit.bench.namenode.InjectedImage.State;
import org.braid.thread.DaemonThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DataNodes that only report: they register, list their blocks and send heartbeats. */
final class InjectedNodes implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(InjectedNodes.class);
  private static final int FIRST_PORT = 20_000;
  private static final long CAPACITY = 1L << 50;
  private static final long SILENT_MILLIS = 60_000;

  private final NameNode nameNode;
  private final InjectedStripes stripes;
  private final List<DatanodeRegistration> nodes = new ArrayList<>();
  private final List<DatanodeStorage> storages = new ArrayList<>();
  private final ScheduledExecutorService heart =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("injected-heartbeats"));

  /** A node that sends no heartbeats; -1: none. */
  private volatile int silent = -1;

  private final InjectedWorkers workers = new InjectedWorkers();

  private InjectedNodes(NameNode nameNode, InjectedStripes stripes) {
    this.nameNode = nameNode;
    this.stripes = stripes;
  }

  /**
   * Registers all nodes and keeps them alive.
   *
   * @param working whether they have workers, which say that they are there
   */
  static InjectedNodes register(NameNode nameNode, InjectedStripes stripes, boolean working)
      throws IOException {
    InjectedNodes registered = new InjectedNodes(nameNode, stripes);
    NamespaceInfo info = nameNode.getRpcServer().versionRequest();
    StorageInfo storage =
        new StorageInfo(
            DataNodeLayoutVersion.getCurrentLayoutVersion(),
            info.getNamespaceID(),
            info.getClusterID(),
            info.getCTime(),
            NodeType.DATA_NODE);
    for (int i = 0; i < stripes.nodes(); i++) {
      String host = "rack%d-node%d".formatted(i % stripes.racks(), i);
      int port = FIRST_PORT + 4 * i;
      int calls = working ? registered.workers.start(stripes.uuid(i)) : port + 3;
      DatanodeID id =
          new DatanodeID("127.0.0.1", host, stripes.uuid(i), port, port + 1, port + 2, calls);
      DatanodeRegistration node =
          new DatanodeRegistration(id, storage, new ExportedBlockKeys(), VersionInfo.getVersion());
      node.setNamespaceInfo(info);
      registered.nodes.add(nameNode.getRpcServer().registerDatanode(node));
      registered.storages.add(new DatanodeStorage("DS-" + stripes.uuid(i)));
    }
    registered.beat();
    Future<?> unused =
        registered.heart.scheduleWithFixedDelay(registered::tryToBeat, 1, 1, TimeUnit.SECONDS);
    return registered;
  }

  private void tryToBeat() {
    try {
      beat();
    } catch (IOException | RuntimeException e) {
      LOG.warn("no heartbeat: {}", e.getMessage());
    }
  }

  private void beat() throws IOException {
    for (int i = 0; i < nodes.size(); i++) {
      if (i == silent) {
        continue;
      }
      StorageReport report = new StorageReport(storages.get(i), false, CAPACITY, 0, CAPACITY, 0, 0);
      nameNode
          .getRpcServer()
          .sendHeartbeat(
              nodes.get(i),
              new StorageReport[] {report},
              0,
              0,
              0,
              0,
              0,
              null,
              false,
              SlowPeerReports.EMPTY_REPORT,
              SlowDiskReports.EMPTY_REPORT);
    }
  }

  /** Makes a node silent since a minute ago, so that Braid takes its blocks for lost. */
  void silence(int node) {
    silent = node;
    DatanodeDescriptor known =
        nameNode
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanode(nodes.get(node).getDatanodeUuid());
    known.setLastUpdate(known.getLastUpdate() - SILENT_MILLIS);
    known.setLastUpdateMonotonic(Time.monotonicNow() - SILENT_MILLIS);
  }

  /** The silent node sends heartbeats again. */
  void revive() throws IOException {
    silent = -1;
    beat();
  }

  /** Reports all blocks; returns the nanoseconds that the NameNode took. */
  long report(State state) throws IOException {
    BlockListAsLongs.Builder[] lists = new BlockListAsLongs.Builder[nodes.size()];
    Arrays.setAll(lists, i -> BlockListAsLongs.builder());
    int last = state == State.CONVERTED ? stripes.code().n() : stripes.code().k();
    for (int s = 0; s < stripes.count(); s++) {
      for (int i = 0; i < last; i++) {
        int home = stripes.home(s, i);
        int[] holders = state == State.CONVERTED ? new int[] {home} : stripes.replicas(home);
        add(stripes.block(s, i), holders, lists);
      }
    }
    for (int i = 0; i < stripes.loose(); i++) {
      add(stripes.looseBlock(i), stripes.replicas(i % stripes.nodes()), lists);
    }
    long nanos = 0;
    for (int node = 0; node < nodes.size(); node++) {
      StorageBlockReport[] report = {
        new StorageBlockReport(storages.get(node), lists[node].build())
      };
      long begun = System.nanoTime();
      nameNode
          .getRpcServer()
          .blockReport(
              nodes.get(node),
              nameNode.getNamesystem().getBlockPoolId(),
              report,
              new BlockReportContext(1, 0, begun, 0));
      nanos += System.nanoTime() - begun;
    }
    return nanos;
  }

  private static void add(Block block, int[] holders, BlockListAsLongs.Builder[] lists) {
    BlockReportReplica replica = new BlockReportReplica(block);
    for (int holder : holders) {
      lists[holder].add(replica);
    }
  }

  @Override
  public void close() {
    heart.shutdownNow();
    workers.close();
  }
}
