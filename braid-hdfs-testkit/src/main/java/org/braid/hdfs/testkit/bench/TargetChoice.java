package org.braid.hdfs.testkit.bench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.util.VersionInfo;
import org.braid.code.Codes;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;

/**
 * The placement policy of a real NameNode in this process, asked for the targets of new blocks. Its
 * DataNodes are registered, with room, but do not exist. For measurements and comparisons of
 * policies.
 */
public final class TargetChoice implements Closeable {
  private static final short REPLICAS = 3;
  private static final long BLOCK_SIZE = 128L << 20;
  private static final long CAPACITY = 1L << 44;
  private static final String CLIENT = "trial";
  private static final String DIRECTORY = "/trial";

  /** Whose policy chooses. */
  public enum Policy {
    /** HDFS's default policy, stock. */
    HDFS,
    /** Braid's policy, below a directory that asks for encoding-aware replication. */
    BRAID
  }

  /**
   * The cluster and the files to choose targets for.
   *
   * @param racks number of racks
   * @param nodesPerRack nodes of a rack
   * @param code name of the code of the files' later encoding
   * @param stripes number of open files for each number of blocks that a stripe may have so far
   * @param seed seed of writers and of the order of the files
   * @param directory directory of the NameNode's files
   */
  public record Settings(
      int racks, int nodesPerRack, String code, int stripes, long seed, Path directory) {}

  /** An open file: so many blocks of its stripe are written. */
  private record OpenFile(String path, int blocks) {}

  private final EmbeddedCluster cluster;
  private final BlockPlacementPolicy policy;
  private final BlockStoragePolicy storagePolicy;
  private final List<DatanodeDescriptor> nodes = new ArrayList<>();
  private final List<OpenFile> files = new ArrayList<>();
  private final Map<String, DatanodeRegistration> registrations = new HashMap<>();
  private final Random random;
  private int next;

  private TargetChoice(EmbeddedCluster cluster, Settings settings) throws IOException {
    this.cluster = cluster;
    this.random = new Random(settings.seed());
    BlockManager blocks = blocks();
    this.policy = blocks.getBlockPlacementPolicy();
    this.storagePolicy = blocks.getStoragePolicy(HdfsConstants.HOT_STORAGE_POLICY_NAME);
  }

