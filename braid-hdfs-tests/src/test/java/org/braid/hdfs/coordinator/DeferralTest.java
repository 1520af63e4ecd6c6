package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Clients that know nothing of Braid read lost blocks while a coordinator watches. */
final class DeferralTest {
  private static final Random RANDOM = Seeds.random(DeferralTest.class);
  private static final long SELDOM = 3_600_000;
  private static final long CAP_MILLIS = 10_000;

  /** Of clients whose reads are timed: errors of a busy machine are no reason to give up. */
  private static final int PATIENCE_MILLIS = 300;

  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(4, 8, Map.of("braid.namenode.deferral.wait", CAP_MILLIS + "ms"));

  private static PlainClients clients;
  private static WebClients web;

  @TempDir java.nio.file.Path directory;

  @BeforeAll
  static void prepare() throws Exception {
    clients = new PlainClients(fixture, RANDOM);
    web = new WebClients(fixture);
  }

  @AfterEach
  void heal() throws Exception {
    fixture.startAll();
  }

  /** Two nodes without which each of some files has lost blocks. */
  private static List<Integer> pairThatHurts(List<String> paths) throws IOException {
    Map<List<Integer>, Integer> least = new HashMap<>();
    for (int a = 0; a < fixture.hdfs.nodes(); a++) {
      for (int b = a + 1; b < fixture.hdfs.nodes(); b++) {
        List<Integer> pair = List.of(a, b);
        for (String path : paths) {
          int lost =
              (int)
                  clients.blocks(path).stream()
                      .filter(x -> pair.contains(clients.holder(x)))
                      .count();
          least.merge(pair, lost, Math::min);
        }
      }
    }
    var best = java.util.Collections.max(least.entrySet(), Map.Entry.comparingByValue());
    assertTrue(best.getValue() > 0, "every pair of nodes leaves a file unhurt: " + least);
    return best.getKey();
  }

