package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveStats;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DiskBalancerWorkStatus;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.diskbalancer.datamodel.DiskBalancerVolume;
import org.apache.hadoop.hdfs.server.diskbalancer.planner.MoveStep;
import org.apache.hadoop.hdfs.server.diskbalancer.planner.NodePlan;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.FileTrees;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HDFS's disk balancer, cache, and ways to bring a NameNode's files back cost converted files
 * nothing.
 */
@Timeout(300)
final class StockOperationsTest {
  private static final Random RANDOM = Seeds.random(StockOperationsTest.class);
  private static final String PATH = "/operated/f";
  private static ClusterFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    // No memory is locked: that needs rights and Hadoop's native library.
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    fixture =
        new ClusterFixture(
            6,
            8,
            Map.of(
                DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
                "[DISK]first,[DISK]second",
                DFSConfigKeys.DFS_DATANODE_MAX_LOCKED_MEMORY_KEY,
                "1048576",
                DFSConfigKeys.DFS_CACHEREPORT_INTERVAL_MSEC_KEY,
                "300",
                DFSConfigKeys.DFS_NAMENODE_PATH_BASED_CACHE_RETRY_INTERVAL_MS,
                "500",
                DFSConfigKeys.DFS_NAMENODE_PATH_BASED_CACHE_REFRESH_INTERVAL_MS,
                "500"));
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.CacheManipulator());
  }

  @AfterEach
  void clear() throws Exception {
    fixture.startAll();
    fixture.deleteAll();
    fixture.repair("/", "chain");
  }

  private static void write() throws IOException {
    fixture.write(PATH, 6 * ClusterFixture.BLOCK - 100, 3, RANDOM);
  }

  private static void convert() throws IOException {
    write();
    fixture.convertAll("rs-3-2", PATH);
    fixture.assertConverted(PATH);
  }

  /** Each block has one copy, at home, by the rule, and all can be read. */
  private static void assertSettled() throws IOException {
    fixture.assertReads(PATH);
    fixture.assertConverted(PATH);
    fixture.assertTolerant(PATH);
    fixture.assertClean(PATH);
  }

  private static ExtendedBlock known(BlockIdentity block) {
    return new ExtendedBlock(
        fixture.hdfs.nameNode().getNamesystem().getBlockPoolId(),
        block.id(),
        block.length(),
        block.generation());
  }

  /** By {@code hdfs diskbalancer -execute}; what is pinned is pinned to its node, not to a disk. */
  @Test
  void theDiskBalancerMovesBlocksOfStripesWithinTheirNodes() throws Exception {
    convert();
    StripeStatus stripe = Movers.stripeOf(fixture, PATH);
    for (int position : new int[] {0, 4}) {
      BlockIdentity block = stripe.stripe().member(position).block();
      int home = fixture.homes(stripe).get(position);
      assertTrue(Movers.isPinned(fixture, block, home));
      if (position == 4) {
        Movers.unpin(fixture, block, home);
      }
      DataNode node = fixture.hdfs.dataNode(home);
      String before = node.getFSDataset().getVolume(known(block)).getStorageID();
      balance(node, before);
      assertNotEquals(before, node.getFSDataset().getVolume(known(block)).getStorageID());
    }
    assertSettled();
    assertEquals(List.of(), fixture.scrub("/").findings());
    assertEquals(List.of(), fixture.repair("/", "chain").repaired());
    int lost = fixture.homes(stripe).get(1);
    fixture.hdfs.stopNode(lost);
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.startAll();
    assertSettled();
    fixture.restartNameNode();
    assertSettled();
  }

  /** Moves all blocks of a node's disk to its other disk. */
  private static void balance(DataNode node, String from) throws Exception {
    DiskBalancerVolume source = null;
    DiskBalancerVolume target = null;
    try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        DiskBalancerVolume described = new DiskBalancerVolume();
        described.setUuid(volume.getStorageID());
        described.setPath(volume.getBaseURI().getPath());
        described.setStorageType(volume.getStorageType().name());
        if (volume.getStorageID().equals(from)) {
          source = described;
        } else {
          target = described;
        }
      }
    }
    MoveStep step = new MoveStep(source, 0.5f, target, 1 << 20, "disks");
    step.setBandwidth(1000);
    NodePlan plan = new NodePlan("localhost", node.getIpcPort());
    plan.setNodeUUID(node.getDatanodeUuid());
    plan.setVolumeSetPlans(List.of(step));
    plan.setTimeStamp(System.currentTimeMillis());
    String text = plan.toJson();
    node.submitDiskBalancerPlan(DigestUtils.sha1Hex(text), 1, "plan", text, false);
    Await.until(
        "the disks to be balanced",
        () -> node.queryDiskBalancerPlan().getResult() == DiskBalancerWorkStatus.Result.PLAN_DONE);
  }

  /** By {@code hdfs cacheadmin}. */
  @Test
  void cachedBlocksOfStripesAreReadRebuiltAndCachedAgain() throws Exception {
    convert();
    fixture.fs.addCachePool(new CachePoolInfo("pool"));
    long directive =
        fixture.fs.addCacheDirective(
            new CacheDirectiveInfo.Builder()
                .setPath(new org.apache.hadoop.fs.Path(PATH))
                .setPool("pool")
                .setReplication((short) 1)
                .build());
    try {
      Await.until("the file to be cached", () -> cached().getFilesCached() == 1);
      assertSettled();
      BlockStatus lost = fixture.files(PATH).get(0).blocks().get(2);
      fixture.hdfs.stopNode(fixture.hdfs.indexOf(lost.replicas().get(0).node()).orElseThrow());
      fixture.assertReadsDegraded(PATH);
      assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
      fixture.assertReads(PATH);
      // The NameNode may list the copy on the node that has stopped beside it for a while.
      String holder =
          Movers.stripeOf(fixture, PATH, 2).stripe().members().stream()
              .filter(member -> member.isBlock(lost.block().id()))
              .findFirst()
              .orElseThrow()
              .home();
      Await.until("the rebuilt block to be cached", () -> caching(2).contains(holder));
      fixture.startAll();
      assertSettled();
    } finally {
      fixture.fs.removeCacheDirective(directive);
      fixture.fs.removeCachePool("pool");
    }
    assertSettled();
  }

  /** The nodes that have a block of the file in memory, as clients are told. */
  private static List<String> caching(int block) throws IOException {
    LocatedBlock located = fixture.fs.getClient().getLocatedBlocks(PATH, 0).get(block);
    return Arrays.stream(located.getCachedLocations()).map(DatanodeInfo::getDatanodeUuid).toList();
  }

  private static CacheDirectiveStats cached() throws IOException {
    RemoteIterator<CacheDirectiveEntry> all =
        fixture.fs.listCacheDirectives(new CacheDirectiveInfo.Builder().build());
    return all.next().getStats();
  }

  private static Path nameDirectory() {
    return fixture.hdfs.dataDirectory(0).resolveSibling("name");
  }

  private static void save() throws IOException {
    fixture.fs.setSafeMode(SafeModeAction.ENTER);
    fixture.fs.saveNamespace();
    fixture.fs.setSafeMode(SafeModeAction.LEAVE);
  }

  /** By {@code hdfs namenode -importCheckpoint}, after the loss of the NameNode's directory. */
  @Test
  void stripesComeBackWithACheckpoint() throws Exception {
    convert();
    save();
    Path checkpoint = nameDirectory().resolveSibling("checkpoint");
    copy(nameDirectory(), checkpoint);
    fixture.hdfs.stopNameNode();
    FileTrees.delete(nameDirectory().resolve("current"));
    fixture.hdfs.restartNameNode("-importCheckpoint");
    assertSettled();
    fixture.hdfs.stopNode(fixture.heaviestNode());
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.startAll();
    fixture.restartNameNode();
    assertSettled();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!file.endsWith("in_use.lock")) {
          Files.copy(file, target);
        }
      }
    }
  }

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** What marks the end of a segment of the edit log: a code, a length, a number and a checksum. */
  private static final int END_BYTES = 17;

  /** All but the mark of its end can be read. */
  @Test
  void stripesSurviveTheRecoveryOfADamagedEditLog() throws Exception {
    write();
    save();
    fixture.convertAll("rs-3-2", PATH);
    recover(edits -> edits - END_BYTES / 2);
    assertFalse(fixture.stripes().isEmpty());
    assertEquals(1, fixture.files(PATH).get(0).replication());
    assertSettled();
  }

  /**
   * Stripes and dropped replicas are forgotten, of all steps of the conversion or the later ones:
   * HDFS replicates the blocks again.
   */
  @ParameterizedTest
  @ValueSource(ints = {30, 60, 90})
  void filesSurviveTheLossOfTransactionsOfTheirConversion(int percent) throws Exception {
    write();
    save();
    fixture.convertAll("rs-3-2", PATH);
    recover(edits -> (edits - END_BYTES) * percent / 100);
    assertEquals(3, fixture.files(PATH).get(0).replication(), "it is forgotten");
    fixture.assertReads(PATH);
    fixture.repair("/", "chain");
    fixture.awaitReplicas(PATH, 3);
    fixture.convertAll("rs-3-2", PATH);
    assertSettled();
  }

  /**
   * By {@code hdfs namenode -recover}, which drops what of the edit log cannot be read.
   *
   * @param kept of so many bytes of the last segment how many are left
   */
  private static void recover(IntUnaryOperator kept) throws Exception {
    fixture.hdfs.stopNameNode();
    Path log = lastLog();
    byte[] edits = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(edits, kept.applyAsInt(edits.length)));
    Configuration conf = fixture.hdfs.configuration();
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, nameDirectory().toUri().toString());
    InputStream in = System.in;
    System.setIn(new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8)));
    try {
      assertNull(NameNode.createNameNode(new String[] {"-recover", "-force"}, conf));
    } finally {
      System.setIn(in);
    }
    restart();
    fixture.assertReads(PATH);
  }

  /**
   * Starts the NameNode. It does not leave safe mode by itself where DataNodes have replicas of
   * later generations than it knows: the administrator has to say that these may go.
   */
  private static void restart() throws Exception {
    FutureTask<Boolean> restarted =
        new FutureTask<>(
            () -> {
              fixture.hdfs.restartNameNode();
              return true;
            });
    Thread thread = new Thread(restarted, "test-restart");
    thread.setDaemon(true);
    thread.start();
    Await.until(
        "the NameNode to leave safe mode, or to say why not",
        PATIENCE,
        () -> restarted.isDone() || isBehind());
    if (!restarted.isDone()) {
      fixture.fs.setSafeMode(SafeModeAction.FORCE_EXIT);
    }
    assertTrue(restarted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  private static boolean isBehind() {
    try {
      return fixture.fs.getBytesWithFutureGenerationStamps() > 0;
    } catch (IOException e) {
      return false; // it is being started
    }
  }

  private static Path lastLog() throws IOException {
    try (Stream<Path> files = Files.list(nameDirectory().resolve("current"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("edits_\\d+-\\d+"))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }
}
