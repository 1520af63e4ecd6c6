package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A rolling upgrade of HDFS is prepared, and finalised, or rolled back: DataNodes keep all replicas
 * that are deleted meanwhile, whoever had them deleted.
 */
final class RollingUpgradeTest {
  private static final Random RANDOM = Seeds.random(RollingUpgradeTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String CONVERTED = "/up/converted";
  private static final String RESTORED = "/up/restored";
  private static final String DELETED = "/up/deleted";
  private static final String ROTTEN = "/up/rotten";
  private static final String LATER = "/up/later";
  private static final String NEW = "/up/new";

  private ClusterFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = new ClusterFixture(5, 10);
    fixture.write(LATER, 6 * BLOCK + 9, 3, RANDOM);
  }

  /** Converts files, each by itself, so that they share no stripe. */
  private void writeConverted(String... paths) throws IOException {
    for (String path : paths) {
      fixture.write(path, 6 * BLOCK + 5, 3, RANDOM);
      fixture.convertAll("rs-3-2", path);
    }
  }

  @AfterEach
  void stop() throws Exception {
    InjectedFaults.clear();
    fixture.close();
  }

  /** As {@code hdfs dfsadmin -rollingUpgrade prepare} with one NameNode, and heard by all nodes. */
  private void prepare() throws Exception {
    fixture.fs.setSafeMode(SafeModeAction.ENTER);
    fixture.fs.rollingUpgrade(RollingUpgradeAction.PREPARE);
    String pool = fixture.hdfs.nameNode().getNamesystem().getBlockPoolId();
    Await.until(
        "all nodes to keep what is deleted",
        () ->
            IntStream.range(0, fixture.hdfs.nodes())
                .filter(fixture.hdfs::runs)
                .allMatch(node -> fixture.hdfs.dataNode(node).getFSDataset().trashEnabled(pool)));
  }

  /** The nodes with a live replica of each block of a file. */
  private Map<Long, Set<Integer>> places(String path) throws IOException {
    Map<Long, Set<Integer>> places = new TreeMap<>();
    for (BlockStatus block : fixture.files(path).get(0).blocks()) {
      places.put(
          block.block().id(),
          block.replicas().stream()
              .filter(Replica::live)
              .map(replica -> fixture.hdfs.indexOf(replica.node()).orElseThrow())
              .collect(Collectors.toCollection(TreeSet::new)));
    }
    return places;
  }

  /** The homes of the blocks of a file's stripes, of data and of parity. */
  private Map<Long, Integer> homes(String path) throws IOException {
    Map<Long, Integer> homes = new HashMap<>();
    for (StripeStatus status : fixture.stripes()) {
      if (status.members().stream().anyMatch(member -> path.equals(member.path()))) {
        status.stripe().members().stream()
            .filter(member -> !member.isVirtual())
            .forEach(
                member ->
                    homes.put(
                        member.block().id(), fixture.hdfs.indexOf(member.home()).orElseThrow()));
      }
    }
    return homes;
  }

  private void restore(String path) throws IOException {
    try (Cluster cluster = fixture.braid()) {
      RestoreReport restored = cluster.restore(path, Progress.SILENT);
      assertEquals(1, restored.files().size(), restored.toString());
    }
  }

  private void awaitInTrash(Map<Long, Integer> homes) {
    for (Map.Entry<Long, Integer> home : homes.entrySet()) {
      Await.until(
          "blk_" + home.getKey() + " to be in the trash of node " + home.getValue(),
          () -> isInTrash(home.getValue(), home.getKey()));
    }
  }