  /** Starts a NameNode, registers the nodes and writes the files. */
  public static TargetChoice start(Policy policy, Settings settings) throws IOException {
    Map<String, String> properties = new HashMap<>();
    if (policy == Policy.HDFS) {
      properties.put(BraidNameNodePlugin.POLICY_KEY, BlockPlacementPolicyDefault.class.getName());
      properties.put(BraidNameNodePlugin.PLUGINS_KEY, "");
    }
    // Nobody sends heartbeats, and every node is to stay alive.
    properties.put(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, "100000000");
    properties.put("dfs.namenode.redundancy.considerLoad", "true");
    EmbeddedCluster cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(1, 0, BLOCK_SIZE, settings.directory(), properties));
    try {
      TargetChoice choice = new TargetChoice(cluster, settings);
      choice.register(settings);
      choice.write(settings);
      return choice;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private BlockManager blocks() {
    return cluster.nameNode().getNamesystem().getBlockManager();
  }

  private NamenodeProtocols calls() {
    return cluster.nameNode().getRpcServer();
  }

  private void register(Settings settings) throws IOException {
    NamespaceInfo namespace = calls().versionRequest();
    for (int i = 0; i < settings.racks() * settings.nodesPerRack(); i++) {
      String uuid = "node" + i;
      String host = "rack" + i % settings.racks() + "-" + uuid;
      int port = 1024 + i;
      var registration =
          new DatanodeRegistration(
              new DatanodeID("127.0.0.1", host, uuid, port, port, 0, port),
              new StorageInfo(
                  namespace.getLayoutVersion(),
                  namespace.getNamespaceID(),
                  namespace.getClusterID(),
                  namespace.getCTime(),
                  NodeType.DATA_NODE),
              new ExportedBlockKeys(),
              VersionInfo.getVersion());
      registrations.put(uuid, calls().registerDatanode(registration));
      var storage = new DatanodeStorage("storage-" + uuid);
      StorageReport[] report = {new StorageReport(storage, false, CAPACITY, 0, CAPACITY, 0, 0)};
      calls()
          .sendHeartbeat(
              registration,
              report,
              0,
              0,
              0,
              0,
              0,
              null,
              false,
              SlowPeerReports.EMPTY_REPORT,
              SlowDiskReports.EMPTY_REPORT);
      nodes.add(blocks().getDatanodeManager().getDatanode(uuid));
    }
  }

  private void write(Settings settings) throws IOException {
    calls().mkdirs(DIRECTORY, FsPermission.getDirDefault(), true);
    XAttr attribute =
        XAttrHelper.buildXAttr(
            BraidPaths.EAR_XATTR, settings.code().getBytes(StandardCharsets.UTF_8));
    calls().setXAttr(DIRECTORY, attribute, EnumSet.of(XAttrSetFlag.CREATE));
    int k = Codes.named(settings.code()).k();
    for (int stripe = 0; stripe < settings.stripes(); stripe++) {
      for (int count = 0; count < k; count++) {
        OpenFile file = new OpenFile(DIRECTORY + "/" + stripe + "-" + count, count);
        write(file);
        files.add(file);
      }
    }
    Collections.shuffle(files, random);
  }

  private void write(OpenFile file) throws IOException {
    HdfsFileStatus status =
        calls()
            .create(
                file.path(),
                FsPermission.getFileDefault(),
                CLIENT,
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                true,
                REPLICAS,
                BLOCK_SIZE,
                CryptoProtocolVersion.supported(),
                null,
                null);
    ExtendedBlock previous = null;
    for (int i = 0; i < file.blocks(); i++) {
      LocatedBlock located =
          calls()
              .addBlock(
                  file.path(),
                  CLIENT,
                  previous,
                  null,
                  status.getFileId(),
                  null,
                  EnumSet.noneOf(AddBlockFlag.class));
      previous = located.getBlock();
      previous.setNumBytes(BLOCK_SIZE);
      for (DatanodeInfo node : located.getLocations()) {
        received(node.getDatanodeUuid(), previous.getLocalBlock());
      }
      blocks().flushBlockOps();
    }
  }

  private void received(String uuid, Block block) throws IOException {
    ReceivedDeletedBlockInfo[] infos = {
      new ReceivedDeletedBlockInfo(block, BlockStatus.RECEIVED_BLOCK, "")
    };
    StorageReceivedDeletedBlocks[] reports = {
      new StorageReceivedDeletedBlocks(new DatanodeStorage("storage-" + uuid), infos)
    };
    calls()
        .blockReceivedAndDeleted(
            registrations.get(uuid), cluster.nameNode().getNamesystem().getBlockPoolId(), reports);
  }

  /**
   * Chooses the targets of the next block of the next file, for a random node that writes it; the
   * block is not added.
   *
   * @return the names of the nodes, {@code rackR-nodeI}
   */
  public List<String> choose() {
    DatanodeStorageInfo[] targets = targets(files.get(next++ % files.size()));
    List<String> names = new ArrayList<>(targets.length);
    for (DatanodeStorageInfo target : targets) {
      names.add(target.getDatanodeDescriptor().getHostName());
    }
    return names;
  }

  private DatanodeStorageInfo[] targets(OpenFile file) {
    return policy.chooseTarget(
        file.path(),
        REPLICAS,
        nodes.get(random.nextInt(nodes.size())),
        new ArrayList<>(),
        false,
        null,
        BLOCK_SIZE,
        storagePolicy,
        EnumSet.noneOf(AddBlockFlag.class));
  }

  @Override
  public void close() {
    cluster.close();
  }
}