  private static byte[] shell(String... command) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream taken = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(taken);
      assertEquals(
          0, ToolRunner.run(new FsShell(clients.plain()), command), Arrays.toString(command));
    } finally {
      System.setOut(out);
    }
    return bytes.toByteArray();
  }

  private static String stripeOf(String path) throws IOException {
    try (NameNodeCalls calls = fixture.calls()) {
      return calls
          .stripesOf(List.of(clients.blocks(path).get(0).block().id()))
          .get(0)
          .stripe()
          .id();
    }
  }

  @Test
  void allPlainClientsReadWhatIsLost() throws Exception {
    List<String> paths = clients.converted("/plain", 5);
    List<Integer> pair = pairThatHurts(paths);
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(pair);
      int length = fixture.content(paths.get(1)).length;
      List<Callable<byte[]>> readers =
          List.of(
              () -> clients.stream(paths.get(0)),
              () -> clients.pread(paths.get(1), length),
              () -> shell("-cat", paths.get(2)),
              () -> web.client(paths.get(3), directory),
              () -> web.get(paths.get(4)));
      for (int i = 0; i < readers.size(); i++) {
        assertArrayEquals(fixture.content(paths.get(i)), readers.get(i).call(), paths.get(i));
      }
      assertTrue(watch.end().demanded() >= readers.size());
    }
    fixture.startAll();
    for (String path : paths) {
      fixture.assertConverted(path);
      fixture.assertTolerant(path);
    }
  }

  /**
   * A node loses its power: HDFS believes in it for minutes, and whoever asks it waits for a
   * minute.
   */
  @Test
  void aSilentNodeIsSuspectAtOnceAndItsReturnHarmsNothing() throws Exception {
    try (DataNodeProcess silent = DataNodeProcess.start(fixture, "rack0-silent", directory)) {
      String uuid = awaitRegistered("rack0-silent");
      List<String> paths = onNode(uuid, 3);
      try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
        silent.fallSilent();
        assertTrue(clients.awaitSuspect(uuid).live(), "suspect only when HDFS calls it dead");
        long since = System.nanoTime();
        assertArrayEquals(
            fixture.content(paths.get(0)),
            clients.stream(clients.plain(PATIENCE_MILLIS), paths.get(0)));
        assertArrayEquals(fixture.content(paths.get(1)), web.get(paths.get(1)));
        fixture.assertReadsDegraded(paths.get(2));
        double read = (System.nanoTime() - since) / 1e9;
        assertTrue(read < 60, "the silent node was waited for: reading took " + read + " s");
        assertTrue(watch.end().demanded() >= 2);
      }
      silent.wakeUp();
      fixture.awaitTrusted(uuid);
      clients.awaitReported(uuid);
      for (String path : paths) {
        fixture.assertConverted(path);
        fixture.assertReads(path);
      }
      fixture.assertClean("/silent");
      fixture.fs.delete(new Path("/silent"), true);
    }
  }

  private static String awaitRegistered(String host) throws Exception {
    try (NameNodeCalls calls = fixture.calls()) {
      return Await.until(
              host + " to register",
              () ->
                  calls.cluster().getDatanodesList().stream()
                      .map(StatusCodec::of)
                      .filter(node -> node.host().equals(host))
                      .findFirst(),
              Optional::isPresent)
          .orElseThrow()
          .uuid();
    }
  }

  /** Converted files of which a data block is on a node. */
  private static List<String> onNode(String uuid, int wanted) throws Exception {
    List<String> found = new ArrayList<>();
    for (int i = 0; found.size() < wanted; i++) {
      assertTrue(i < 6, "no file has a block on the node");
      for (String path : clients.converted("/silent/" + i, 2)) {
        if (clients.blocks(path).stream().anyMatch(b -> b.replicas().get(0).node().equals(uuid))) {
          found.add(path);
        }
      }
    }
    return found.subList(0, wanted);
  }

  @Test
  void tenReadersOfOneBlockWaitForOneRepair() throws Exception {
    String path = clients.converted("/ten", 1).get(0);
    int node = clients.holder(clients.blocks(path).get(0));
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(List.of(node));
      ExecutorService threads = Executors.newFixedThreadPool(10);
      try {
        List<Callable<Double>> readers =
            IntStream.range(0, 10)
                .<Callable<Double>>mapToObj(
                    i ->
                        () -> {
                          long since = System.nanoTime();
                          byte[] read =
                              clients.pread(
                                  clients.plain(PATIENCE_MILLIS), path, ClusterFixture.BLOCK);
                          assertArrayEquals(
                              Arrays.copyOf(fixture.content(path), ClusterFixture.BLOCK), read);
                          return (System.nanoTime() - since) / 1e9;
                        })
                .toList();
        double longest = 0;
        for (Future<Double> reader : threads.invokeAll(readers)) {
          longest = Math.max(longest, reader.get());
        }
        assertTrue(longest < 12, "a reader waited " + longest + " s");
      } finally {
        threads.shutdownNow();
      }
      fixture.assertConverted(path);
      assertTrue(watch.end().demanded() > 0);
    }
  }

  /** Another tenant's file shares the stripe: only the block itself may be seen. */
  @Test
  void aReaderThatMayNotDecodeTheStripeWaitsForTheRepair() throws Exception {
    String path = "/tenants/ours";
    fixture.write(path, ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/tenants/theirs", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/tenants");
    assertEquals(stripeOf(path), stripeOf("/tenants/theirs"));
    fixture.fs.setPermission(new Path("/tenants/theirs"), new FsPermission((short) 0600));
    clients.awaitOneCopyEach(path);
    int node = clients.holder(clients.blocks(path).get(0));
    UserGroupInformation reader = UserGroupInformation.createRemoteUser("reader");
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(List.of(node));
      reader.doAs(
          (PrivilegedExceptionAction<Boolean>)
              () -> {
                fixture.assertReadsDegraded(path);
                return true;
              });
      assertTrue(watch.end().demanded() > 0);
    }
    fixture.fs.delete(new Path("/tenants"), true);
  }

  /**
   * A wall between a client and the workers: their ports are not open to it, the DataNodes' are.
   */
  public static final class Wall extends StandardSocketFactory {
    private static final Set<Integer> WORKERS = ConcurrentHashMap.newKeySet();

    @Override
    public Socket createSocket() throws IOException {
      return new Socket() {
        @Override
        public void connect(SocketAddress to, int millis) throws IOException {
          if (WORKERS.contains(((InetSocketAddress) to).getPort())) {
            throw new ConnectException("walled off");
          }
          super.connect(to, millis);
        }
      };
    }
  }

  @Test
  void aReaderThatReachesNoWorkerWaitsForTheRepair() throws Exception {
    String path = clients.converted("/walled", 1).get(0);
    int node = clients.holder(clients.blocks(path).get(0));
    IntStream.range(0, fixture.hdfs.nodes())
        .forEach(i -> Wall.WORKERS.add(fixture.hdfs.dataNode(i).getIpcPort()));
    Configuration walled = clients.plain();
    walled.set("fs.hdfs.impl", "org.braid.hdfs.client.BraidFileSystem");
    walled.set("hadoop.rpc.socket.factory.class.default", Wall.class.getName());
    walled.set(
        "hadoop.rpc.socket.factory.class.ClientProtocol", StandardSocketFactory.class.getName());
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(List.of(node));
      assertArrayEquals(fixture.content(path), clients.stream(walled, path));
      assertTrue(watch.end().demanded() > 0);
    }
  }

  @Test
  void appendsWaitForTheLastBlock() throws Exception {
    String path = clients.converted("/append", 1).get(0);
    List<BlockStatus> blocks = clients.blocks(path);
    int node = clients.holder(blocks.get(blocks.size() - 1));
    java.nio.file.Path more = Files.write(directory.resolve("more"), new byte[] {1, 2, 3});
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(List.of(node));
      shell("-appendToFile", more.toString(), path);
      byte[] content = fixture.content(path);
      byte[] longer = Arrays.copyOf(content, content.length + 3);
      System.arraycopy(new byte[] {1, 2, 3}, 0, longer, content.length, 3);
      assertArrayEquals(longer, clients.stream(path));
      assertTrue(watch.end().demanded() > 0);
    }
    fixture.fs.delete(new Path(path), false);
  }

  /** The NameNode sends who asks for it to a node that has the last block, and is not silent. */
  @Test
  void aChecksumOverWebHdfsWaitsForTheLastBlock() throws Exception {
    String path = clients.converted("/websum", 1).get(0);
    String sum = web.checksum(path);
    List<BlockStatus> blocks = clients.blocks(path);
    int node = clients.holder(blocks.get(blocks.size() - 1));
    int port = fixture.hdfs.dataNode(node).getInfoPort();
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(List.of(node));
      for (int i = 0; i < 20; i++) { // HDFS itself takes any of the nodes that it believes in
        assertEquals(sum, web.checksum(path));
        assertNotEquals(port, web.named(path, "GETFILECHECKSUM").getPort());
      }
      assertTrue(watch.end().demanded() > 0);
    }
  }

  /** Who may not write to the file has no block rebuilt by it. */
  @Test
  void appendsOverWebHdfsWaitForTheLastBlock() throws Exception {
    String path = clients.converted("/webappend", 1).get(0);
    List<String> homes = clients.homesOfLast(path);
    byte[] more = {1, 2, 3};
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(List.of(fixture.hdfs.indexOf(homes.get(0)).orElseThrow()));
      assertThrows(IOException.class, () -> web.append(path, more, "mallory"));
      List<String> now = clients.homesOfLast(path); // none, once HDFS calls the node dead
      assertTrue(homes.containsAll(now), "rebuilt on " + now);
      web.appendWaiting(path, more, System.getProperty("user.name"), CAP_MILLIS);
      byte[] content = fixture.content(path);
      byte[] longer = Arrays.copyOf(content, content.length + more.length);
      System.arraycopy(more, 0, longer, content.length, more.length);
      assertArrayEquals(longer, clients.stream(clients.plain(PATIENCE_MILLIS), path));
      assertTrue(watch.end().demanded() > 0);
    }
    fixture.fs.delete(new Path(path), false);
  }

  /** HDFS has nobody write to what a snapshot has, and says so at once. */
  @Test
  void nobodyWaitsToAppendToASnapshot() throws Exception {
    Path file = new Path(clients.converted("/snapped", 1).get(0));
    Path root = new Path("/snapped");
    fixture.fs.allowSnapshot(root);
    Path snapshot = fixture.fs.createSnapshot(root, "s");
    Path snapped = new Path(snapshot, root.toUri().relativize(file.toUri()).getPath());
    List<BlockStatus> blocks = clients.blocks(file.toString());
    try (NameNodeCalls calls = fixture.calls()) {
      clients.lose(List.of(clients.holder(blocks.get(blocks.size() - 1))));
      String lease = calls.leases().acquire("one that dies").getLease();
      assertFalse(lease.isEmpty());
      calls
          .leases()
          .demands(DemandsRequestProto.newBuilder().setLease(lease).setWaitMillis(1).build());
      long since = System.nanoTime();
      IOException refusal =
          assertThrows(IOException.class, () -> fixture.fs.append(snapped).close());
      double seconds = (System.nanoTime() - since) / 1e9;
      assertTrue(refusal.getMessage().contains("snapshot"), refusal.getMessage());
      assertTrue(seconds < CAP_MILLIS / 1000.0, "the refusal came after " + seconds + " s");
      calls.leases().release(lease); // other tests need not wait for its end
    }
    fixture.fs.deleteSnapshot(root, "s");
    fixture.fs.disallowSnapshot(root);
    fixture.fs.delete(root, true);
  }

  @Test
  void whatCannotBeRebuiltFailsAtOnce() throws Exception {
    String path = clients.converted("/beyond", 1).get(0);
    List<Integer> homes = fixture.homes(fixture.stripes().get(0));
    try (NameNodeCalls calls = fixture.calls()) {
      long first = clients.blocks(path).get(0).block().id();
      homes = fixture.homes(calls.stripesOf(List.of(first)).get(0));
    }
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(homes.subList(0, 3));
      long since = System.nanoTime();
      assertThrows(BlockMissingException.class, () -> clients.pread(path, ClusterFixture.BLOCK));
      double seconds = (System.nanoTime() - since) / 1e9;
      assertTrue(seconds < CAP_MILLIS / 1000.0, "the error came after " + seconds + " s");
      assertThrows(IOException.class, () -> web.get(path));
      assertEquals(0, watch.end().demanded());
    }
  }

  @Test
  void withoutACoordinatorNobodyWaitsAndWithADeadOneNotForLong() throws Exception {
    String path = clients.converted("/alone", 1).get(0);
    int node = clients.holder(clients.blocks(path).get(0));
    clients.lose(List.of(node));
    long since = System.nanoTime();
    assertThrows(BlockMissingException.class, () -> clients.pread(path, ClusterFixture.BLOCK));
    assertTrue((System.nanoTime() - since) / 1e9 < CAP_MILLIS / 1000.0);
    try (NameNodeCalls calls = fixture.calls()) {
      String lease = calls.leases().acquire("one that dies").getLease();
      assertFalse(lease.isEmpty());
      calls
          .leases()
          .demands(DemandsRequestProto.newBuilder().setLease(lease).setWaitMillis(1).build());
    }
    since = System.nanoTime();
    assertThrows(BlockMissingException.class, () -> clients.pread(path, ClusterFixture.BLOCK));
    double seconds = (System.nanoTime() - since) / 1e9;
    assertTrue(seconds >= CAP_MILLIS / 1000.0, "did not wait: " + seconds + " s");
    assertTrue(seconds < 3 * CAP_MILLIS / 1000.0, "waited " + seconds + " s");
    // The next one takes over when the lease has expired.
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      fixture.assertReads(path);
      WatchReport report = watch.end();
      assertTrue(report.repaired() + report.demanded() > 0, report.toString());
    }
  }

  @Test
  void demandsAreMetWhileOtherWorkHoldsTheLease() throws Exception {
    String path = clients.converted("/busy", 1).get(0);
    int node = clients.holder(clients.blocks(path).get(0));
    try (NameNodeCalls calls = fixture.calls();
        Cluster cluster = fixture.braid()) {
      clients.lose(List.of(node));
      assertEquals(1, cluster.status("/busy").files().converted());
      Thread reader = new Thread(() -> assertReads(path));
      List<Throwable> failures = new ArrayList<>();
      reader.setUncaughtExceptionHandler((thread, e) -> failures.add(e));
      // The work: a conversion that is at its first stripe for as long as the reader takes.
      InjectedFaults.install(
          (step, where) -> {
            if (step == FaultStep.CONVERT_GROUPED) {
              reader.start();
              joined(reader);
            }
          });
      try {
        fixture.write("/busy2/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
        fixture.convertAll("rs-3-2", "/busy2");
      } finally {
        InjectedFaults.clear();
      }
      assertEquals(List.of(), failures);
    }
  }

  private static void joined(Thread thread) {
    try {
      thread.join(60_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertReads(String path) {
    try {
      fixture.assertReads(path);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
