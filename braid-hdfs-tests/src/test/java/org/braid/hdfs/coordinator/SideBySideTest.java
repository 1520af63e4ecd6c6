package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.HeldStep;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands that work at once, each on paths of its own. */
final class SideBySideTest {
  private static final Random RANDOM = Seeds.random(SideBySideTest.class);
  private static final int SECONDS = 60;
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 10);

  @AfterEach
  void reset() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.repair("/", "chain");
  }

  private static String written(String path) throws IOException {
    fixture.write(path, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    return path;
  }

  private static String converted(String path) throws IOException {
    fixture.convertAll("rs-3-2", written(path));
    fixture.assertConverted(path);
    return path;
  }

  private static <T> FutureTask<T> begin(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "test-beside");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static <T> T ended(FutureTask<T> task) throws Exception {
    return task.get(SECONDS, TimeUnit.SECONDS);
  }

  private static void await(FutureTask<?>... tasks) throws Exception {
    for (FutureTask<?> task : tasks) {
      var unused = ended(task);
    }
  }

  private static int staged() throws IOException {
    return fixture.fs.listStatus(new Path(BraidPaths.STAGING)).length;
  }

  /** Where parity is that no stripe has yet. */
  private static Set<String> hostsOfStaged() throws IOException {
    Set<String> hosts = new TreeSet<>();
    var files = fixture.fs.listFiles(new Path(BraidPaths.STAGING), true);
    while (files.hasNext()) {
      for (BlockLocation block : files.next().getBlockLocations()) {
        Collections.addAll(hosts, block.getHosts());
      }
    }
    return hosts;
  }

  private static void assertConverted(String path) throws IOException {
    fixture.assertConverted(path);
    fixture.assertReads(path);
    fixture.assertClean(path);
  }

  /** A conversion may last for days. */
  @Test
  void whatIsDoneOnOtherPathsDoesNotWaitForAConversion() throws Exception {
    String path = written("/long/f");
    String other = converted("/other/f");
    String lost = converted("/lost/f");
    FutureTask<ConvertReport> conversion = begin(() -> fixture.convert("rs-3-2", "/long"));
    try (HeldStep held = new HeldStep(FaultStep.CONVERT_VERIFIED, detail -> true)) {
      held.await();
      assertEquals(1, staged());
      assertEquals(List.of(), fixture.fsck("/long").orphans(), "somebody is at work on it");
      try (Cluster cluster = fixture.braid()) {
        String work = cluster.status("/").coordination().coordinator();
        assertTrue(work.startsWith("convert at "), work);
        cluster.restore("/other", Progress.SILENT);
      }
      Set<String> parity = hostsOfStaged();
      assertFalse(parity.isEmpty());
      fixture.hdfs.stopNode(
          fixture.homes(Movers.stripesOf(fixture, lost).get(0)).stream()
              .filter(node -> !parity.contains(fixture.hdfs.nodeName(node)))
              .findFirst()
              .orElseThrow());
      fixture.repair("/lost", "chain"); // it sweeps what is left over, too
      assertEquals(1, staged());
      assertFalse(conversion.isDone());
    }
    assertEquals(List.of(), ended(conversion).skipped());
    fixture.startAll();
    assertConverted(path);
    assertEquals(List.of(), Movers.stripesOf(fixture, other));
    assertEquals(3, fixture.files(other).get(0).replication());
    fixture.assertReads(other);
    fixture.assertReads(lost);
    fixture.assertTolerant(lost);
    assertEquals(0, staged());
  }

  /** A home that stops while its stripe is published: the block's other replica stays instead. */
  @Test
  void aReplicaStaysInPlaceOfOneWhoseNodeStops() throws Exception {
    Map<String, List<Integer>> racks = new TreeMap<>();
    for (int node = 0; node < fixture.hdfs.nodes(); node++) {
      racks
          .computeIfAbsent(fixture.rack(fixture.hdfs.uuid(node)), rack -> new ArrayList<>())
          .add(node);
    }
    List<List<Integer>> pairs = List.copyOf(racks.values());
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<Integer> pair = pairs.get(i);
      String path = "/pairs/f" + i;
      fixture.writeOn(
          path, ClusterFixture.BLOCK, RANDOM, pair.get(0), pair.get(1), pairs.get(3).get(0));
      paths.add(path);
    }
    FutureTask<ConvertReport> conversion = begin(() -> fixture.convert("rs-3-2", "/pairs"));
    Set<Integer> pair;
    int home;
    String path;
    try (HeldStep held = new HeldStep(FaultStep.CONVERT_PUBLISHED, detail -> true)) {
      held.await();
      // Nothing needs its parity before it is trimmed.
      assertEquals(List.of(), fixture.fsck("/pairs").orphans(), "somebody is at work on it");
      // At most one of the stripe's blocks stays in the fourth rack.
      int block = pairs.get(0).contains(home(paths.get(0))) ? 0 : 1;
      path = paths.get(block);
      pair = new TreeSet<>(pairs.get(block));
      home = home(path);
      fixture.hdfs.stopNode(home);
      fixture.awaitDead();
    }
    assertEquals(List.of(), ended(conversion).skipped());
    assertEquals(0, ended(conversion).relocatedBlocks());
    assertTrue(pair.remove(home), "home " + home);
    assertEquals(pair, Set.of(home(path)));
    fixture.startAll();
    for (String each : paths) {
      assertConverted(each);
    }
  }

  /** The node of a file's only block. */
  private static int home(String path) throws IOException {
    long block = fixture.files(path).get(0).blocks().get(0).block().id();
    Stripe stripe = Movers.stripesOf(fixture, path).get(0).stripe();
    return stripe.members().stream()
        .filter(member -> !member.isVirtual() && member.block().id() == block)
        .mapToInt(member -> fixture.hdfs.indexOf(member.home()).orElseThrow())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsDoneOnTheSamePathsWaitsForAConversion() throws Exception {
    String path = written("/same/d/f");
    Map<String, String> properties = new HashMap<>(fixture.hdfs.clientProperties());
    properties.put(LeaseKeeper.WAIT_KEY, "1s");
    Connection hasty = new Connection(Optional.of(fixture.hdfs.uri()), List.of(), properties);
    FutureTask<ConvertReport> conversion = begin(() -> fixture.convert("rs-3-2", "/same/d"));
    try (HeldStep held = new HeldStep(FaultStep.CONVERT_VERIFIED, detail -> true);
        Cluster cluster = Braid.connect(hasty)) {
      held.await();
      for (String same : List.of(path, "/same", "/")) {
        RefusedException refused =
            assertThrows(
                RefusedException.class, () -> cluster.restore(same, Progress.SILENT), same);
        assertTrue(
            String.valueOf(refused.getMessage()).startsWith("another coordinator (convert at "),
            refused.getMessage());
      }
    }
    assertEquals(List.of(), ended(conversion).skipped());
    assertConverted(path);
  }

  /** One lease leads; once it ends, another one rebuilds what is lost and what readers wait for. */
  @Test
  void whoWorksOnRebuildsWhatIsLostOnceTheFirstHasEnded() throws Exception {
    String path = converted("/before/f");
    written("/first/f");
    written("/second/f");
    CountDownLatch firstHeld = new CountDownLatch(1);
    CountDownLatch bothHeld = new CountDownLatch(2);
    CountDownLatch firstGoesOn = new CountDownLatch(1);
    CountDownLatch secondGoesOn = new CountDownLatch(1);
    InjectedFaults.install(
        (step, detail) -> {
          if (step != FaultStep.CONVERT_VERIFIED) {
            return;
          }
          boolean first = firstHeld.getCount() == 1;
          firstHeld.countDown();
          bothHeld.countDown();
          try {
            var unused = (first ? firstGoesOn : secondGoesOn).await(SECONDS, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    FutureTask<ConvertReport> first = begin(() -> fixture.convert("rs-3-2", "/first"));
    assertTrue(firstHeld.await(SECONDS, TimeUnit.SECONDS));
    FutureTask<ConvertReport> second = begin(() -> fixture.convert("rs-3-2", "/second"));
    assertTrue(bothHeld.await(SECONDS, TimeUnit.SECONDS));
    firstGoesOn.countDown();
    assertEquals(List.of(), ended(first).skipped());
    int node = fixture.homes(Movers.stripesOf(fixture, path).get(0)).get(2);
    fixture.hdfs.stopNode(node);
    Await.until(
        "its blocks to be rebuilt",
        () ->
            Movers.stripesOf(fixture, path).stream()
                .noneMatch(s -> fixture.homes(s).contains(node)));
    assertFalse(second.isDone());
    secondGoesOn.countDown();
    var unused = ended(second); // the node may have had parity of it
    fixture.assertReads(path);
    fixture.assertTolerant(path);
  }

  /** Two restore and repair files of the same stripes, each below its own path. */
  @Test
  void filesOfOneStripeAreRestoredAndRepairedAtOnce() throws Exception {
    fixture.write("/shared/a/f", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/shared/b/f", 2 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/shared");
    StripeStatus stripe = Movers.stripesOf(fixture, "/shared/a/f").get(0);
    assertEquals(
        stripe.stripe().id(), Movers.stripesOf(fixture, "/shared/b/f").get(0).stripe().id());
    fixture.assertConverted("/shared/b/f");
    // Its file is not the one that is restored.
    int node = fixture.homes(stripe).get(stripe.member(0).path().endsWith("/b/f") ? 0 : 2);
    fixture.hdfs.stopNode(node);
    try (Cluster cluster = fixture.braid()) {
      FutureTask<Object> restoration = begin(() -> cluster.restore("/shared/a", Progress.SILENT));
      FutureTask<Object> repair = begin(() -> fixture.repair("/shared/b", "chain"));
      await(restoration, repair);
    }
    fixture.assertReads("/shared/a/f");
    fixture.assertReads("/shared/b/f");
    fixture.assertTolerant("/shared/a/f");
    fixture.assertTolerant("/shared/b/f");
    assertEquals(3, fixture.files("/shared/a/f").get(0).replication());
  }

  /**
   * What was below one path is below the other now, and is encoded twice at once: one of the
   * stripes is refused, as each would drop the replicas that the other relies on.
   */
  @Test
  void aFileThatIsRenamedMeanwhileIsInOneStripe() throws Exception {
    written("/from/f");
    fixture.fs.mkdirs(new Path("/to"));
    byte[] content = fixture.content("/from/f");
    FutureTask<ConvertReport> conversion = begin(() -> fixture.convert("rs-3-2", "/from"));
    try (HeldStep held = new HeldStep(FaultStep.CONVERT_VERIFIED, holdsOne())) {
      held.await();
      assertTrue(fixture.fs.rename(new Path("/from/f"), new Path("/to/f")));
      ConvertReport second = fixture.convert("rs-3-2", "/to");
      assertEquals(List.of(), second.skipped());
      assertFalse(conversion.isDone());
    }
    List<ConvertReport.Skipped> skipped = ended(conversion).skipped();
    assertEquals(1, skipped.size());
    assertTrue(skipped.get(0).reason().contains("is in stripe "), skipped.toString());
    assertEquals(1, Movers.stripesOf(fixture, "/to/f").size());
    fixture.assertConverted("/to/f");
    fixture.assertClean("/to/f");
    assertArrayEquals(content, ClusterFixture.read(fixture.fs, "/to/f"));
    assertEquals(0, staged());
  }

  /** Its parity protects nothing yet, and is about to. */
  @Test
  void anUnfinishedStripeIsNotSweptWhereItsFileIsRenamedMeanwhile() throws Exception {
    for (FaultStep step : List.of(FaultStep.CONVERT_PUBLISHED, FaultStep.CONVERT_RELOCATED)) {
      String from = "/moves-" + step + "/f";
      String to = "/moved-" + step;
      written(from);
      fixture.fs.mkdirs(new Path(to));
      FutureTask<ConvertReport> conversion = begin(() -> fixture.convert("rs-3-2", from));
      try (HeldStep held = new HeldStep(step, detail -> true)) {
        held.await();
        assertTrue(fixture.fs.rename(new Path(from), new Path(to + "/f")));
        try (Cluster cluster = fixture.braid()) {
          RestoreReport report = cluster.restore(to, Progress.SILENT);
          assertEquals(
              List.of("IN_USE"),
              report.skipped().stream().map(ConvertReport.Skipped::cause).toList());
        }
        assertFalse(conversion.isDone());
      }
      assertEquals(List.of(), ended(conversion).skipped());
      assertEquals(1, Movers.stripesOf(fixture, to + "/f").size());
      fixture.assertConverted(to + "/f");
      fixture.assertClean(to + "/f");
    }
  }

  /** The first one, and nobody else. */
  private static Predicate<String> holdsOne() {
    AtomicInteger reached = new AtomicInteger();
    return detail -> reached.getAndIncrement() == 0;
  }

  /** What a deletion leaves of a stripe is encoded anew by whoever works on each file's path. */
  @Test
  void whatIsLeftOfAStripeIsEncodedAnewBelowThePathAlone() throws Exception {
    fixture.write("/thin/a/f", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/thin/b/f", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/thin/c/f", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/thin");
    Set<String> before = stripesOf("/thin/b/f");
    assertFalse(Collections.disjoint(before, stripesOf("/thin/a/f")), "a stripe of all three");
    assertTrue(fixture.fs.delete(new Path("/thin/c/f"), true));
    fixture.repair("/thin/a", "chain");
    assertEquals(before, stripesOf("/thin/b/f"));
    fixture.assertReads("/thin/a/f");
    fixture.assertReads("/thin/b/f");
    fixture.repair("/", "chain");
    Await.until(
        "what is not worth new parity to be replicated",
        () -> {
          try {
            fixture.assertTolerant("/thin/a/f");
            fixture.assertTolerant("/thin/b/f");
            return true;
          } catch (AssertionError e) {
            return false;
          }
        });
  }

  private static Set<String> stripesOf(String path) throws IOException {
    Set<String> ids = new TreeSet<>();
    Movers.stripesOf(fixture, path).forEach(status -> ids.add(status.stripe().id()));
    return ids;
  }
}
