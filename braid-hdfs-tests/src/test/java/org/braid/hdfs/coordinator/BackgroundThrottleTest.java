package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.Span;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.api.view.ThrottleView;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work in the background keeps to the throttle, as the bytes show that workers sent. */
final class BackgroundThrottleTest {
  private static final Random RANDOM = Seeds.random(BackgroundThrottleTest.class);
  private static final int BLOCK = 1 << 20;
  private static final long CAP = 8 << 20;
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(8, 8);
  private Cluster cluster;

  @BeforeEach
  void connect() throws Exception {
    cluster = fixture.braid();
  }

  @AfterEach
  void disconnect() throws Exception {
    fixture.startAll();
    var unused = cluster.throttle().clear();
    cluster.close();
    fixture.deleteAll();
  }

  private static void write(String path, int blocks) throws IOException {
    byte[] block = new byte[BLOCK];
    try (FSDataOutputStream out =
        fixture.fs.create(new Path(path), true, 64 << 10, (short) 3, BLOCK)) {
      for (int i = 0; i < blocks; i++) {
        RANDOM.nextBytes(block);
        out.write(block);
      }
    }
    fixture.awaitReplicas(path, 3);
  }

  private ConvertReport convert(String code, String path) throws IOException {
    ConvertReport report =
        cluster.convert(
            new ConvertRequest(
                List.of(path),
                code,
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                1,
                ConvertRequest.Method.DEFAULT,
                8,
                128 << 10,
                7,
                Progress.SILENT));
    assertEquals(List.of(), report.skipped());
    return report;
  }

  private RepairReport repair() throws IOException {
    return cluster.repair(new RepairRequest("/", "chain", 8, 128 << 10, 11, Progress.SILENT));
  }

