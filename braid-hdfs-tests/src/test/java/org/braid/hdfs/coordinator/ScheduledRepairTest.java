package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.RepairPreview;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How repairs of many stripes are shared out among the nodes. */
final class ScheduledRepairTest extends ScheduledRepairs {
  @AfterEach
  void reset() {
    for (DatanodeDescriptor node : descriptors()) {
      node.setUpgradeDomain(null);
    }
  }

  private Set<DatanodeDescriptor> descriptors() {
    return fixture
        .hdfs
        .nameNode()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanodes();
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
    int only = free.get(random.nextInt(free.size()));
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

  private String rack(int node) {
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

  /** A dry run says what the run moves that follows it, and changes nothing. */
  @Test
  void aDryRunSaysWhatIsDoneThen() throws Exception {
    String directory = "/dry";
    fixture.write(directory + "/f", 24 * ClusterFixture.BLOCK, 3, random);
    assertEquals(List.of(), fixture.convert("rs-4-2", directory).skipped());
    // Places that are free for the run are free for the dry run, too.
    fixture.assertConvertedOnDisks(directory);
    StripeStatus stripe = Movers.stripesOf(fixture, directory + "/f").get(0);
    fixture.hdfs.stopNode(fixture.homes(stripe).get(0));
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
