package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.apache.hadoop.net.NetUtils;
import org.braid.code.Codes;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.testing.HeldFsck;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testing.Plugins;
import org.braid.placement.rule.StripeRules;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two NameNodes: what one promised the other one keeps. */
final class FailoverTest {
  private static final Random RANDOM = Seeds.random(FailoverTest.class);

  // With a node away HDFS would wait in safe mode for its blocks.
  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(1, 6, 12, Map.of("dfs.namenode.safemode.threshold-pct", "0.5"), 2);

  @AfterEach
  void wakeAll() throws Exception {
    fixture.startAll();
  }

  /** Stripes within a file, which the other NameNode goes on with where the first one stopped. */
  @Test
  void aFileWrittenOverAFailoverIsEncodedAsPromised() throws Exception {
    fixture.ear("/within", "rs-4-2");
    for (int before :
        new int[] {
          5 * ClusterFixture.BLOCK, 6 * ClusterFixture.BLOCK + 100, 8 * ClusterFixture.BLOCK
        }) {
      String path = "/within/" + before;
      fixture.write(path, 16 * ClusterFixture.BLOCK, 3, RANDOM, before, fixture::failOver);
      fixture.assertReads(path);
    }
    ConvertReport report = fixture.convertAll("rs-4-2", "/within");
    assertEquals(12, report.stripes());
    assertEquals(0, report.crossRackDataBlocks(), report.grouping().toString());
    assertEquals(0, report.relocatedBlocks(), report.grouping().toString());
    fixture.assertConverted("/within");
    fixture.assertTolerant("/within");
    fixture.assertClean("/within");
  }

  /** Stripes across files are kept nowhere but in the places of the blocks. */
  @Test
  void filesWrittenBeforeAndAfterAFailoverShareStripes() throws Exception {
    fixture.ear("/across", "rs-4-2,across");
    for (int i = 0; i < 30; i++) {
      if (i == 15) {
        fixture.failOver();
      }
      fixture.write("/across/" + i, 2 * ClusterFixture.BLOCK, 3, RANDOM);
    }
    ForeseenStripes foreseen =
        ForeseenStripes.of(
            fixture,
            "/across",
            nodes -> StripeRules.on(Codes.named("rs-4-2"), OptionalInt.empty(), nodes));
    ConvertReport report = fixture.convertAll("rs-4-2", "/across");
    foreseen.assertFormed(report);
    assertTrue(report.grouping().order().crossRackDataBlocks() > 10, report.grouping().toString());
    for (int i = 0; i < 30; i++) {
      fixture.assertReads("/across/" + i);
    }
    fixture.assertClean("/across");
  }

  /** The whole life of a file, each part of it under another NameNode than the one before. */
  @ParameterizedTest(name = "the first one is restarted: {0}")
  @ValueSource(booleans = {true, false})
  void whatOneNameNodeBeganTheOtherFinishes(boolean restarted) throws Exception {
    String path = "/life/f";
    fixture.write(path, 11 * ClusterFixture.BLOCK + 77, 3, RANDOM);
    takeOver(restarted);
    fixture.convertAll("rs-4-2", "/life");
    fixture.assertConverted(path);
    takeOver(restarted);
    fixture.assertReads(path);
    fixture.assertClean("/life");
    int node = fixture.homes(Movers.stripeOf(fixture, path)).get(1);
    fixture.hdfs.stopNode(node);
    fixture.assertReadsDegraded(path);
    assertEquals(List.of(), fixture.repair(path, "chain").unrepairable());
    takeOver(restarted);
    fixture.assertReads(path);
    fixture.startAll();
    fixture.reportBlocks();
    fixture.assertConverted(path);
    fixture.assertTolerant(path);
    fixture.assertClean("/life");
    try (Cluster cluster = fixture.braid()) {
      cluster.restore(path, Progress.SILENT);
    }
    takeOver(restarted);
    fixture.awaitReplicas(path, 3);
    fixture.assertReads(path);
    assertEquals(List.of(), fixture.fsck("/life").orphans());
    fixture.fs.delete(new Path("/life"), true);
  }

  private static void takeOver(boolean restarted) throws Exception {
    if (restarted) {
      fixture.failOver();
    } else {
      fixture.handOver();
    }
  }