  private static CompletableFuture<RepairReport> later(Cluster cluster) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return cluster.repair(
                new RepairRequest("/", "chain", 8, 128 << 10, 11, Progress.SILENT));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        task -> new Thread(task).start());
  }

  /** Sets a limit and waits until it holds: who works reads it once a second. */
  private void limit(String key, long bytes) throws Exception {
    assertTrue(cluster.throttle().set(Map.of(key, Long.toString(bytes))).inForce());
    Thread.sleep(1100);
  }

  /** Plans ran from the first of some spans on until the last of them was over. */
  private static double seconds(List<Span> spans, String step) {
    List<Span> some = spans.stream().filter(span -> span.lane().equals(step)).toList();
    return some.stream().mapToDouble(Span::endSeconds).max().orElseThrow()
        - some.stream().mapToDouble(Span::startSeconds).min().orElseThrow();
  }

  private static double assertKeeps(Traffic traffic, double seconds) {
    double rate = (traffic.crossRackBytes() + traffic.inRackBytes()) / seconds;
    assertTrue(rate <= CAP, rate + " bytes a second");
    return rate;
  }

  /**
   * How much of a limit is used depends on what else the machine does, so that only a machine that
   * does nothing else is asked. ThrottlesTest and FairRatesTest show what plans are granted.
   */
  private static void assertUses(Traffic traffic, double seconds) {
    double rate = assertKeeps(traffic, seconds);
    assertTrue(rate >= 0.3 * CAP, rate + " bytes a second of " + CAP);
  }

  /** The bytes of a counter over all workers. */
  private static long counted(String name) {
    Map<String, Long> sums = new TreeMap<>();
    for (int i = 0; i < fixture.hdfs.nodes(); i++) {
      if (fixture.hdfs.runs(i)) {
        String source = DaemonMetrics.source(fixture.hdfs.dataNode(i).getDisplayName());
        MetricsCollectorImpl collected = new MetricsCollectorImpl();
        DefaultMetricsSystem.instance().getSource(source).getMetrics(collected, true);
        for (AbstractMetric metric : collected.getRecords().get(0).metrics()) {
          sums.merge(metric.name(), metric.value().longValue(), Long::sum);
        }
      }
    }
    return sums.getOrDefault(name, 0L);
  }

  @Test
  void conversionKeepsToTheLimitOfTheCluster() throws Exception {
    write("/c/f", 64);
    limit("cluster", CAP);
    long sent = counted("ConversionBytesSent");
    ConvertReport report = convert("rs-4-2", "/c/f");
    Traffic traffic = report.encoding().plus(report.relocation());
    assertKeeps(report.encoding(), seconds(report.spans(), "encode"));
    assertEquals(
        traffic.crossRackBytes() + traffic.inRackBytes(), counted("ConversionBytesSent") - sent);
    assertEquals(CAP, cluster.status("/").throttle().cluster());
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void conversionUsesItsLimit() throws Exception {
    write("/c/used", 64);
    limit("cluster", CAP);
    ConvertReport report = convert("rs-4-2", "/c/used");
    assertUses(report.encoding(), seconds(report.spans(), "encode"));
  }

  @Test
  void repairKeepsToTheLimitAndAChangeTakesEffectWhileItRuns() throws Exception {
    write("/r/f", 64);
    convert("rs-4-2", "/r/f");
    fixture.hdfs.stopNode(fixture.heaviestNode());
    limit("cluster", CAP / 8);
    long before = counted("RepairBytesSent");
    CompletableFuture<RepairReport> repair = later(cluster);
    Await.until("the first bytes", () -> counted("RepairBytesSent") > before);
    Await.stays("the repair's end", Duration.ofSeconds(1), false, repair::isDone);
    limit("cluster", CAP);
    RepairReport report = repair.get(120, TimeUnit.SECONDS);
    assertEquals(List.of(), report.unrepairable());
    Traffic traffic = report.traffic();
    double rate = (traffic.crossRackBytes() + traffic.inRackBytes()) / report.seconds();
    assertTrue(rate <= CAP, rate + " bytes a second");
    assertTrue(rate > CAP / 8, "it went on slowly: " + rate);
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void repairUsesItsLimit() throws Exception {
    write("/u/f", 160);
    convert("rs-4-2", "/u/f");
    fixture.hdfs.stopNode(fixture.heaviestNode());
    limit("cluster", CAP);
    RepairReport report = repair();
    assertEquals(List.of(), report.unrepairable());
    assertUses(report.traffic(), seconds(report.spans(), "rebuild"));
  }

  @Test
  void readersThatWaitAreServedWhileTheThrottleStopsRepair() throws Exception {
    write("/w/f", 16);
    convert("rs-4-2", "/w/f");
    fixture.hdfs.stopNode(fixture.homes(fixture.stripes().get(0)).get(0));
    limit("cluster", 0);
    limit("disk", 0);
    assertEquals("disk, cluster", cluster.throttle().show().stopped());
    CompletableFuture<RepairReport> repair = later(cluster);
    Await.stays("the repair waits", Duration.ofSeconds(3), false, repair::isDone);
    long since = System.nanoTime();
    try (var plain = fixture.hdfs.fileSystem()) {
      assertEquals(16 * BLOCK, ClusterFixture.read(plain, "/w/f").length);
    }
    assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since) < 40);
    var unused = cluster.throttle().clear();
    assertEquals(List.of(), repair.get(60, TimeUnit.SECONDS).unrepairable());
  }

  @Test
  void aStripeWithoutASpareBlockIsRepairedWhateverTheThrottle() throws Exception {
    write("/n/f", 8);
    convert("rs-2-1", "/n/f");
    fixture.hdfs.stopNode(fixture.homes(fixture.stripes().get(0)).get(0));
    limit("node", 0);
    RepairReport report = repair();
    assertTrue(report.repaired().size() > 0);
    assertEquals(List.of(), report.unrepairable());
  }

  /** Whether a block of a file has no copy that can be read. */
  private static boolean lacks(String path) throws IOException {
    return fixture.files(path).get(0).blocks().stream()
        .anyMatch(block -> block.replicas().stream().noneMatch(replica -> replica.live()));
  }

  /** A node of a stripe without a spare block dies while a command is held back. */
  private static void assertRepairedBeside(String path, CompletableFuture<?> command)
      throws Exception {
    int dead = fixture.homes(fixture.stripes().get(0)).get(0);
    fixture.hdfs.stopNode(dead);
    Await.until(
        "the stripe without a spare block to be repaired beside the command",
        () -> fixture.homes(fixture.stripes().get(0)).get(0) != dead);
    assertFalse(command.isDone(), "the command was to be held back");
    assertFalse(lacks(path));
  }

  private CompletableFuture<ConvertReport> converting(String path) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return convert("rs-4-2", path);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        task -> new Thread(task).start());
  }

  private void awaitAtWork(String command) throws IOException {
    Await.until(
        command + " to hold the lease",
        () -> cluster.status("/").coordination().coordinator(),
        holder -> holder.startsWith(command));
  }

  private void assertConvertsOnceItMay(CompletableFuture<ConvertReport> conversion, String path)
      throws Exception {
    var unused = cluster.throttle().clear();
    assertEquals(1, conversion.get(120, TimeUnit.SECONDS).files().size());
    fixture.assertConverted(path);
    fixture.assertTolerant(path);
  }

  @Test
  void aConversionThatTheThrottleStopsKeepsNoStripeWithoutASpareBlockWaiting() throws Exception {
    write("/stopped/n", 2);
    convert("rs-2-1", "/stopped/n");
    write("/stopped/f", 8);
    limit("cluster", 0);
    limit("disk", 0);
    CompletableFuture<ConvertReport> conversion = converting("/stopped/f");
    awaitAtWork("convert");
    assertRepairedBeside("/stopped/n", conversion);
    assertConvertsOnceItMay(conversion, "/stopped/f");
  }

  @Test
  void aConversionThatTheThrottleSlowsKeepsNoStripeWithoutASpareBlockWaiting() throws Exception {
    write("/slow/n", 2);
    convert("rs-2-1", "/slow/n");
    write("/slow/f", 16);
    limit("cluster", 64 << 10);
    CompletableFuture<ConvertReport> conversion = converting("/slow/f");
    awaitAtWork("convert");
    assertRepairedBeside("/slow/n", conversion);
    assertConvertsOnceItMay(conversion, "/slow/f");
  }

  /** What a policy asks for waits for the throttle; a stripe gets worse meanwhile. */
  @Test
  void aPolicyThatTheThrottleStopsKeepsNoStripeWithoutASpareBlockWaiting() throws Exception {
    write("/policy/n", 2);
    convert("rs-2-1", "/policy/n");
    write("/policy/f", 8);
    limit("cluster", 0);
    limit("disk", 0);
    Policy cold =
        Policy.of("cold", true, Action.CONVERT, Map.of("path", "/policy/f", "code", "rs-4-2"));
    cluster.policies().change("for a test", before -> before.with(new PolicySet(List.of(cold))));
    try (WatchingCoordinator watch =
        new WatchingCoordinator(fixture, 300, RepairPolicy.CONFIGURED).awaitWatching()) {
      Await.stays(
          "the file stays replicated",
          Duration.ofSeconds(3),
          3,
          () -> fixture.files("/policy/f").get(0).replication());
      int dead = fixture.homes(fixture.stripes().get(0)).get(0);
      fixture.hdfs.stopNode(dead);
      Await.until(
          "the stripe without a spare block to be repaired beside the policy",
          () -> fixture.homes(fixture.stripes().get(0)).get(0) != dead);
      assertEquals(3, fixture.files("/policy/f").get(0).replication());
      assertFalse(lacks("/policy/n"));
      var unused = cluster.throttle().clear();
      Await.until(
          "the policy to be carried out",
          () -> fixture.files("/policy/f").get(0).replication(),
          replication -> replication == 1);
      assertEquals(1, watch.end().repaired(), watch.journal.toString());
    } finally {
      fixture.fs.delete(new Path(BraidPaths.POLICIES), true);
    }
  }

  /** What it found first waits for the throttle; another stripe gets worse meanwhile. */
  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void aRepairThatTheThrottleStopsKeepsNoStripeWithoutASpareBlockWaiting() throws Exception {
    write("/worse/f", 8);
    convert("rs-4-2", "/worse/f");
    List<Integer> homes = fixture.homes(fixture.stripes().get(0));
    limit("cluster", 0);
    limit("disk", 0);
    fixture.hdfs.stopNode(homes.get(0));
    Await.until("a block without a copy", () -> lacks("/worse/f"));
    CompletableFuture<RepairReport> repair = later(cluster);
    awaitAtWork("repair");
    Await.stays("the repair waits", Duration.ofSeconds(3), false, repair::isDone);
    fixture.hdfs.stopNode(homes.get(1));
    Await.until(
        "what the second node had is rebuilt",
        () -> !fixture.homes(fixture.stripes().get(0)).contains(homes.get(1)));
    var unused = cluster.throttle().clear();
    assertEquals(List.of(), repair.get(60, TimeUnit.SECONDS).unrepairable());
  }

  @Test
  void aShareThatIsTakenBackIsTheDefaultOne() throws Exception {
    ThrottleView set = cluster.throttle().set(Map.of("repair-share", "0.5"));
    assertEquals(0.5, set.repairShare());
    assertEquals(ThrottleView.Source.SET, set.sources().get("repair_share"));
    ThrottleView taken = cluster.throttle().set(Map.of("repair-share", "none"));
    assertEquals(0.7, taken.repairShare());
    assertEquals(ThrottleView.Source.DEFAULT, taken.sources().get("repair_share"));
  }

  @Test
  void whatCannotBeIsRefusedAndChangesNothing() throws Exception {
    limit("node", CAP);
    assertThrows(IllegalArgumentException.class, () -> cluster.throttle().set(Map.of("node", "7")));
    assertEquals(CAP, cluster.throttle().show().node());
    assertEquals(null, cluster.throttle().clear().node());
  }
}
