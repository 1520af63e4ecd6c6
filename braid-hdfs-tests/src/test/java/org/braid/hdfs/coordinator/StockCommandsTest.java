package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.namenode.BraidPlacementPolicy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What operators do to a cluster with HDFS's own commands, and what HDFS's clients say of replicas,
 * costs converted files nothing.
 */
@Timeout(120)
final class StockCommandsTest {
  private static final Random RANDOM = Seeds.random(StockCommandsTest.class);
  private static final long SELDOM = 3_600_000;
  private static final String POLICY = DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY;
  private static final String VOLUMES = DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY;

  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(
          6,
          12,
          Map.of(
              VOLUMES,
              "[DISK]first,[DISK]second",
              "dfs.namenode.decommission.interval",
              "1",
              "dfs.namenode.maintenance.replication.min",
              "0"));

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.deleteAll();
    fixture.repair("/", "chain");
  }

  private static String converted(String path, int blocks) throws IOException {
    fixture.write(path, blocks * ClusterFixture.BLOCK - 100, 3, RANDOM);
    fixture.convertAll("rs-3-2", path);
    fixture.assertConverted(path);
    Await.until(
        "surplus copies to go",
        () ->
            fixture.files(path).get(0).blocks().stream()
                .allMatch(block -> block.going().isEmpty()));
    return path;
  }

  private static BlockStatus block(String path, int number) throws IOException {
    return fixture.files(path).get(0).blocks().get(number);
  }

  private static int holder(BlockStatus block) {
    return fixture.hdfs.indexOf(block.replicas().get(0).node()).orElseThrow();
  }

  private static FSNamesystem namesystem() {
    return fixture.hdfs.nameNode().getNamesystem();
  }

  private static BlockManager blocks() {
    return namesystem().getBlockManager();
  }

  private static ExtendedBlock known(BlockIdentity block) {
    return new ExtendedBlock(
        namesystem().getBlockPoolId(), block.id(), block.length(), block.generation());
  }

  /** Each block has one copy, at home, by the rule, and all can be read. */
  private static void assertSettled(String path) throws IOException {
    fixture.assertConverted(path);
    fixture.assertTolerant(path);
    fixture.assertClean(path);
    fixture.assertReads(path);
  }

  private static void underLock(Runnable change) {
    namesystem().writeLock();
    try {
      change.run();
    } finally {
      namesystem().writeUnlock("test");
    }
  }

  /** HDFS tells no client of copies on nodes in maintenance, as there should be others. */
  @Test
  void theOnlyCopyOnANodeInMaintenanceIsReadAndAppendedTo() throws Exception {
    String path = converted("/maintained/f", 3);
    DatanodeDescriptor node =
        blocks().getDatanodeManager().getDatanode(block(path, 2).replicas().get(0).node());
    DatanodeAdminManager admin = blocks().getDatanodeManager().getDatanodeAdminManager();
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      underLock(() -> admin.startMaintenance(node, Long.MAX_VALUE));
      Await.until("the maintenance to begin", node::isInMaintenance);
      fixture.assertReads(path);
      fixture.assertReadsDegraded(path);
      assertEquals(node.getDatanodeUuid(), block(path, 2).replicas().get(0).node());
      // HDFS appends to nothing without a copy that counts: the block is moved first.
      byte[] added = new byte[100];
      RANDOM.nextBytes(added);
      try (FSDataOutputStream out = fixture.fs.append(new org.apache.hadoop.fs.Path(path))) {
        out.write(added);
      }
      assertTrue(watch.end().demanded() > 0, watch.journal.toString());
      byte[] content = fixture.content(path);
      byte[] all = Arrays.copyOf(content, content.length + added.length);
      System.arraycopy(added, 0, all, content.length, added.length);
      assertArrayEquals(all, ClusterFixture.read(fixture.fs, path));
    } finally {
      underLock(() -> admin.stopMaintenance(node));
    }
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.assertTolerant(path);
  }

  /** A configuration without Braid's lines is read anew, perhaps for another property's sake. */
  @Test
  void braidsPlacementPolicyOutlivesAReconfiguration() throws Exception {
    String path = converted("/policy/f", 3);
    fixture
        .hdfs
        .nameNode()
        .reconfigureProperty(POLICY, BlockPlacementPolicyDefault.class.getName());
    Await.until(
        "Braid's policy to be in force again",
        () -> blocks().getBlockPlacementPolicy() instanceof BraidPlacementPolicy);
    assertSettled(path);
    assertSettled(converted("/policy/g", 6));
  }

  @Test
  void withoutBraidsPlacementPolicyNoReplicaIsDropped() throws Exception {
    try (ClusterFixture plain =
        new ClusterFixture(5, 5, Map.of(POLICY, BlockPlacementPolicyDefault.class.getName()))) {
      plain.write("/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
      ConvertReport report = plain.convert("rs-3-2", "/f");
      String skipped = report.skipped().toString();
      assertTrue(skipped.contains("BlockPlacementPolicyDefault, which does not know"), skipped);
      for (BlockStatus block : plain.files("/f").get(0).blocks()) {
        assertEquals(3, block.replicas().size(), plain.safety.story(block));
        assertEquals(3, block.expected());
      }
      plain.assertReads("/f");
    }
  }

  /**
   * As one with bad memory does. HDFS takes its word for it, as a block usually has other copies.
   */
  @Test
  void goodReplicasThatAClientCallsCorruptAreKept() throws Exception {
    String path = converted("/called/f", 6);
    List<LocatedBlock> all =
        fixture.fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
    BlockStatus damaged = block(path, 5);
    flip(damaged);
    callCorrupt(all);
    Await.until("the damaged replica to be known", () -> corrupt(path).contains(5));
    assertEquals(List.of(5), corrupt(path));
    assertRepaired(path, damaged);
  }

  private static void callCorrupt(List<LocatedBlock> blocks) throws Exception {
    UserGroupInformation.createUserForTesting("eve", new String[] {"users"})
        .doAs(
            (PrivilegedExceptionAction<Boolean>)
                () -> {
                  try (DistributedFileSystem eves = fixture.hdfs.fileSystem()) {
                    for (LocatedBlock called : blocks) {
                      eves.getClient().reportBadBlocks(new LocatedBlock[] {called});
                    }
                  }
                  return true;
                });
  }

  /** As one does that a DataNode let down in the middle of a block. */
  @Test
  void whatAClientSaysOfNodesThatDoNotAnswerIsReadWhenTheyDo() throws Exception {
    String path = converted("/unanswered/f", 3);
    List<LocatedBlock> all =
        fixture.fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
    BlockStatus damaged = block(path, 2);
    flip(damaged);
    fixture.hdfs.stopNode(holder(damaged));
    fixture.hdfs.stopNode(holder(block(path, 0)));
    callCorrupt(all.subList(0, 1));
    callCorrupt(all.subList(2, 3));
    fixture.startAll();
    Await.until("the damaged replica to be known", () -> corrupt(path).contains(2));
    assertEquals(List.of(2), corrupt(path));
    assertRepaired(path, damaged);
  }

  private static void assertRepaired(String path, BlockStatus damaged) throws Exception {
    RepairReport report = fixture.repair("/", "chain");
    assertEquals(List.of(), report.unrepairable());
    assertEquals(
        List.of(damaged.block().name()), report.repaired().stream().map(Repaired::name).toList());
    assertSettled(path);
  }

  /** The numbers of a file's blocks with a corrupt replica. */
  private static List<Integer> corrupt(String path) throws IOException {
    List<Integer> corrupt = new ArrayList<>();
    List<BlockStatus> blocks = fixture.files(path).get(0).blocks();
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i).replicas().stream().anyMatch(Replica::corrupt)) {
        corrupt.add(i);
      }
    }
    return corrupt;
  }

  private static void flip(BlockStatus block) throws IOException {
    Path file =
        Path.of(
            fixture
                .hdfs
                .dataNode(holder(block))
                .getFSDataset()
                .getBlockLocalPathInfo(known(block.block()))
                .getBlockPath());
    byte[] content = Files.readAllBytes(file);
    content[content.length / 2] ^= 1;
    Files.write(file, content);
  }

  /** Parity is renamed and described while snapshots have it, and goes with none of them. */
  @Test
  void snapshotsOfEverythingWhileParityIsPublishedCostNothing() throws Exception {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");
    fixture.fs.allowSnapshot(root);
    String path = "/all/f";
    fixture.write(path, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    List<String> snapshots = new CopyOnWriteArrayList<>();
    InjectedFaults.install(
        (step, detail) -> {
          // HDFS joins no files that a snapshot has.
          if (step.compareTo(FaultStep.CONVERT_CONCATENATED) >= 0
              && step.compareTo(FaultStep.CONVERT_RELOCATED) <= 0
              && !snapshots.contains(step.name())) {
            fixture.fs.createSnapshot(root, step.name());
            snapshots.add(step.name());
          }
        });
    ConvertReport report = fixture.convert("rs-3-2", path);
    InjectedFaults.clear();
    assertTrue(snapshots.contains(FaultStep.CONVERT_PUBLISHED.name()), snapshots.toString());
    assertEquals(1, report.skipped().size(), "snapshots have the file with its replicas");
    fixture.assertReads(path);
    for (String snapshot : snapshots) {
      fixture.fs.deleteSnapshot(root, snapshot);
    }
    fixture.convertAll("rs-3-2", path);
    fixture.fs.createSnapshot(root, "converted");
    assertSettled(path);
    fixture.restartNameNode();
    assertSettled(path);
    int lost = fixture.heaviestNode();
    fixture.hdfs.stopNode(lost);
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.assertReads(path);
    fixture.fs.deleteSnapshot(root, "converted");
    fixture.fs.disallowSnapshot(root);
    fixture.startAll();
    assertSettled(path);
  }

  /** By {@code dfsadmin -reconfig} of the DataNode's directories, and by a restart with all. */
  @Test
  void aDiskThatIsTakenOutAndPutBackCostsNothing() throws Exception {
    String path = converted("/swapped/f", 6);
    DataNode node = takeOutDisk(path);
    int index = fixture.hdfs.indexOf(node.getDatanodeUuid()).orElseThrow();
    fixture.hdfs.stopNode(index);
    fixture.start(index); // with all of its disks
    assertSettled(path);
  }

  @Test
  void aDiskThatIsPutBackAtRunTimeCostsNothing() throws Exception {
    String path = converted("/returned/f", 6);
    String all = fixture.hdfs.dataNode(holder(block(path, 0))).getConf().get(VOLUMES);
    DataNode node = takeOutDisk(path);
    node.reconfigurePropertyImpl(VOLUMES, all);
    DatanodeDescriptor known = blocks().getDatanodeManager().getDatanode(node.getDatanodeUuid());
    Await.until(
        "a report of the disk after a heartbeat, without which HDFS deletes no surplus copies",
        () -> {
          fixture.reportBlocks();
          return known.getStorageInfos().length == 2
              && Arrays.stream(known.getStorageInfos())
                  .noneMatch(DatanodeStorageInfo::areBlockContentsStale);
        });
    assertSettled(path);
    assertSettled(converted("/returned/g", 6));
  }

  /** Takes out the disk with a file's first block, as it runs, and has the block rebuilt. */
  private static DataNode takeOutDisk(String path) throws Exception {
    BlockStatus lost = block(path, 0);
    DataNode node = fixture.hdfs.dataNode(holder(lost));
    String all = node.getConf().get(VOLUMES);
    String volume = node.getFSDataset().getVolume(known(lost.block())).getBaseURI().getPath();
    String rest =
        Arrays.stream(all.split(","))
            .filter(one -> !(one + "/").contains(volume.replaceAll("/$", "")))
            .collect(Collectors.joining(","));
    assertNotEquals(all, rest);
    assertFalse(rest.isEmpty(), all);
    // Not by reconfigureProperty, which locks the configuration that threads for new disks read.
    node.reconfigurePropertyImpl(VOLUMES, rest);
    Await.until("the copy to be missed", () -> block(path, 0).replicas().isEmpty());
    fixture.assertReadsDegraded(path);
    RepairReport report = fixture.repair("/", "chain");
    assertEquals(List.of(), report.unrepairable());
    assertTrue(
        report.repaired().stream().anyMatch(r -> r.name().equals(lost.block().name())),
        report.repaired().toString());
    fixture.assertReads(path);
    return node;
  }

  /** As when an operator copies a host's disks, or clears what names the DataNode. */
  @Test
  void disksThatComeBackUnderAnotherNameAreTheHomes() throws Exception {
    String path = converted("/renamed/f", 6);
    int node = fixture.heaviestNode();
    String before = fixture.hdfs.uuid(node);
    fixture.hdfs.stopNode(node);
    String after = UUID.randomUUID().toString();
    for (String volume : List.of("first", "second")) {
      Path version = fixture.hdfs.dataDirectory(node).resolve(volume + "/current/VERSION");
      Files.writeString(version, Files.readString(version).replace(before, after));
    }
    fixture.hdfs.startNode(node);
    fixture.hdfs.awaitNodes();
    assertEquals(after, fixture.hdfs.uuid(node));
    fixture.assertReads(path);
    Await.until(
        "the homes to be named anew",
        () ->
            fixture.stripes().stream()
                .flatMap(status -> status.stripe().members().stream())
                .noneMatch(member -> member.home().equals(before)));
    DatanodeDescriptor former = blocks().getDatanodeManager().getDatanode(before);
    Await.until("the former node to be taken for dead", () -> !former.isAlive());
    assertSettled(path);
    assertEquals(0, fixture.repair("/", "chain").repaired().size());
    assertSettled(path);
  }

  private static void assertReplicated(String path) throws IOException {
    assertFalse(
        fixture.fs.getFileStatus(new org.apache.hadoop.fs.Path(path)).isErasureCoded(), path);
  }

  /** Parity and what Braid notes is replicated all the same, and a file stays what it is. */
  @Test
  void whereTheRootIsErasureCodedByHdfsConversionGoesOn() throws Exception {
    String path = "/striped/f";
    fixture.write(path, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");
    fixture.fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fixture.fs.setErasureCodingPolicy(root, "XOR-2-1-1024k");
    try {
      fixture.convertAll("rs-3-2", path);
      assertSettled(path);
      for (StripeStatus status : fixture.stripes()) {
        assertReplicated(status.parityPath());
      }
      try (Cluster braid = fixture.braid()) {
        braid.policies().change("for a test", before -> before.with(new PolicySet(List.of())));
      }
      for (FileStatus policies :
          fixture.fs.listStatus(new org.apache.hadoop.fs.Path(BraidPaths.POLICIES))) {
        assertReplicated(policies.getPath().toUri().getPath());
      }
      fixture.hdfs.stopNode(fixture.heaviestNode());
      assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
      fixture.startAll();
      assertSettled(path);
      try (Cluster braid = fixture.braid()) {
        assertEquals(1, braid.restore(path, Progress.SILENT).files().size());
      }
      fixture.awaitReplicas(path, 3);
      fixture.assertReads(path);
    } finally {
      fixture.fs.unsetErasureCodingPolicy(root);
    }
  }
}
