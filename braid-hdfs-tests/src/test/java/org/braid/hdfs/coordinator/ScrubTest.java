package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.ScrubReport;
import org.braid.hdfs.api.ScrubReport.Kind;
import org.braid.hdfs.api.ScrubRequest;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.BrokenReplicas;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scrubs find every bad replica, have HDFS know of it, and find nothing where nothing is bad. */
final class ScrubTest {
  private static final Random RANDOM = Seeds.random(ScrubTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final int CHANGES_SECONDS = Boolean.getBoolean("braid.long") ? 60 : 5;

  // HDFS's own scanner would find some of it, too.
  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(5, 10, Map.of("dfs.datanode.scan.period.hours", "-1"));

  @AfterEach
  void heal() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.deleteAll();
    fixture.repair("/", "chain");
    assertEquals(List.of(), fixture.stripes());
    Path root = new Path(BraidPaths.ROOT);
    if (fixture.fs.getXAttrs(root).containsKey(BraidPaths.SCRUB_XATTR)) {
      fixture.fs.removeXAttr(root, BraidPaths.SCRUB_XATTR);
    }
  }

  private static void converted(String code, String path, int blocks) throws IOException {
    fixture.write(path, blocks * BLOCK, 3, RANDOM);
    fixture.convertAll(code, path);
    fixture.assertConverted(path);
  }

  private static int blocks() throws IOException {
    return fixture.stripes().stream().mapToInt(s -> s.stripe().blocks().size()).sum();
  }

  private static int home(Member member) {
    return fixture.hdfs.indexOf(member.home()).orElseThrow();
  }

  /** What is done to a replica, and what a scrub calls it. */
  private enum Fault {
    FLIPPED(Kind.CHECKSUM),
    FLIPPED_UNSEEN(Kind.CONTENT),
    CHECKSUM_FLIPPED(Kind.CHECKSUM),
    TRUNCATED(Kind.TRUNCATED),
    CHECKSUM_TRUNCATED(Kind.TRUNCATED),
    DELETED(Kind.MISSING),
    CHECKSUM_DELETED(Kind.MISSING),
    FORGOTTEN(Kind.ABSENT),
    DISK_ERROR(Kind.UNREADABLE);

    private final Kind kind;

    Fault(Kind kind) {
      this.kind = kind;
    }

    void inject(int node, BlockIdentity block) throws IOException {
      int offset = RANDOM.nextInt((int) block.length());
      switch (this) {
        case FLIPPED -> BrokenReplicas.flip(fixture.hdfs, node, block, offset);
        case FLIPPED_UNSEEN -> BrokenReplicas.flipUnseen(fixture.hdfs, node, block, offset);
        case CHECKSUM_FLIPPED -> BrokenReplicas.flipChecksum(fixture.hdfs, node, block);
        case TRUNCATED -> BrokenReplicas.truncate(fixture.hdfs, node, block);
        case CHECKSUM_TRUNCATED -> BrokenReplicas.truncateChecksum(fixture.hdfs, node, block);
        case DELETED -> BrokenReplicas.delete(fixture.hdfs, node, block);
        case CHECKSUM_DELETED -> BrokenReplicas.deleteChecksum(fixture.hdfs, node, block);
        case FORGOTTEN -> BrokenReplicas.forget(fixture.hdfs, node, block);
        case DISK_ERROR ->
            DISK_ERRORS.put("blk_" + block.id(), fixture.hdfs.dataNode(node).getDisplayName());
      }
    }
  }

  private static final Map<String, String> DISK_ERRORS = new ConcurrentHashMap<>();

  private static void failingDisks(FaultStep step, String detail) throws IOException {
    if (step == FaultStep.WORKER_READ) {
      for (Map.Entry<String, String> bad : DISK_ERRORS.entrySet()) {
        if (detail.startsWith(bad.getKey() + "_") && detail.endsWith(bad.getValue())) {
          throw new IOException("Input/output error");
        }
      }
    }
  }