  private boolean isInTrash(int node, long block) {
    try {
      return Disks.isInTrash(fixture.hdfs, node, block);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Whatever Braid has dropped, deleted, moved or rebuilt since, all is as it was before. */
  @Test
  void aRollbackFindsAllThatWasDeletedSince() throws Exception {
    writeConverted(CONVERTED, RESTORED, DELETED, ROTTEN);
    Map<Long, Set<Integer>> replicas = places(LATER);
    Map<Long, Integer> deleted = homes(DELETED);
    Map<Long, Integer> restored = homes(RESTORED);
    restored.keySet().removeAll(places(RESTORED).keySet());
    prepare();

    fixture.convertAll("rs-3-2", LATER);
    fixture.assertConverted(LATER);
    for (Map.Entry<Long, Set<Integer>> block : places(LATER).entrySet()) {
      for (int node : replicas.get(block.getKey())) {
        if (!block.getValue().contains(node)) {
          awaitInTrash(Map.of(block.getKey(), node));
        }
      }
    }
    restore(RESTORED);
    assertTrue(fixture.fs.delete(new Path(DELETED), false));
    fixture.write(NEW, 6 * BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", NEW);
    Map.Entry<Long, Set<Integer>> rotten = places(ROTTEN).entrySet().iterator().next();
    int bad = rotten.getValue().iterator().next();
    Disks.flip(fixture.hdfs, bad, rotten.getKey(), 7);
    assertEquals(1, fixture.scrub(ROTTEN).findings().size());
    Await.until(
        "the NameNode to know that it is corrupt",
        () -> fixture.files(ROTTEN).get(0).blocks().get(0).replicas().get(0).corrupt());
    fixture.repair("/", "chain");
    awaitInTrash(deleted);
    awaitInTrash(restored);
    awaitInTrash(Map.of(rotten.getKey(), bad));
    // Blocks of the stripes get other homes, of which the image knows nothing.
    int lost = fixture.heaviestNode();
    fixture.hdfs.stopNode(lost);
    fixture.hdfs.awaitDead(lost);
    fixture.repair("/", "chain");
    List<String> files = List.of(CONVERTED, RESTORED, ROTTEN, LATER);
    for (String path : files) {
      fixture.assertReads(path);
    }
    fixture.hdfs.rollBack();
    assertFalse(fixture.fs.exists(new Path(NEW)));
    // What is there again HDFS may have copied, too; what was deleted is nowhere but in the trash.
    fixture.awaitReplicas(LATER, 3);
    List<String> all = new ArrayList<>(files);
    all.add(DELETED);
    for (String path : all) {
      fixture.assertReads(path);
      fixture.assertTolerant(path);
    }
    for (String path : List.of(CONVERTED, RESTORED, DELETED, ROTTEN)) {
      fixture.assertConverted(path);
    }
    fixture.repair("/", "chain");
    fixture.assertClean("/");
    assertTrue(fixture.scrub("/").ok());
    // HDFS gives numbers of blocks out again; nodes that have one yet to delete take no new one.
    Await.until(
        "the file to be converted", () -> fixture.convert("rs-3-2", LATER).skipped().isEmpty());
    fixture.assertConverted(LATER);
    for (String path : all) {
      fixture.assertReads(path);
      fixture.assertTolerant(path);
    }
    fixture.assertClean("/");
  }

  /** The replicas that a conversion drops take room until the upgrade is finalised. */
  @Test
  void finalizingFreesTheRoom() throws Exception {
    assertFalse(tellsOfUpgrade());
    prepare();
    assertTrue(tellsOfUpgrade());
    assertTrue(fixture.convertAll("rs-3-2", LATER).rollingUpgrade());
    fixture.assertConverted(LATER);
    Await.until("trash", () -> nodesWithTrash() > 0);
    // Back to another release, or on to it: the DataNodes keep their trash over a restart.
    fixture.hdfs.restartWithBraid();
    fixture.assertReads(LATER);
    assertTrue(nodesWithTrash() > 0);
    fixture.fs.rollingUpgrade(RollingUpgradeAction.FINALIZE);
    Await.until("no trash", () -> nodesWithTrash() == 0);
    assertFalse(tellsOfUpgrade());
    fixture.assertReads(LATER);
    fixture.assertTolerant(LATER);
    fixture.assertClean("/");
  }

  /** Whether what users look at before they convert says that replicas are kept. */
  private boolean tellsOfUpgrade() throws IOException {
    try (Cluster cluster = fixture.braid()) {
      boolean told = cluster.status("/").rollingUpgrade();
      assertEquals(told, cluster.status("/up").rollingUpgrade());
      ConvertPreview preview = cluster.preview(ClusterFixture.request("rs-3-2", LATER));
      assertEquals(told, preview.rollingUpgrade());
      return told;
    }
  }

  /** What policies convert would only take room; they go on by themselves afterwards. */
  @Test
  void policiesWaitForTheEnd() throws Exception {
    prepare();
    Policy policy = Policy.of("all", true, Action.CONVERT, Map.of("path", "/up", "code", "rs-3-2"));
    try (Cluster cluster = fixture.braid()) {
      cluster
          .policies()
          .change("for a test", before -> before.with(new PolicySet(List.of(policy))));
    }
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 3_600_000)) {
      watch.await("policy all waits: a rolling upgrade of HDFS goes on");
      assertEquals(3, fixture.files(LATER).get(0).replication());
      fixture.fs.rollingUpgrade(RollingUpgradeAction.FINALIZE);
      watch.await("policy all: 1 file converted");
      fixture.assertConverted(LATER);
    }
  }

  private long nodesWithTrash() {
    return IntStream.range(0, fixture.hdfs.nodes())
        .filter(
            node -> {
              try {
                return Disks.hasTrash(fixture.hdfs, node);
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            })
        .count();
  }

  /**
   * HDFS keeps nothing of what was before an append: it calls replicas of the later generation
   * corrupt, with Braid and without. Blocks of stripes are there again.
   */
  @Test
  void whatWasAppendedSinceIsTakenBackWhereItWasConverted() throws Exception {
    writeConverted(CONVERTED);
    prepare();
    for (String path : List.of(CONVERTED, LATER)) {
      try (FSDataOutputStream out = fixture.fs.append(new Path(path))) {
        out.write(new byte[100]);
      }
    }
    fixture.hdfs.rollBack();
    List<BlockStatus> blocks = fixture.files(LATER).get(0).blocks();
    assertTrue(
        blocks.get(blocks.size() - 1).replicas().stream().allMatch(Replica::corrupt),
        "HDFS takes appends back: say so in OPERATIONS.md");
    assertTrue(fixture.fs.delete(new Path(LATER), false));
    fixture.repair("/", "chain");
    assertArrayEquals(fixture.content(CONVERTED), ClusterFixture.read(fixture.fs, CONVERTED));
    fixture.assertTolerant(CONVERTED);
    fixture.assertClean("/");
  }

  /** What the image has of a conversion is finished after the rollback, wherever it stood. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "CONVERT_CONCATENATED",
        "CONVERT_DESCRIBED",
        "CONVERT_PUBLISHED",
        "CONVERT_TRIMMED",
        "CONVERT_PERSISTED"
      })
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void aConversionIsHalfDoneWhenTheUpgradeIsPrepared(FaultStep step) throws Exception {
    Stopper stopper = new Stopper(fixture.hdfs, step, FaultCases.Stop.COORDINATOR);
    InjectedFaults.install(stopper);
    assertThrows(Stopper.Halt.class, () -> fixture.convert("rs-3-2", LATER));
    InjectedFaults.clear();
    prepare();
    fixture.convertAll("rs-3-2", LATER);
    fixture.assertConverted(LATER);
    fixture.hdfs.rollBack();
    fixture.assertReads(LATER);
    fixture.assertTolerant(LATER);
    fixture.convertAll("rs-3-2", LATER);
    fixture.assertConverted(LATER);
    fixture.assertReads(LATER);
    fixture.assertClean("/");
  }
}
