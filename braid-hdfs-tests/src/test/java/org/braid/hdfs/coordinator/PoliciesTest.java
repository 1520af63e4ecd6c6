package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.PolicyPreview;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.coordinator.session.LeaseCalls;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testing.HeldStep;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Policies, and the daemon that carries them out. */
final class PoliciesTest {
  private static final Random RANDOM = Seeds.random(PoliciesTest.class);
  private static final long SELDOM = 3_600_000;
  private static final Duration OLD = Duration.ofDays(40);
  private static final String COLD = "unread-for=30d code=rs-3-2";
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(4, 8);

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.fs.delete(new Path(BraidPaths.POLICIES), true);
    fixture.deleteAll();
  }

  private static Policy policy(String name, Action action, String settings) {
    Map<String, String> map = new HashMap<>();
    for (String setting : settings.split(" ")) {
      map.put(setting.split("=")[0], setting.split("=")[1]);
    }
    return Policy.of(name, true, action, map);
  }

  private static void change(UnaryOperator<PolicyDocument> change) throws IOException {
    try (Cluster cluster = fixture.braid()) {
      cluster.policies().change("for a test", change);
    }
  }

  private static void install(Policy... policies) throws IOException {
    change(before -> before.with(new PolicySet(List.of(policies))));
  }

  /** Writes a file that nobody has touched for long. */
  private static void old(String path, int blocks) throws IOException {
    fixture.write(path, blocks * ClusterFixture.BLOCK - 7, 3, RANDOM);
    long then = Instant.now().minus(OLD).toEpochMilli();
    fixture.fs.setTimes(new Path(path), then, then);
  }

  private static int replication(String path) throws IOException {
    return fixture.files(path).get(0).replication();
  }

  private static void awaitConverted(WatchingCoordinator watch, String path) throws Exception {
    Await.until(
        path + " to be converted",
        () -> replication(path) + " " + watch.journal,
        seen -> seen.startsWith("1 "));
    fixture.assertConverted(path);
  }

  @Test
  void agedFilesAreConvertedAndAHotOneIsRestored() throws Exception {
    old("/p/a/f", 6);
    old("/p/b/f", 3);
    old("/q/f", 3);
    old("/p/c/hot", 6);
    fixture.convertAll("rs-3-2", "/p/c/hot");
    long now = Instant.now().toEpochMilli();
    fixture.fs.setTimes(new Path("/p/c/hot"), -1, now);
    fixture.write("/p/new", ClusterFixture.BLOCK, 3, RANDOM);
    install(
        policy("hot", Action.RESTORE, "path=/p read-within=2h"),
        policy("cold", Action.CONVERT, "path=/p/** " + COLD),
        policy("off", Action.CONVERT, "path=/q " + COLD).disable());
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM)) {
      awaitConverted(watch, "/p/a/f");
      awaitConverted(watch, "/p/b/f");
      watch.await("policy hot: 1 file restored");
      WatchReport report = watch.end();
      assertEquals(2, report.converted(), watch.journal.toString());
      assertEquals(1, report.restored(), watch.journal.toString());
    }
    assertEquals(3, replication("/p/c/hot"));
    assertEquals(3, replication("/p/new"));
    assertEquals(3, replication("/q/f"));
    fixture.assertClean("/p");
    try (Cluster cluster = fixture.braid()) {
      Policies.Explanation cold = cluster.policies().explain("/p/a/f");
      assertEquals(List.of("rs-3-2"), cold.codes());
      assertEquals(6, cold.file().blocks());
      assertEquals(Policies.Standing.AS_WANTED, cold.standing());
      assertEquals("cold", cold.verdict().policy().orElseThrow().name());
      assertEquals(Optional.empty(), cold.verdict().at());
      assertEquals(1, cold.verdict().passed().size());
      Policies.Explanation off = cluster.policies().explain("/q/f");
      assertEquals(Optional.empty(), off.verdict().policy());
      assertEquals("it is disabled", off.verdict().passed().get(2).reason());
      assertThrows(RefusedException.class, () -> cluster.policies().explain("/p"));
      for (String path : List.of("/p/a/f", "/p/b/f", "/p/c/hot")) {
        fixture.assertReads(path);
      }
      // What is read is hot.
      Policies.Explanation read = cluster.policies().explain("/p/a/f");
      assertEquals("hot", read.verdict().policy().orElseThrow().name());
    }
  }

  /** What policies would do is what a daemon then does. */
  @Test
  void policiesSayWhatADaemonThenDoes() throws Exception {
    for (int i = 0; i < 3; i++) {
      old("/e/cold" + i, 6);
    }
    fixture.write("/e/new", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    old("/e/_temporary/f", 3);
    install(policy("cold", Action.CONVERT, "path=/e " + COLD));
    try (Cluster cluster = fixture.braid()) {
      PolicyPreview before = cluster.policies().preview(Progress.SILENT).get(0);
      assertEquals("cold", before.policy());
      assertEquals(3, before.files(), before.toString());
      assertEquals(3 * (6L * ClusterFixture.BLOCK - 7), before.bytes());
      assertEquals(1, before.later(), before.toString());
      assertNotNull(before.nextAt());
      assertNull(before.waits());
      assertEquals(3, replication("/e/cold0"));
      assertEquals("HIDDEN", before.leftAlone().get(0).cause());
      try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM)) {
        for (int i = 0; i < 3; i++) {
          awaitConverted(watch, "/e/cold" + i);
        }
        watch.end();
      }
      int stripes = 0;
      long parity = 0;
      for (var status : fixture.stripes()) {
        if (status.data().stream().anyMatch(member -> member.path().startsWith("/e/"))) {
          stripes++;
          parity += status.stripe().parityBytes();
        }
      }
      assertEquals(before.stripes(), stripes);
      assertEquals(before.parityBytes(), parity);
      assertEquals(before.bytesSaved(), 2 * before.bytes() - parity);
      PolicyPreview after = cluster.policies().preview(Progress.SILENT).get(0);
      assertEquals(0, after.files(), after.toString());
      assertEquals(3, after.done(), after.toString());
      assertEquals(3, replication("/e/_temporary/f"));
    }
  }

  @Test
  void aDaemonThatIsKilledHalfWayHasASuccessor() throws Exception {
    for (int i = 0; i < 4; i++) {
      old("/k/f" + i, 6);
    }
    install(policy("cold", Action.CONVERT, "path=/k " + COLD));
    AtomicInteger reached = new AtomicInteger();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.CONVERT_PUBLISHED && reached.incrementAndGet() > 2) {
            throw new Stopper.Halt("killed");
          }
        });
    WatchingCoordinator killed = new WatchingCoordinator(fixture, SELDOM);
    Await.until("the daemon to be killed", () -> reached.get() > 2);
    // Its thread has ended with the halt, which is not told to stop.
    assertThrows(ExecutionException.class, () -> killed.await("it is dead"));
    InjectedFaults.clear();
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM)) {
      for (int i = 0; i < 4; i++) {
        awaitConverted(watch, "/k/f" + i);
      }
    }
    for (int i = 0; i < 4; i++) {
      fixture.assertReads("/k/f" + i);
    }
    fixture.assertClean("/k");
  }

  @Test
  void aDaemonThatIsStoppedSaysWhatIsDone() throws Exception {
    old("/s/a/f", 3);
    old("/s/b/f", 3);
    AtomicReference<String> first = new AtomicReference<>();
    List<FaultStep> persisted = new CopyOnWriteArrayList<>();
    CountDownLatch hangs = new CountDownLatch(1);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.CONVERT_PERSISTED) {
            persisted.add(step);
          } else if (step == FaultStep.CONVERT_ENCODED && !first.compareAndSet(null, detail)) {
            hangs.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              throw new InterruptedIOException("stopped");
            }
          }
        });
    install(policy("cold", Action.CONVERT, "path=/s/** group=order " + COLD));
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM)) {
      Await.until("one file to be converted", () -> !persisted.isEmpty() && hangs.getCount() == 0);
      assertEquals(1, watch.end().converted(), watch.journal.toString());
      assertTrue(
          watch.journal.stream()
              .anyMatch(line -> line.startsWith("policy cold is broken off, 1 file of this batch")),
          watch.journal.toString());
    }
    InjectedFaults.clear();
    List<String> paths = List.of("/s/a/f", "/s/b/f");
    assertEquals(4, replication("/s/a/f") + replication("/s/b/f"));
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM)) {
      for (String path : paths) {
        awaitConverted(watch, path);
        fixture.assertReads(path);
      }
    }
    fixture.assertClean("/s");
  }

  /** A command takes the lease in the middle of a batch, when two of its stripes are begun. */
  @Test
  void whatACommandBreaksOffIsNotLeftForAnInterval() throws Exception {
    List<String> paths = List.of("/o/a/f", "/o/b/f", "/o/c/f", "/o/d/f");
    for (String path : paths) {
      old(path, 3);
    }
    install(policy("cold", Action.CONVERT, "path=/o/** group=order " + COLD));
    HeldStep held = new HeldStep(FaultStep.CONVERT_ENCODED, detail -> true);
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM, SELDOM);
        NameNodeCalls calls = fixture.calls()) {
      try (held) {
        held.await();
        assertFalse(calls.leases().acquire("other", false, 15_000, List.of()).hasLease());
        Thread.sleep(1000); // until the daemon has heard of it
      }
      watch.await("giving way");
      Await.until("the lease", () -> gaveBack(calls.leases()));
      for (String path : paths) {
        awaitConverted(watch, path);
      }
    }
  }

  private static boolean gaveBack(LeaseCalls leases) throws IOException {
    AcquireResponseProto answer = leases.acquire("other");
    if (answer.hasLease()) {
      leases.release(answer.getLease());
    }
    return answer.hasLease();
  }

  @Test
  void pausesHoldAndEnd() throws Exception {
    old("/s/cold", 6);
    old("/s/hot", 3);
    fixture.convertAll("rs-3-2", "/s/hot");
    install(
        policy("not", Action.RESTORE, "path=/s/hot"),
        policy("cold", Action.CONVERT, "path=/s/cold " + COLD));
    change(before -> before.pausing(Pausable.CONVERT, Instant.MAX));
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM)) {
      watch.await("policy not: 1 file restored");
      assertEquals(3, replication("/s/cold"), watch.journal.toString());
      change(before -> before.pausing(Pausable.CONVERT, Instant.now().plusSeconds(1)));
      awaitConverted(watch, "/s/cold");
    }
  }

  @Test
  void repairIsPausedAndGoesBeforeConversion() throws Exception {
    fixture.write("/r/lost", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/r/lost");
    fixture.assertConverted("/r/lost");
    old("/r/cold", 6);
    int node = fixture.heaviestNode();
    fixture.hdfs.stopNode(node);
    fixture.hdfs.awaitDead(node);
    // HDFS knows one replica of each: it takes blocks for missing that the stripes give back.
    FSNamesystem counts = fixture.hdfs.nameNode().getNamesystem();
    long lost =
        fixture.stripes().stream()
            .flatMap(status -> fixture.homes(status).stream())
            .filter(home -> home == node)
            .count();
    assertTrue(lost > 0);
    Await.until("HDFS to miss them", () -> counts.getMissingReplOneBlocksCount() == lost);
    assertEquals(lost, counts.getMissingBlocksCount());
    install(policy("cold", Action.CONVERT, "path=/r/cold " + COLD));
    change(
        before ->
            before.pausing(Pausable.REPAIR, Instant.MAX).pausing(Pausable.CONVERT, Instant.MAX));
    List<FaultStep> steps = new CopyOnWriteArrayList<>();
    InjectedFaults.install((step, detail) -> steps.add(step));
    RepairPolicy soon =
        new RepairPolicy(
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalLong.of(0),
            OptionalLong.empty());
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 100, soon)) {
      watch.await("watching");
      change(before -> before.resuming(Pausable.REPAIR).resuming(Pausable.CONVERT));
      awaitConverted(watch, "/r/cold");
      assertTrue(watch.end().repaired() > 0, watch.journal.toString());
    }
    Await.until("HDFS to miss none", () -> counts.getMissingReplOneBlocksCount() == 0);
    assertEquals(0, counts.getMissingBlocksCount());
    assertTrue(
        steps.lastIndexOf(FaultStep.REPAIR_HOMED) < steps.indexOf(FaultStep.CONVERT_ENCODED),
        steps.toString());
    assertTrue(steps.contains(FaultStep.REPAIR_HOMED), steps.toString());
  }

  @Test
  void aCodeThatDoesNotFitIsNamedOnceAndHoldsNothingUp() throws Exception {
    old("/w/big", 6);
    old("/w/small", 6);
    install(
        policy("big", Action.CONVERT, "path=/w/big code=rs-10-4"),
        policy("cold", Action.CONVERT, "path=/w " + COLD));
    try (Cluster cluster = fixture.braid()) {
      List<PolicyPreview> previews = cluster.policies().preview(Progress.SILENT);
      String problem = String.valueOf(previews.get(0).problem());
      assertTrue(problem.contains("14") && problem.contains("8"), problem);
      assertEquals(0, previews.get(0).files() + previews.get(0).bytes());
      assertNull(previews.get(1).problem());
      assertEquals(1, previews.get(1).files());
      assertEquals(Optional.of(problem), cluster.policies().explain("/w/big").problem());
      assertEquals(Optional.empty(), cluster.policies().explain("/w/small").problem());
      Policies policies = cluster.policies();
      assertEquals(
          Optional.of("policy big converts nothing: rs-10-4 does not fit: " + problem),
          policies.misfit(policies.current().policies().named("big").orElseThrow()));
      assertEquals(
          Optional.empty(),
          policies.misfit(policies.current().policies().named("cold").orElseThrow()));
    }
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM)) {
      awaitConverted(watch, "/w/small");
      watch.await("policy big does nothing");
      old("/w/later", 6); // found by a later walk
      awaitConverted(watch, "/w/later");
      List<String> said =
          watch.journal.stream().filter(line -> line.startsWith("policy big")).toList();
      assertEquals(1, said.size(), said.toString());
      assertTrue(said.get(0).contains("14") && said.get(0).contains("8"), said.toString());
    }
    assertEquals(3, replication("/w/big"));
  }

  @Test
  void policiesThatCannotBeReadAreNamedAndNothingRuns() throws Exception {
    old("/u/f", 6);
    install(policy("cold", Action.CONVERT, "path=/u " + COLD));
    Path newer = new Path(BraidPaths.POLICIES, "00000002.json");
    try (FSDataOutputStream out = fixture.fs.create(newer)) {
      out.write("{\"format\": 2}".getBytes(StandardCharsets.UTF_8));
    }
    try (Cluster cluster = fixture.braid()) {
      String why =
          String.valueOf(
              assertThrows(RefusedException.class, () -> cluster.policies().current())
                  .getMessage());
      assertTrue(why.contains("00000002.json: it has format 2"), why);
      List<Policies.Change> history = cluster.policies().history();
      assertTrue(history.get(0).document().isEmpty());
      assertEquals("for a test", history.get(1).document().orElseThrow().change());
    }
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM)) {
      watch.await("no policy is carried out");
      watch.await("all stripes are looked at");
      assertEquals(3, replication("/u/f"));
      fixture.fs.delete(newer, false);
      awaitConverted(watch, "/u/f");
    }
  }

  @Test
  void changesAreKeptRefusedAndTheSuperusers() throws Exception {
    Policy cold = policy("cold", Action.CONVERT, "path=/x " + COLD);
    try (Cluster cluster = fixture.braid()) {
      Policies policies = cluster.policies();
      assertEquals(0, policies.current().revision());
      PolicyDocument first = policies.change("one", d -> d.with(new PolicySet(List.of(cold))));
      assertEquals(1, first.revision());
      RefusedException chased =
          assertThrows(
              RefusedException.class,
              () ->
                  policies.change(
                      "chase",
                      d ->
                          d.with(
                              d.policies()
                                  .with(
                                      policy("hot", Action.RESTORE, "path=/x read-within=29d"),
                                      OptionalInt.empty()))));
      assertTrue(String.valueOf(chased.getMessage()).startsWith("hot would restore"));
      RefusedException fine =
          assertThrows(
              RefusedException.class,
              () -> install(policy("hot", Action.RESTORE, "path=/y read-within=90m")));
      assertTrue(
          String.valueOf(fine.getMessage())
              .startsWith("policy hot: read-within 90m means nothing: HDFS records reads to 1h"),
          fine.getMessage());
      RefusedException raced =
          assertThrows(
              RefusedException.class,
              () ->
                  policies.change(
                      "slow",
                      d -> {
                        try {
                          change(other -> other.with(PolicySet.NONE));
                        } catch (IOException e) {
                          throw new AssertionError(e);
                        }
                        return d;
                      }));
      assertTrue(String.valueOf(raced.getMessage()).contains("changed meanwhile"));
      assertEquals(PolicySet.NONE, policies.current().policies());
      List<Policies.Change> history = policies.history();
      assertEquals(2, history.size());
      PolicyDocument before = history.get(1).document().orElseThrow();
      assertEquals(List.of(cold), before.policies().policies());
      assertEquals(UserGroupInformation.getCurrentUser().getShortUserName(), before.user());
      assertFalse(before.at().isAfter(Instant.now()));
      assertEquals(2, fixture.fs.listStatus(new Path(BraidPaths.POLICIES)).length);
    }
    UserGroupInformation.createUserForTesting("eve", new String[] {"users"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (Cluster cluster = fixture.braid()) {
                    assertThrows(AccessControlException.class, () -> cluster.policies().current());
                  }
                  return null;
                });
  }
}
