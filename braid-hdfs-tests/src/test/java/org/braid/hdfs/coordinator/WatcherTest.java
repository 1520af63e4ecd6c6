package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.net.StandardSocketFactory;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.coordinator.repair.RepairSettings;
import org.braid.hdfs.coordinator.session.LeaseCalls;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.HeldStep;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testing.LostLease;
import org.braid.hdfs.time.Ticker;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A coordinator that watches a cluster, and other work beside it. */
final class WatcherTest {
  private static final Random RANDOM = Seeds.random(WatcherTest.class);
  private static final String GIVES_WAY = "giving way to another coordinator";
  private static final long LEASE_MILLIS = 15_000;
  private static final long SELDOM = 3_600_000;
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(4, 8);

  @AfterEach
  void heal() throws Exception {
    fixture.startAll();
  }

  private static void converted(String path) throws Exception {
    fixture.write(path, 6 * ClusterFixture.BLOCK + 5, 3, RANDOM);
    fixture.convertAll("rs-3-2", path);
    // What a node has is lost with it only once HDFS has deleted the copies too many.
    fixture.assertConvertedOnDisks(path);
  }

  @Test
  void givesWayToAConversionAndTakesTheLeaseBack() throws Exception {
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      fixture.write("/handed/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
      fixture.convertAll("rs-3-2", "/handed/f");
      watch.await("giving way");
      // It gave the lease: nobody waited until it was lost.
      assertTrue(
          watch.journal.stream().noneMatch(line -> line.contains("the lease is lost")),
          watch.journal.toString());
      fixture.assertConverted("/handed/f");
      // It watches again: the second conversion has to ask it, too.
      Await.until(
          "it to watch again",
          () -> List.copyOf(watch.journal),
          lines -> lines.stream().filter("watching"::equals).count() >= 2);
      assertEquals(1, watch.end().handOvers());
    }
  }

