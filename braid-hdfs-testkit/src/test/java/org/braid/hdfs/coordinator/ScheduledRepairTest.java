package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.util.DataChecksum;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.RepairPreview;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Repairs of many stripes as the repair manager schedules them, and what may go wrong on the way.
 */
final class ScheduledRepairTest {
  private static final Random RANDOM = Seeds.random(ScheduledRepairTest.class);
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static ClusterFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    fixture = new ClusterFixture(7, 14);
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @AfterEach
  void reset() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    for (DatanodeDescriptor node : descriptors()) {
      node.setUpgradeDomain(null);
    }
  }

  private static Set<DatanodeDescriptor> descriptors() {
    return fixture
        .hdfs
        .nameNode()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanodes();
  }

  private static String converted(int stripes) throws IOException {
    String path = "/scheduled" + NUMBER.incrementAndGet() + "/f";
    fixture.write(path, 3 * stripes * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", path);
    fixture.assertConverted(path);
    return path;
  }

  private static RepairPolicy policy(String scheduler) {
    return RepairPolicy.CONFIGURED.with(scheduler);
  }

  private static RepairReport repair(String path, RepairPolicy policy) throws IOException {
    try (Cluster cluster = fixture.braid()) {
      return cluster.repair(
          new RepairRequest(path, "chain", 8, ClusterFixture.SLICE, 11, policy, Progress.SILENT));
    }
  }

  private static void assertWhole(String path) throws IOException {
    fixture.assertReads(path);
    fixture.assertTolerant(path);
  }

  @Test
  void aNodesLossIsSharedOutOnceItIsNotTakenForTransient() throws Exception {
    String path = converted(40);
    int node = fixture.homes(Movers.stripesOf(fixture, path).get(0)).get(0);
    String host = fixture.hdfs.nodeName(node);
    fixture.hdfs.stopNode(node);
    RepairPolicy patient =
        new RepairPolicy(
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalLong.of(TimeUnit.HOURS.toMillis(1)),
            OptionalLong.empty());
    int postponed = repair(path, patient).postponed();
    RepairReport report = repair(path, policy("mppr"));
    assertEquals(postponed, report.repaired().size());
    assertEquals(List.of(), report.unrepairable());
    assertTrue(report.repaired().size() >= 8, report.repaired().size() + " blocks of 200 on 14");
    Map<String, Integer> homes = new HashMap<>();
    Set<String> blocks = new HashSet<>();
    for (RepairReport.Repaired block : report.repaired()) {
      homes.merge(block.node(), 1, Integer::sum);
      assertTrue(blocks.add(block.name()), block.name() + " was rebuilt twice");
      assertFalse(block.node().equals(host));
    }
    int most = Collections.max(homes.values());
    System.out.printf(
        "%d blocks to %d of 13 nodes, at most %d to one%n",
        report.repaired().size(), homes.size(), most);
    // A stripe leaves three racks of two nodes: there is nearly always an idle one among them.
    assertTrue(most <= (report.repaired().size() + 12) / 13 + 1, homes.toString());
    assertWhole(path);
  }

  @Test
  void noNodeDoesMoreAtOnceThanItsBudget() throws Exception {
    String path = converted(20);
    fixture.hdfs.stopNode(fixture.homes(Movers.stripesOf(fixture, path).get(0)).get(1));
    AtomicInteger most = new AtomicInteger();
    AtomicLong looks = new AtomicLong();
    // Slow enough to be seen at work: one look at all nodes begins and ends meanwhile.
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_STORE) {
            long before = looks.get();
            Await.until("all nodes to be looked at", () -> looks.get() >= before + 2);
          }
        });
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread watcher =
        new Thread(
            () -> {
              try (NameNodeCalls calls = fixture.calls();
                  Workers workers = new Workers(fixture.hdfs.configuration(), 2000)) {
                while (!done.isDone()) {
                  for (var worker :
                      workers
                          .ping(
                              calls.cluster().getDatanodesList().stream()
                                  .map(StatusCodec::of)
                                  .toList())
                          .reached()
                          .values()) {
                    most.accumulateAndGet(worker.answer().getRunning(), Math::max);
                  }
                  looks.incrementAndGet();
                }
              } catch (IOException e) {
                most.set(99);
              }
            });
    watcher.start();
    RepairPolicy policy =
        new RepairPolicy(
            Optional.of("mppr"),
            OptionalInt.of(1),
            OptionalInt.of(2),
            OptionalLong.empty(),
            OptionalLong.empty());
    RepairReport report = repair(path, policy);
    done.complete(null);
    watcher.join();
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, most.get(), "fragments at once at a node");
    assertWhole(path);
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(5, TimeUnit.MINUTES)) {
        throw new IOException("it waited for the slow node");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Test
  void aHelperThatDiesMidPlanIsReplaced() throws Exception {
    String path = converted(6);
    StripeStatus stripe = Movers.stripesOf(fixture, path).get(0);
    fixture.hdfs.stopNode(fixture.homes(stripe).get(0));
    AtomicReference<String> dead = new AtomicReference<>();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_SEND && dead.compareAndSet(null, detail)) {
            for (int node = 0; node < fixture.hdfs.nodes(); node++) {
              if (fixture.hdfs.runs(node) && detail.contains(name(node))) {
                int helper = node;
                var unused = CompletableFuture.runAsync(() -> fixture.hdfs.stopNode(helper));
                pause(3000);
              }
            }
          }
        });
    RepairReport report = repair(path, policy("together"));
    InjectedFaults.clear();
    assertEquals(List.of(), report.unrepairable());
    RepairReport second = repair(path, policy("together"));
    assertEquals(List.of(), second.unrepairable());
    assertWhole(path);
  }

  /** It took its block and the NameNode lists it; then it stops before the block is read back. */
  @Test
  void aDestinationThatDiesBeforeItIsVerifiedIsReplaced() throws Exception {
    String path = converted(1);
    StripeStatus stripe = Movers.stripesOf(fixture, path).get(0);
    fixture.hdfs.stopNode(fixture.homes(stripe).get(0));
    AtomicInteger died = new AtomicInteger(-1);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.REPAIR_REBUILT && died.get() < 0) {
            died.set(awaitListed(path));
            fixture.hdfs.stopNode(died.get());
          }
        });
    RepairReport report = repair(path, policy("together"));
    InjectedFaults.clear();
    assertTrue(died.get() >= 0, "nothing was rebuilt");
    assertEquals(List.of(), report.unrepairable());
    assertWhole(path);
  }

  /** Waits until the NameNode lists a copy of a file's first block on a node that runs. */
  private static int awaitListed(String path) throws IOException {
    return Await.until(
            "the first block of " + path + " to be listed on a node that runs",
            () ->
                fixture.files(path).get(0).blocks().get(0).replicas().stream()
                    .filter(Replica::live)
                    .map(replica -> fixture.hdfs.indexOf(replica.node()).orElseThrow())
                    .filter(fixture.hdfs::runs)
                    .findFirst(),
            Optional::isPresent)
        .get();
  }

  private static String name(int node) {
    return fixture.hdfs.dataNode(node).getDisplayName();
  }

  /** Its disk holds other bytes with checksums that fit them: HDFS notices nothing. */
  @Test
  void aHelperThatLiesIsFoundAndItsBlockRebuiltToo() throws Exception {
    String path = converted(2);
    for (StripeStatus stripe : Movers.stripesOf(fixture, path)) {
      List<Integer> homes = fixture.homes(stripe);
      forge(homes.get(1), stripe.stripe().member(1).block());
      forge(homes.get(3), stripe.stripe().member(3).block());
    }
    StripeStatus first = Movers.stripesOf(fixture, path).get(0);
    fixture.hdfs.stopNode(fixture.homes(first).get(0));
    RepairReport report = repair(path, policy("mppr"));
    // Two lies and a loss are one too many for the first stripe, and it is said.
    assertTrue(
        report.unrepairable().stream()
            .allMatch(u -> u.reason().contains("blocks of its stripe can be had")),
        report.unrepairable().toString());
    assertFalse(report.unrepairable().isEmpty());
    fixture.startAll();
  }

  @Test
  void oneLiarDoesNotKeepABlockFromBeingRebuilt() throws Exception {
    String path = converted(1);
    StripeStatus stripe = Movers.stripesOf(fixture, path).get(0);
    List<Integer> homes = fixture.homes(stripe);
    byte[] right = Disks.content(fixture.hdfs, homes.get(1), id(stripe, 1));
    forge(homes.get(1), stripe.stripe().member(1).block());
    // Without the fifth block the liar is among the helpers, whoever chooses.
    fixture.hdfs.stopNode(homes.get(0));
    fixture.hdfs.stopNode(homes.get(4));
    RepairReport report = repair(path, policy("mppr"));
    assertEquals(3, report.unrepairable().size(), report.unrepairable().toString());
    fixture.startAll();
    // With one loss there is a way around it.
    fixture.hdfs.stopNode(homes.get(0));
    report = repair(path, policy("mppr"));
    assertEquals(List.of(), report.unrepairable());
    assertTrue(
        report.repaired().stream().anyMatch(r -> r.block() == 0), report.repaired().toString());
    if (report.repaired().stream().anyMatch(r -> r.block() == 1)) {
      int home = fixture.homes(Movers.stripesOf(fixture, path).get(0)).get(1);
      assertEquals(
          ByteBuffer.wrap(right),
          ByteBuffer.wrap(Disks.content(fixture.hdfs, home, id(stripe, 1))));
    }
  }

  private static long id(StripeStatus stripe, int position) {
    return stripe.stripe().member(position).block().id();
  }

  /** Changes a replica on its disk together with its checksums. */
  private static void forge(int node, BlockIdentity block) throws IOException {
    Path file = Disks.file(fixture.hdfs, node, block.id()).orElseThrow();
    byte[] content = Files.readAllBytes(file);
    content[content.length / 3] ^= 0x20;
    Path meta = file.resolveSibling("blk_" + block.id() + "_" + block.generation() + ".meta");
    ByteBuffer sums = ByteBuffer.wrap(Files.readAllBytes(meta));
    DataChecksum checksum = DataChecksum.newDataChecksum(sums.array(), 2);
    ByteBuffer fresh = sums.slice(7, sums.capacity() - 7);
    checksum.calculateChunkedSums(ByteBuffer.wrap(content), fresh);
    Files.write(file, content);
    Files.write(meta, sums.array());
  }

  @Test
  void aDestinationThatFillsUpIsReplaced() throws Exception {
    String path = converted(12);
    fixture.hdfs.stopNode(fixture.homes(Movers.stripesOf(fixture, path).get(0)).get(2));
    AtomicReference<String> full = new AtomicReference<>();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_STORE) {
            String node = detail.substring(detail.lastIndexOf(' ') + 1);
            full.compareAndSet(null, node);
            if (node.equals(full.get())) {
              throw new IOException("No space left on device");
            }
          }
        });
    RepairReport report = repair(path, policy("mppr"));
    assertTrue(full.get() != null);
    assertEquals(List.of(), report.unrepairable());
    assertFalse(report.repaired().isEmpty());
    assertWhole(path);
  }

  @Test
  void upgradeDomainsAreRespected() throws Exception {
    String path = converted(1);
    // A node that is about to delete a surplus copy takes no block yet.
    StripeStatus stripe =
        Await.until(
            "surplus copies to be deleted",
            () -> Movers.stripesOf(fixture, path).get(0),
            found -> found.members().stream().allMatch(m -> m.status().going().isEmpty()));
    List<Integer> homes = fixture.homes(stripe);
    Set<String> racks = new HashSet<>();
    homes.forEach(home -> racks.add(rack(home)));
    List<Integer> free = new ArrayList<>();
    for (int node = 0; node < fixture.hdfs.nodes(); node++) {
      if (!racks.contains(rack(node))) {
        free.add(node);
      }
    }
    int only = free.get(RANDOM.nextInt(free.size()));
    for (DatanodeDescriptor node : descriptors()) {
      boolean chosen = fixture.hdfs.indexOf(node.getDatanodeUuid()).orElseThrow() == only;
      node.setUpgradeDomain(chosen ? "other" : "same");
    }
    fixture.hdfs.stopNode(homes.get(0));
    RepairReport report = repair(path, policy("mppr"));
    // The rack of the lost block is as empty as the free ones; its nodes are of the same domain.
    assertEquals(
        List.of(fixture.hdfs.nodeName(only)),
        report.repaired().stream().map(RepairReport.Repaired::node).toList());
    assertWhole(path);
  }

  private static String rack(int node) {
    return fixture.hdfs.nodeName(node).replaceAll("-.*", "");
  }

  @Test
  void twoRepairsOfTheSameBlocksRebuildEachOnce() throws Exception {
    String path = converted(10);
    fixture.hdfs.stopNode(fixture.homes(Movers.stripesOf(fixture, path).get(0)).get(0));
    CompletableFuture<RepairReport> other =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return repair(path, policy("arrival"));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    RepairReport own = repair(path, policy("mppr"));
    RepairReport their = other.get(120, TimeUnit.SECONDS);
    assertEquals(List.of(), own.unrepairable());
    assertEquals(List.of(), their.unrepairable());
    List<String> all = new ArrayList<>();
    own.repaired().forEach(r -> all.add(r.name()));
    their.repaired().forEach(r -> all.add(r.name()));
    assertEquals(new HashSet<>(all).size(), all.size(), all.toString());
    assertWhole(path);
  }

  @Test
  void aRepairThatTakesTooLongIsPlannedAnew() throws Exception {
    String path = converted(1);
    fixture.hdfs.stopNode(fixture.homes(Movers.stripesOf(fixture, path).get(0)).get(0));
    AtomicReference<String> slow = new AtomicReference<>();
    CountDownLatch over = new CountDownLatch(1);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_STORE) {
            String node = detail.substring(detail.lastIndexOf(' ') + 1);
            slow.compareAndSet(null, node);
            if (node.equals(slow.get())) {
              await(over);
            }
          }
        });
    RepairReport report;
    try {
      // Ends only if it does not wait for the slow node.
      report =
          repair(
              path,
              new RepairPolicy(
                  Optional.of("mppr"),
                  OptionalInt.empty(),
                  OptionalInt.empty(),
                  OptionalLong.empty(),
                  OptionalLong.of(4000)));
    } finally {
      over.countDown();
    }
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size());
    assertTrue(slow.get() != null);
    assertWhole(path);
  }

  /** A dry run says what the run moves that follows it, and changes nothing. */
  @Test
  void aDryRunSaysWhatIsDoneThen() throws Exception {
    String directory = "/dry" + NUMBER.incrementAndGet();
    fixture.write(directory + "/f", 24 * ClusterFixture.BLOCK, 3, RANDOM);
    assertEquals(List.of(), fixture.convert("rs-4-2", directory).skipped());
    fixture.hdfs.stopNode(fixture.heaviestNode());
    RepairRequest request = new RepairRequest(directory, "chain", 2, 2048, 11, Progress.SILENT);
    try (Cluster cluster = fixture.braid()) {
      var before = fixture.stripes().stream().map(StripeStatus::stripe).toList();
      RepairPreview preview = cluster.preview(request);
      assertEquals(before, fixture.stripes().stream().map(StripeStatus::stripe).toList());
      assertEquals(preview.stripes(), preview.rebuiltBlocks());
      assertTrue(preview.rebuiltBlocks() > 0);
      RepairReport report = cluster.repair(request);
      assertEquals(preview.rebuiltBlocks(), report.repaired().size());
      long parity = report.repaired().stream().filter(block -> block.block() >= 4).count();
      assertEquals(parity * ClusterFixture.BLOCK, preview.parityBytes());
      assertEquals(parity < preview.rebuiltBlocks() ? 1 : 0, preview.files());
      assertEquals(preview.rebuiltBytes(), report.expected().bytes());
      assertNear(preview.crossRackBytes(), report.traffic().crossRackBytes());
      assertNear(preview.crossRackBytes(), report.expected().crossRackBytes());
      assertNear(
          preview.crossRackBytes() + preview.inRackBytes(),
          report.traffic().crossRackBytes() + report.traffic().inRackBytes());
      assertEquals(0, cluster.preview(request).stripes());
    }
  }

  private static void assertNear(long planned, long done) {
    assertTrue(Math.abs(planned - done) <= 0.05 * done, planned + " planned, " + done + " done");
  }
}