  /** Two faults a stripe, which is what its code survives, of data and parity. */
  @Test
  void hundredOfAHundredFaultsAreFoundAndRepaired() throws Exception {
    converted("rs-3-2", "/plain/f", 75);
    converted("rotated-rs-3-2-4", "/sub/f", 75);
    DISK_ERRORS.clear();
    InjectedFaults.install(ScrubTest::failingDisks);
    List<StripeStatus> stripes = fixture.stripes();
    assertEquals(50, stripes.size());
    Map<String, Kind> injected = new TreeMap<>();
    for (StripeStatus status : stripes) {
      List<Integer> positions = new ArrayList<>(List.of(0, 1, 2, 3, 4));
      Collections.shuffle(positions, RANDOM);
      for (int position : positions.subList(0, 2)) {
        Member member = status.stripe().member(position);
        Fault fault = Fault.values()[injected.size() % Fault.values().length];
        fault.inject(home(member), member.block());
        injected.put(member.block().name(), fault.kind);
      }
    }
    assertEquals(100, injected.size());
    ScrubReport report = fixture.scrub("/");
    Map<String, Kind> found = new TreeMap<>();
    report.findings().forEach(finding -> found.put(finding.block(), finding.kind()));
    assertEquals(injected, found);
    assertEquals(100, report.findings().size());
    assertEquals(50, report.stripes());
    assertEquals(List.of(), report.unchecked());
    assertTrue(report.complete());
    assertFalse(report.ok());
    assertEquals(100, report.counts().values().stream().mapToLong(Long::longValue).sum(), "counts");
    Await.until(
        "all to be lost for HDFS",
        () ->
            fixture.stripes().stream()
                .flatMap(s -> s.members().stream())
                .filter(
                    m -> m.status().replicas().stream().noneMatch(r -> r.live() && !r.corrupt()))
                .count(),
        lost -> lost == 100);
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    assertWhole();
    ScrubReport after = fixture.scrub("/");
    assertTrue(after.ok(), after.toString());
    assertEquals(250, after.blocks());
    fixture.assertReads("/plain/f");
    fixture.assertReads("/sub/f");
  }

  /** What is on the disks of all homes is what was encoded. */
  private static void assertWhole() throws IOException {
    for (StripeStatus status : fixture.stripes()) {
      for (Member member : status.stripe().members()) {
        CRC32C crc = new CRC32C();
        crc.update(Disks.content(fixture.hdfs, home(member), member.block().id()));
        assertEquals(member.crc(), (int) crc.getValue(), member.block().name());
      }
    }
  }

  /** No reader is given bytes that fit HDFS's checksums and are wrong. */
  @Test
  void whatWasFoundIsNotServed() throws Exception {
    converted("rs-3-2", "/served/f", 3);
    Member member = fixture.stripes().get(0).stripe().member(1);
    BrokenReplicas.flipUnseen(fixture.hdfs, home(member), member.block(), 100);
    assertEquals(1, fixture.scrub("/served").findings().size());
    Await.until(
        "HDFS to know",
        () -> fixture.stripes().get(0).member(1).status().replicas().get(0).corrupt());
    Configuration once = fixture.hdfs.configuration();
    once.setInt("dfs.client.max.block.acquire.failures", 1);
    once.setInt("dfs.client.retry.window.base", 10);
    try (FileSystem plain = FileSystem.newInstance(FileSystem.getDefaultUri(once), once)) {
      assertArrayEquals(fixture.content("/served/f"), ClusterFixture.read(plain, "/served/f"));
    } catch (BlockMissingException e) {
      // Nothing is better than what is wrong; who is there to rebuild the block may be first.
    }
    fixture.assertReadsDegraded("/served/f");
    fixture.repair("/", "chain");
    fixture.assertReads("/served/f");
  }

  /** A file that shares stripes with others is scrubbed with them, once. */
  @Test
  void aPathIsScrubbedOnceAndNothingElse() throws Exception {
    for (int i = 0; i < 6; i++) {
      fixture.write("/shared/a/f" + i, BLOCK, 3, RANDOM);
    }
    fixture.convertAll("rs-3-2", "/shared/a");
    converted("rs-3-2", "/shared/b", 3);
    ScrubReport report = fixture.scrub("/shared/a");
    assertEquals(2, report.stripes());
    assertEquals(10, report.blocks());
    assertEquals(10L * BLOCK, report.bytes());
    assertEquals(15, fixture.scrub("/").blocks());
    assertThrows(java.io.FileNotFoundException.class, () -> fixture.scrub("/nowhere"));
  }