  /** The stripe that it still repairs holds up whoever wants the lease, and no reader. */
  @Test
  void aCoordinatorThatGivesWayServesReaders() throws Exception {
    PlainClients clients = new PlainClients(fixture, RANDOM);
    // One after the other, so that they share no stripe.
    String other = clients.converted("/way/held", 1).get(0);
    String path = clients.converted("/way/read", 1).get(0);
    int first = clients.holder(clients.blocks(other).get(0));
    String hanging = Movers.stripeOf(fixture, other).stripe().id();
    BlockStatus read = clients.blocks(path).get(0);
    // Between two plans: whatever node is lost meanwhile does not end it.
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 300).awaitWatching();
        NameNodeCalls calls = fixture.calls();
        HeldStep held = new HeldStep(FaultStep.REPAIR_REBUILT, hanging::equals)) {
      clients.lose(List.of(first));
      held.await();
      // A command whose place is kept for so long; it never asks again.
      assertFalse(calls.leases().acquire("other", false, 15_000, List.of()).hasLease());
      if (clients.holder(read) != first) {
        clients.lose(List.of(clients.holder(read)));
      }
      assertArrayEquals(
          Arrays.copyOf(fixture.content(path), ClusterFixture.BLOCK),
          clients.pread(path, ClusterFixture.BLOCK));
      assertFalse(watch.journal.contains(GIVES_WAY), watch.journal.toString());
      held.close();
      watch.await(GIVES_WAY);
      // Nobody else waits for a place that is kept for no one.
      Await.until("the lease", () -> gaveBack(calls.leases(), "other"));
    }
  }

  private static boolean gaveBack(LeaseCalls leases, String holder) throws IOException {
    AcquireResponseProto answer = leases.acquire(holder);
    if (answer.hasLease()) {
      leases.release(answer.getLease());
    }
    return answer.hasLease();
  }

  /** Two stripes at once are begun, not the others. */
  @Test
  void encodingAnewIsBrokenOffBetweenStripes() throws Exception {
    for (int file = 0; file < 18; file++) {
      fixture.write("/thin/f" + file, ClusterFixture.BLOCK, 3, RANDOM);
    }
    fixture.convertAll("rs-3-2", "/thin");
    for (StripeStatus status : fixture.stripes()) {
      String path = status.members().get(0).path();
      if (path.startsWith("/thin/")) {
        fixture.fs.delete(new Path(path), false);
      }
    }
    AtomicInteger published = new AtomicInteger();
    CompletableFuture<WatchingCoordinator> watching = new CompletableFuture<>();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.CONVERT_PUBLISHED) {
            watching.join().stop();
            published.incrementAndGet();
          }
        });
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 300)) {
      watching.complete(watch);
      Await.until("a stripe to be encoded anew", () -> published.get() > 0);
      watch.end();
    } finally {
      InjectedFaults.clear();
    }
    assertTrue(published.get() <= 2, published + " stripes were encoded anew");
    try (NameNodeCalls calls = fixture.calls()) {
      List<StripeStatus> thinned = new ArrayList<>();
      calls.thinnedStripes(thinned::addAll);
      assertFalse(thinned.isEmpty());
      fixture.repair("/thin", "chain");
      calls.thinnedStripes(page -> assertEquals(List.of(), page));
    }
    fixture.assertTolerant("/thin");
    fixture.fs.delete(new Path("/thin"), true);
  }

  /** Each node is missed before it comes back, as a planned restart takes a while. */
  @Test
  void aRollingRestartOfAllDataNodesRebuildsNothing() throws Exception {
    converted("/rolling/f");
    RepairPolicy patient =
        new RepairPolicy(
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalLong.of(RepairSettings.WATCH_DELAY_MILLIS),
            OptionalLong.empty());
    try (WatchingCoordinator watch =
        new WatchingCoordinator(fixture, 300, patient).awaitWatching()) {
      int home = fixture.homes(Movers.stripeOf(fixture, "/rolling/f")).get(0);
      for (int node = 0; node < fixture.hdfs.nodes(); node++) {
        String uuid = fixture.hdfs.uuid(node);
        fixture.hdfs.stopNode(node);
        try (NameNodeCalls calls = fixture.calls()) {
          Await.until(
              "it to be missed",
              () ->
                  calls.cluster().getDatanodesList().stream()
                      .anyMatch(known -> known.getUuid().equals(uuid) && known.getSuspect()));
        }
        if (node == home) {
          watch.await("wait for silent nodes");
        }
        fixture.hdfs.startNode(node);
        fixture.hdfs.awaitNodes();
        fixture.awaitTrusted(uuid);
      }
      WatchReport report = watch.end();
      assertEquals(0, report.repaired(), watch.journal.toString());
      assertEquals(0, report.traffic().crossRackBytes() + report.traffic().inRackBytes());
    }
    fixture.assertReads("/rolling/f");
    fixture.assertTolerant("/rolling/f");
  }

  @Test
  void aRepairThatHangsDoesNotKeepItFromEnding() throws Exception {
    converted("/hanging/f");
    try (HeldStep held = new HeldStep(FaultStep.WORKER_STORE, detail -> true);
        WatchingCoordinator watch = new WatchingCoordinator(fixture, 300).awaitWatching()) {
      fixture.hdfs.stopNode(fixture.heaviestNode());
      held.await();
      // What hangs goes on hanging until it has ended.
      watch.end();
    }
    // Its lease is given back and what it left is taken up.
    fixture.repair("/hanging", "chain");
    fixture.assertReads("/hanging/f");
    fixture.assertTolerant("/hanging/f");
  }

  /** It would hold the lease, and fail only when something is lost. */
  @ParameterizedTest
  @CsvSource({
    "braid.repair.scheduler, nonsense",
    "braid.repair.per-node, 0",
    "braid.repair.delay, -5m",
    "braid.daemon.cut-off-after, 0",
    "braid.daemon.cut-off-after, 999ms"
  })
  void aDaemonWithSettingsThatCannotBeDoesNotBegin(String key, String value) throws Exception {
    Connection wrong =
        new Connection(Optional.of(fixture.hdfs.uri()), List.of(), Map.of(key, value));
    WatchingCoordinator watch =
        new WatchingCoordinator(() -> Braid.connect(wrong), 300, RepairPolicy.CONFIGURED);
    ExecutionException refused =
        assertThrows(ExecutionException.class, () -> watch.await("watching"));
    assertTrue(refused.getCause() instanceof IOException, refused.toString());
    assertEquals(List.of(), watch.journal);
  }

  @Test
  void aPauseEndsARepairAtTheNextStripe() throws Exception {
    for (int file = 0; file < 16; file++) {
      fixture.write("/paused/f" + file, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    }
    fixture.convertAll("rs-3-2", "/paused");
    AtomicInteger planned = new AtomicInteger();
    AtomicBoolean paused = new AtomicBoolean();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.REPAIR_PLANNED) {
            // Two at once: those that are begun end when the others must not begin any more.
            if (planned.incrementAndGet() <= 2) {
              Await.until("the pause", paused::get);
            }
            Waiting.pause(1500);
          }
        });
    try (Cluster cluster = fixture.braid();
        WatchingCoordinator watch = new WatchingCoordinator(fixture, 300).awaitWatching()) {
      int node = fixture.heaviestNode();
      fixture.hdfs.stopNode(node);
      Await.until("repairs", () -> planned.get() > 0);
      cluster
          .policies()
          .change("for a test", before -> before.pausing(Pausable.REPAIR, Instant.MAX));
      // It is heard of within a second, and what was begun is ended.
      Thread.sleep(2000);
      paused.set(true);
      Thread.sleep(4000);
      int begun = planned.get();
      Await.stays("no repair is begun", Duration.ofSeconds(5), begun, planned::get);
      cluster.policies().change("for a test", before -> before.resuming(Pausable.REPAIR));
      Await.until("repairs go on", () -> planned.get() > begun);
      assertTrue(watch.journal.size() > 0);
    } finally {
      paused.set(true);
      InjectedFaults.clear();
      fixture.fs.delete(new Path(BraidPaths.POLICIES), true);
    }
    fixture.startAll();
    fixture.fs.delete(new Path("/paused"), true);
  }

  @Test
  void otherWorkIsWaitedForSoLongAndNoLonger() throws Exception {
    try (NameNodeCalls calls = fixture.calls();
        LeaseKeeper held =
            LeaseKeeper.acquire(calls.leases(), "other", List.of(), 60_000, Ticker.SYSTEM)) {
      assertFalse(held.lost());
      var impatient =
          new Connection(
              Optional.of(fixture.hdfs.uri()), List.of(), Map.of(LeaseKeeper.WAIT_KEY, "1s"));
      fixture.fs.mkdirs(new Path("/impatient"));
      try (Cluster cluster = Braid.connect(impatient)) {
        // Nobody waits for a file that there is not.
        assertThrows(
            FileNotFoundException.class,
            () -> cluster.convert(ClusterFixture.request("rs-3-2", "/none")));
        RefusedException refused =
            assertThrows(
                RefusedException.class,
                () -> cluster.convert(ClusterFixture.request("rs-3-2", "/impatient")));
        String message = String.valueOf(refused.getMessage());
        String host = InetAddress.getLocalHost().getHostName();
        assertTrue(message.startsWith("another coordinator (other at " + host + ":"), message);
        assertTrue(message.contains("did not finish within 1 s"), message);
      }
    }
  }

  /** Another one works now, by a throttle of its own: what is begun is ended, the rest is left. */
  @Test
  void aCommandWhoseLeaseIsLostBeginsNothingMore() throws Exception {
    for (int file = 0; file < 6; file++) {
      fixture.write("/lost/f" + file, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    }
    AtomicInteger encoded = new AtomicInteger();
    AtomicBoolean taken = new AtomicBoolean();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.CONVERT_ENCODED) {
            encoded.incrementAndGet();
            synchronized (taken) {
              if (taken.compareAndSet(false, true)) {
                loseLease();
              }
            }
          }
        });
    try (Cluster cluster = fixture.braid()) {
      IOException refused =
          assertThrows(
              IOException.class, () -> cluster.convert(ClusterFixture.request("rs-3-2", "/lost")));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.startsWith("the lease was lost meanwhile"), message);
    } finally {
      InjectedFaults.clear();
    }
    // Two stripes are converted at once.
    assertTrue(encoded.get() <= 2, encoded + " stripes were encoded");
    fixture.convertAll("rs-3-2", "/lost");
    for (int file = 0; file < 6; file++) {
      fixture.assertConverted("/lost/f" + file);
    }
    fixture.fs.delete(new Path("/lost"), true);
  }

  private static void loseLease() throws IOException {
    try {
      LostLease.lose(fixture.hdfs);
      // Its holder is told when it renews it.
      Thread.sleep(LEASE_MILLIS);
    } catch (ReflectiveOperationException | InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void ofTwoDaemonsOneWorksAndTheOtherWaitsForItsEnd() throws Exception {
    converted("/two/f");
    try (WatchingCoordinator first = new WatchingCoordinator(fixture, 300).awaitWatching();
        WatchingCoordinator second = new WatchingCoordinator(fixture, 300)) {
      second.await("standing by");
      // It asks for the lease several times meanwhile.
      Await.stays("its journal's length", Duration.ofSeconds(4), 1, second.journal::size);
      String standing = second.journal.get(0);
      assertTrue(standing.matches("standing by: daemon at .* has the lease"), standing);
      int node = fixture.heaviestNode();
      fixture.hdfs.stopNode(node);
      fixture.hdfs.awaitDead(node);
      first.awaitRebuilt();
      WatchReport report = first.end();
      assertEquals(0, report.handOvers());
      second.awaitWatching();
    }
    fixture.startAll();
    fixture.assertTolerant("/two/f");
    fixture.assertClean("/two");
  }

  /** Connects to the NameNode alone, as a process that is cut off from all DataNodes. */
  public static final class NameNodeAlone extends StandardSocketFactory {
    @Override
    public Socket createSocket() throws IOException {
      return new Socket() {
        @Override
        public void connect(SocketAddress to, int timeout) throws IOException {
          if (((InetSocketAddress) to).getPort()
              != fixture.hdfs.nameNode().getNameNodeAddress().getPort()) {
            throw new ConnectException("cut off");
          }
          super.connect(to, timeout);
        }
      };
    }
  }

  /** It could repair nothing, and would keep the lease from one that can. */
  @Test
  void aDaemonThatIsCutOffFromDataNodesLeavesTheLeaseToAnother() throws Exception {
    converted("/cut/f");
    Connection cut =
        new Connection(
            Optional.of(fixture.hdfs.uri()),
            List.of(),
            Map.of(
                "braid.daemon.cut-off-after",
                "4s",
                "hadoop.rpc.socket.factory.class.ClientProtocol",
                StandardSocketFactory.class.getName(),
                "hadoop.rpc.socket.factory.class.default",
                NameNodeAlone.class.getName()));
    try (WatchingCoordinator first =
        new WatchingCoordinator(() -> Braid.connect(cut), 300, RepairPolicy.CONFIGURED)) {
      first.await("watching");
      try (WatchingCoordinator second = new WatchingCoordinator(fixture, 300).awaitWatching()) {
        String said = "no DataNode answers here: another daemon may take the lease";
        assertTrue(first.journal.contains(said), first.journal.toString());
        int node = fixture.heaviestNode();
        fixture.hdfs.stopNode(node);
        fixture.hdfs.awaitDead(node);
        second.awaitRebuilt();
      }
    }
    fixture.startAll();
    fixture.assertTolerant("/cut/f");
    fixture.assertClean("/cut");
  }

  @Test
  void rebuildsWhatIsLostByItselfAlsoAfterARestartOfTheNameNode() throws Exception {
    converted("/restarted/f");
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 300).awaitWatching()) {
      fixture.hdfs.restartNameNode();
      watch.await("the lease is lost");
      int node = fixture.heaviestNode();
      fixture.hdfs.stopNode(node);
      fixture.hdfs.awaitDead(node);
      watch.awaitRebuilt();
      fixture.assertReads("/restarted/f");
      WatchReport report = watch.end();
      assertTrue(report.repaired() > 0, report + " " + watch.journal);
      assertEquals(0, report.unrepairable());
      assertTrue(report.traffic().crossRackBytes() + report.traffic().inRackBytes() > 0);
    }
    fixture.startAll();
    fixture.assertTolerant("/restarted/f");
    fixture.assertClean("/restarted");
  }
}
