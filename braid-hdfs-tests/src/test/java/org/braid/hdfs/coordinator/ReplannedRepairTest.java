package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.BrokenReplicas;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;

/** Repairs whose helpers or destinations die, lie, fill up or are slow on the way. */
final class ReplannedRepairTest extends ScheduledRepairs {
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

  /** As when the NameNode does not list it in time, or describes the stripe anew. */
  @Test
  void whatWasRebuiltBeforeAnAttemptFailedGetsItsHomeAndIsReported() throws Exception {
    String path = converted(2);
    List<StripeStatus> stripes = Movers.stripesOf(fixture, path);
    int stopped = fixture.homes(stripes.get(0)).get(0);
    Set<String> lost =
        stripes.stream()
            .flatMap(status -> status.stripe().members().stream())
            .filter(member -> member.home().equals(fixture.hdfs.uuid(stopped)))
            .map(member -> member.block().name())
            .collect(Collectors.toSet());
    fixture.hdfs.stopNode(stopped);
    Set<String> failed = ConcurrentHashMap.newKeySet();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.REPAIR_VERIFIED && failed.add(detail)) {
            throw new PlanFailedException("the NameNode does not list it in time", null);
          }
        });
    RepairReport report = repair(path, policy("together"));
    InjectedFaults.clear();
    assertFalse(failed.isEmpty());
    assertEquals(List.of(), report.unrepairable());
    assertEquals(lost, report.repaired().stream().map(Repaired::name).collect(Collectors.toSet()));
    assertEquals(lost.size(), report.repaired().size());
    for (StripeStatus now : Movers.stripesOf(fixture, path)) {
      assertFalse(fixture.homes(now).contains(stopped));
    }
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
  private int awaitListed(String path) throws IOException {
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

  private String name(int node) {
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
  private void forge(int node, BlockIdentity block) throws IOException {
    BrokenReplicas.flipUnseen(fixture.hdfs, node, block, (int) block.length() / 3);
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
}