  @Test
  void replicasOfNodesThatDoNotAnswerAreNamedAndNoFindings() throws Exception {
    converted("rs-3-2", "/silent/f", 3);
    Member member = fixture.stripes().get(0).stripe().member(0);
    fixture.hdfs.stopNode(home(member));
    ScrubReport report = fixture.scrub("/");
    assertEquals(List.of(), report.findings());
    assertEquals(1, report.unchecked().size());
    assertEquals(member.block().name(), report.unchecked().get(0).block());
    assertFalse(report.ok());
    assertEquals(4, report.blocks());
  }

  /** Files come, change and go, and nothing is bad. */
  @Test
  void nothingIsFoundWhileFilesAreChanged() throws Exception {
    converted("rs-3-2", "/calm/f", 30);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger rounds = new AtomicInteger();
    CompletableFuture<Void> changes =
        CompletableFuture.runAsync(
            () -> {
              try (Cluster cluster = fixture.braid()) {
                while (!over.get()) {
                  change(cluster, "/busy" + rounds.getAndIncrement());
                }
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    int scrubs = 0;
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CHANGES_SECONDS);
      while (System.nanoTime() < end || scrubs < 10 || rounds.get() < 3) {
        ScrubReport report = fixture.scrub("/");
        assertEquals(List.of(), report.findings());
        assertEquals(List.of(), report.unchecked());
        assertTrue(report.blocks() >= 50, report.toString());
        scrubs++;
        if (changes.isCompletedExceptionally()) {
          changes.join(); // says why
        }
      }
    } finally {
      over.set(true);
    }
    changes.join();
  }

  private static void change(Cluster cluster, String directory) throws IOException {
    for (int i = 0; i < 4; i++) {
      fixture.write(directory + "/f" + i, 3 * BLOCK, 3, RANDOM);
    }
    assertEquals(List.of(), cluster.convert(ClusterFixture.request("rs-3-2", directory)).skipped());
    try (var out = fixture.fs.append(new Path(directory + "/f0"))) {
      out.write(new byte[100]);
    }
    fixture.fs.delete(new Path(directory + "/f1"), false);
    fixture.fs.truncate(new Path(directory + "/f2"), 2 * BLOCK);
    RestoreReport restored = cluster.restore(directory + "/f3", Progress.SILENT);
    assertEquals(
        List.of(directory + "/f3"),
        restored.files().stream().map(RestoreReport.Restored::path).toList());
    // Blocks of the others are being copied, as their stripes have lost some: that parity stays.
    assertEquals(
        Set.of(),
        restored.skipped().stream()
            .map(ConvertReport.Skipped::cause)
            .filter(cause -> !cause.equals("NOT_ON_DISK"))
            .collect(Collectors.toSet()));
    fixture.fs.delete(new Path(directory), true);
  }

  @Test
  void aScrubThatIsStoppedSaysWhatItDid() throws Exception {
    converted("rs-3-2", "/stopped/f", 150);
    StopSignal stop = new StopSignal();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_READ) {
            stop.stop();
          }
        });
    try (Cluster cluster = fixture.braid()) {
      ScrubReport report =
          cluster.scrub(new ScrubRequest("/", OptionalLong.of(0), stop, Progress.SILENT));
      assertFalse(report.complete());
      assertFalse(report.ok());
      assertTrue(report.blocks() < 250, report.toString());
    }
  }

  /** Of every replica each byte waits for its turn. */
  @Test
  void aNodeReadsNoFasterThanTheRate() throws Exception {
    converted("rs-3-2", "/slow/f", 3);
    long since = System.nanoTime();
    try (Cluster cluster = fixture.braid()) {
      ScrubRequest request =
          new ScrubRequest("/", OptionalLong.of(BLOCK / 2), new StopSignal(), Progress.SILENT);
      assertTrue(cluster.scrub(request).ok());
      since = System.nanoTime();
      assertTrue(cluster.scrub(request).ok());
    }
    double seconds = (System.nanoTime() - since) / 1e9;
    assertTrue(seconds > 1, seconds + " s");
  }

  private static Cluster scrubbing(String period) throws IOException {
    Map<String, String> properties = new HashMap<>(fixture.connection().properties());
    properties.put("braid.scrub.period", period);
    return Braid.connect(new Connection(fixture.connection().fileSystem(), List.of(), properties));
  }

  private static WatchingCoordinator daemon(String period) {
    return new WatchingCoordinator(() -> scrubbing(period), 500, RepairPolicy.CONFIGURED);
  }

  private static StatusReport.Scrub status() throws IOException {
    try (Cluster cluster = fixture.braid()) {
      StatusReport.Scrub scrub = cluster.status("/").scrub();
      assertNotNull(scrub);
      return scrub;
    }
  }

  /** Every block is read once a round, however often the daemon is another one. */
  @Test
  void aRoundGoesOnWhereTheLastDaemonWas() throws Exception {
    converted("rs-3-2", "/rounds/f", 60);
    Map<String, Integer> reads = new ConcurrentHashMap<>();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_READ) {
            reads.merge(detail.replaceAll("_\\d+ on .*", ""), 1, Integer::sum);
          }
        });
    try (WatchingCoordinator first = daemon("15s")) {
      Await.until("a part to be read", reads::size, size -> size >= 40);
      first.end();
    }
    int before = reads.size();
    assertTrue(before < 90, before + " blocks were read at once");
    double done = status().done();
    // An estimate from where the last stripe's random name stands among all names.
    assertTrue(done > 0 && done < 1, "done: " + done);
    try (WatchingCoordinator second = daemon("15s")) {
      second.await("all stripes are scrubbed: ");
      second.end();
    }
    assertEquals(blocks(), reads.size());
    // The daemons' hand-over and the beginning of the next round cost a few.
    int all = reads.values().stream().mapToInt(Integer::intValue).sum();
    assertTrue(all <= blocks() + 25, all + " reads of " + blocks() + " blocks");
    StatusReport.Scrub after = status();
    assertNotNull(after.lastEnded());
    assertNotNull(after.oldestSeconds());
    assertEquals(0, after.lastFindings());
  }

  @Test
  void theDaemonRepairsWhatItsScrubFinds() throws Exception {
    converted("rs-3-2", "/daemon/f", 30);
    StripeStatus status = fixture.stripes().get(3);
    Member member = status.stripe().member(4);
    int node = home(member);
    BrokenReplicas.flipUnseen(fixture.hdfs, node, member.block(), 5);
    try (WatchingCoordinator watch = daemon("4s")) {
      watch.await("scrub: " + member.block().name());
      watch.await("1 blocks rebuilt");
    }
    fixture.assertClean("/daemon");
    assertWhole();
  }

  @Test
  void nothingIsScrubbedWhilePaused() throws Exception {
    converted("rs-3-2", "/paused/f", 3);
    try (Cluster cluster = fixture.braid()) {
      cluster
          .policies()
          .change("pause", before -> before.pausing(Pausable.SCRUB, java.time.Instant.MAX));
      Map<String, Integer> reads = new ConcurrentHashMap<>();
      InjectedFaults.install(
          (step, detail) -> {
            if (step == FaultStep.WORKER_READ) {
              reads.merge(detail, 1, Integer::sum);
            }
          });
      assertEquals("resumed", status().pausedUntil());
      try (WatchingCoordinator watch = daemon("1s").awaitWatching()) {
        watch.await("watching");
        Await.stays("the number of blocks read", Duration.ofMillis(2500), 0, reads::size);
        cluster.policies().change("resume", before -> before.resuming(Pausable.SCRUB));
        watch.await("all stripes are scrubbed: ");
      }
      assertEquals(5, reads.size());
    }
  }

  /** What a full scrub by hand did is known as a round that ended. */
  @Test
  void aScrubByHandCounts() throws Exception {
    converted("rs-3-2", "/hand/f", 3);
    assertEquals(null, status().lastEnded());
    assertTrue(fixture.scrub("/hand").ok());
    assertEquals(null, status().lastEnded());
    assertTrue(fixture.scrub("/").ok());
    assertNotNull(status().lastEnded());
  }
}