  /** It would drop two copies of each block: the one left would be all that there is. */
  @Test
  void aNameNodeForgetsWhatItTrimmedBeforeTheOtherOneRestored() throws Exception {
    String path = "/behind/f";
    fixture.write(path, 8 * ClusterFixture.BLOCK, 3, RANDOM);
    // Its two stripes are encoded side by side: the coordinator halts when both are trimmed.
    CountDownLatch left = new CountDownLatch(2);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.CONVERT_TRIMMED) {
            left.countDown();
            Await.until("both stripes to be trimmed", () -> left.getCount() == 0);
            throw new Stopper.Halt("the coordinator halts at " + step);
          }
        });
    try {
      assertThrows(Stopper.Halt.class, () -> fixture.convertAll("rs-4-2", "/behind"));
    } finally {
      InjectedFaults.clear();
    }
    NameNode first = fixture.hdfs.nameNode();
    assertEquals(Set.of(1), aims(first, path));
    assertFalse(awaitsHomes(first, path));
    fixture.handOver();
    Await.until("its blocks to aim at 3", () -> aims(first, path), Set.of(3)::equals);
    Await.until("their homes to be awaited again", () -> awaitsHomes(first, path));
    try (Cluster cluster = fixture.braid()) {
      cluster.restore(path, Progress.SILENT);
    }
    fixture.awaitReplicas(path, 3);
    fixture.reportBlocks();
    Await.until(
        "the parity to be swept",
        () -> {
          fixture.repair("/", "chain");
          return index(fixture.hdfs.nameNode()).size() == 0;
        });
    fixture.handOver();
    assertEquals(first, fixture.hdfs.nameNode());
    fixture.reportBlocks();
    fixture.awaitReplicas(path, 3);
    assertEquals(Set.of(3), aims(first, path));
    fixture.assertReads(path);
    fixture.fs.delete(new Path("/behind"), true);
  }

  /** Stripes that lose blocks have others aim at more replicas, in memory alone, too. */
  @Test
  void aStandbyForgetsWhichBlocksItGaveReplicas() throws Exception {
    fixture.ear("/given", "rs-2-1,across");
    fixture.write("/given/gone", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/given/stays", ClusterFixture.BLOCK, 3, RANDOM);
    assertEquals(1, fixture.convertAll("rs-2-1", "/given").stripes());
    NameNode first = fixture.hdfs.nameNode();
    fixture.fs.delete(new Path("/given/gone"), false);
    Await.until(
        "the other block to aim at 3", () -> aims(first, "/given/stays"), Set.of(3)::equals);
    fixture.handOver();
    Await.until(
        "it to aim at what its file wants", () -> aims(first, "/given/stays"), Set.of(1)::equals);
    fixture.assertReads("/given/stays");
    fixture.fs.delete(new Path("/given"), true);
    fixture.repair("/", "chain");
  }

  /** Clients ask the NameNode that they asked before. */
  @Test
  void aTruncationIsMadeByTheOtherNameNode() throws Exception {
    Path path = new Path("/cut/f");
    fixture.write(path.toString(), 4 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-4-2", "/cut");
    long length = ClusterFixture.BLOCK / 2;
    assertTrue(fixture.fs.getFileStatus(path).getLen() > length);
    fixture.handOver();
    boolean done = fixture.fs.truncate(path, length);
    Await.until(
        "the file to be cut, at once: " + done,
        () -> fixture.fs.isFileClosed(path) && fixture.fs.getFileStatus(path).getLen() == length);
    fixture.fs.delete(path.getParent(), true);
    fixture.repair("/", "chain");
  }

  /** How many replicas the blocks of a file are to have, by the memory of a NameNode. */
  private static Set<Integer> aims(NameNode nameNode, String path) throws Exception {
    return Arrays.stream(
            nameNode.getNamesystem().getFSDirectory().getINode(path).asFile().getBlocks())
        .map(block -> (int) block.getReplication())
        .collect(Collectors.toSet());
  }

  /** Whether a NameNode would have each block of a file keep its copy at home. */
  private static boolean awaitsHomes(NameNode nameNode, String path) throws Exception {
    return Arrays.stream(
            nameNode.getNamesystem().getFSDirectory().getINode(path).asFile().getBlocks())
        .allMatch(block -> index(nameNode).awaitedAt(block.getBlockId()).isPresent());
  }

  /** A dashboard that asks both adds nothing up twice, if it looks at the label. */
  @Test
  void theFiguresOfAStandbySayThatTheyAreOne() throws Exception {
    fixture.write("/figures/f", 12 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-4-2", "/figures");
    String first = active();
    // Until all blocks are reported, surplus copies stay that were there before a failover.
    fixture.reportBlocks();
    awaitFigures();
    fixture.failOver();
    fixture.reportBlocks();
    awaitFigures();
    assertNotEquals(first, active());
    fixture.fs.delete(new Path("/figures"), true);
    fixture.repair("/", "chain");
  }

  /** A page of Prometheus with the figures of both NameNodes. */
  private static Scrape scrape() throws Exception {
    PrometheusMetricsSink page = new PrometheusMetricsSink();
    for (String family : List.of("", "StripesBy", "StripesWith", "Lease")) {
      List<String> names = new ArrayList<>(List.of(DaemonMetrics.SOURCE + family));
      for (NameNode nameNode : fixture.hdfs.nameNodes()) {
        String daemon = DaemonMetrics.source(nameNode.getNameNodeAddressHostPortString());
        names.add(daemon.replaceFirst(DaemonMetrics.SOURCE, DaemonMetrics.SOURCE + family));
      }
      for (String name : names) {
        MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
        if (source != null) {
          MetricsCollectorImpl collected = new MetricsCollectorImpl();
          source.getMetrics(collected, true);
          collected.getRecords().forEach(page::putMetrics);
        }
      }
    }
    page.flush();
    StringWriter text = new StringWriter();
    page.writeMetrics(text);
    return Scrape.parse(text.toString());
  }

  private static String active() throws Exception {
    return scrape().values().keySet().stream()
        .filter(series -> series.name().equals("braid_stripes"))
        .filter(series -> series.has("hastate", "active"))
        .map(series -> String.valueOf(series.labels().get("node")))
        .collect(Collectors.joining());
  }

  private static void awaitFigures() throws Exception {
    Scrape page =
        Await.until(
            "the active NameNode to know its stripes, and the standby nothing",
            FailoverTest::scrape,
            seen ->
                seen.sum("braid_stripes", "hastate", "active") >= 3
                    && seen.sum("braid_stripes_by_state", "hastate", "active", "state", "healthy")
                        == seen.sum("braid_stripes", "hastate", "active")
                    && seen.sum("braid_stripes_looked_at_seconds", "hastate", "standby") == -1);
    long stripes = page.sum("braid_stripes", "hastate", "active");
    assertEquals(0, page.sum("braid_stripes_by_state", "hastate", "standby"));
    assertEquals(0, page.sum("braid_stripes_with_spare", "hastate", "standby"));
    assertEquals(0, page.sum("braid_oldest_damage_seconds", "hastate", "standby"));
    assertEquals(0, page.sum("braid_calls_waiting", "hastate", "standby"));
    assertEquals(0, page.sum("braid_lease_held", "hastate", "standby"));
    awaitSameStripes();
    assertEquals(stripes, scrape().sum("braid_stripes", "hastate", "standby"), "it follows");
  }

  /** It follows the edit log, so that it has nothing to read when it becomes active. */
  @Test
  void theStandbyKnowsWhatIsPublishedAndDeleted() throws Exception {
    for (int i = 0; i < 3; i++) {
      fixture.write("/followed/" + i, 8 * ClusterFixture.BLOCK, 3, RANDOM);
    }
    fixture.convertAll("rs-4-2", "/followed");
    awaitSameStripes();
    fixture.fs.delete(new Path("/followed/1"), false);
    fixture.repair("/", "chain");
    awaitSameStripes();
    fixture.failOver();
    fixture.reportBlocks();
    fixture.assertConverted("/followed");
    fixture.assertClean("/followed");
    fixture.fs.delete(new Path("/followed"), true);
  }

  private static void awaitSameStripes() throws Exception {
    List<NameNode> nameNodes = fixture.hdfs.nameNodes();
    // The standby reads what is in closed parts of the log.
    fixture.hdfs.nameNode().getRpcServer().rollEditLog();
    Set<Integer> active = Set.of(index(fixture.hdfs.nameNode()).size());
    Await.until(
        "both NameNodes to know the same number of stripes",
        () -> nameNodes.stream().map(n -> index(n).size()).collect(Collectors.toSet()),
        active::equals);
  }

  private static StripeIndex index(NameNode nameNode) {
    return Plugins.of(nameNode).index();
  }

  /** One coordinator and one client without Braid over a failover. */
  @Test
  void coordinatorAndPlainClientsTurnToTheOtherNameNode() throws Exception {
    PlainClients clients = new PlainClients(fixture, RANDOM);
    String path = clients.converted("/wait", 1).get(0);
    int node = clients.holder(clients.blocks(path).get(0));
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 3_600_000).awaitWatching()) {
      fixture.failOver();
      Await.until(
          "the coordinator to turn to the other NameNode",
          () -> {
            try (Cluster cluster = fixture.braid()) {
              return cluster.status("/wait").coordination().served();
            }
          });
      clients.lose(List.of(node));
      byte[] first = Arrays.copyOf(fixture.content(path), ClusterFixture.BLOCK);
      assertArrayEquals(first, clients.pread(path, ClusterFixture.BLOCK));
      assertTrue(watch.end().demanded() > 0);
    }
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/wait", "chain").unrepairable());
    fixture.assertReads(path);
    fixture.assertClean("/wait");
    fixture.fs.delete(new Path("/wait"), true);
  }

  /**
   * What it asks for first may be lost with the connection: to ask for a lease twice is no harm.
   */
  @Test
  void aProgramThatWasConnectedBeforeTheFailoverGoesOn() throws Exception {
    fixture.write("/connected/f", 4 * ClusterFixture.BLOCK, 3, RANDOM);
    try (Cluster cluster = fixture.braid()) {
      RepairRequest request =
          new RepairRequest("/connected", "chain", 2, ClusterFixture.SLICE, 3, Progress.SILENT);
      for (int i = 0; i < 3; i++) {
        assertEquals(List.of(), cluster.repair(request).unrepairable());
        fixture.failOver();
      }
    }
    fixture.fs.delete(new Path("/connected"), true);
  }

  /** An observer may answer reads, which it answers late; it knows nothing of coordinators. */
  @Test
  void anObserverIsAskedNothing() throws Exception {
    fixture.write("/observed/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    if (fixture.hdfs.nameNodes().get(0).isActiveState()) {
      fixture.failOver(); // commands ask the first NameNode first
    }
    NameNode first = fixture.hdfs.nameNodes().get(0);
    StateChangeRequestInfo forced =
        new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED);
    first.getRpcServer().transitionToObserver(forced);
    // Clients that do not know of observers are answered from what it has read of the log.
    fixture.hdfs.nameNode().getRpcServer().rollEditLog();
    Await.until(
        "the observer to know the file",
        () -> first.getRpcServer().getFileInfo("/observed/f") != null);
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 3_600_000).awaitWatching();
        Cluster cluster = fixture.braid()) {
      fixture.convertAll("rs-2-1", "/observed");
      FsckReport report = cluster.fsck("/observed");
      assertEquals(1, report.files().size(), report.toString());
      assertTrue(cluster.status("/observed").coordination().served());
    } finally {
      first.getRpcServer().transitionToStandby(forced);
    }
    fixture.fs.delete(new Path("/observed"), true);
  }

  /** The other one is not known on a host whose configuration does not name it. */
  @Test
  void aCheckOfTheStandbyAloneSaysWhatToNameInstead() throws Exception {
    NameNode standby =
        fixture.hdfs.nameNodes().stream()
            .filter(NameNode::isStandbyState)
            .findFirst()
            .orElseThrow();
    String address = NetUtils.getHostPortString(standby.getNameNodeAddress());
    String web = NetUtils.getHostPortString(standby.getHttpAddress());
    CheckReport report =
        Braid.check(
            new Connection(
                Optional.of("hdfs://" + address),
                List.of(),
                Map.of("dfs.namenode.http-address", web)),
            List.of("rs-2-1"));
    assertFalse(report.ok());
    assertEquals(0, report.dataNodes());
    assertEquals(1, report.findings().size(), report.toString());
    assertTrue(
        report.findings().get(0).problem().startsWith("it is a standby or an observer"),
        report.toString());
    int active = fixture.hdfs.nameNode().getNameNodeAddress().getPort();
    String remedy = report.findings().get(0).remedy();
    assertTrue(remedy.startsWith("name the active NameNode: -fs hdfs://"), remedy);
    assertTrue(remedy.contains(":" + active), remedy);
  }

  /** Another NameNode that was active would not know of it, and have files converted. */
  @Test
  void aFsckThatOutlivesAFailoverDeletesNothing() throws Exception {
    NameNode first = fixture.hdfs.nameNode();
    HeldFsck.install(first);
    fixture.write("/checked/f", 4 * ClusterFixture.BLOCK, 3, RANDOM);
    StateChangeRequestInfo forced =
        new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED);
    try (HeldFsck fsck = HeldFsck.begin(first, "/checked", "delete")) {
      first.getRpcServer().transitionToStandby(forced);
      first.getRpcServer().transitionToActive(forced);
      String said = fsck.end();
      assertTrue(said.contains("Braid stops fsck"), said);
      assertTrue(said.contains("FAILED"), said);
      assertFalse(said.contains("HEALTHY"), said);
    }
    try (HeldFsck fsck = HeldFsck.begin(first, "/checked", "delete")) {
      assertTrue(fsck.end().contains("HEALTHY"));
    }
    fixture.fs.delete(new Path("/checked"), true);
  }
}
