package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TextInputFormat;
import org.braid.hdfs.client.degraded.DegradedSettings;
import org.braid.hdfs.client.readahead.ReadAheadSettings;
import org.braid.hdfs.client.statistics.ReadCounters.Counter;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.namenode.RecordedAudit;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testing.StripeFixture.Converted;
import org.braid.testing.Await;
import org.braid.testing.Await.Look;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which helpers a degraded read asks, what they move, and what happens when they are slow. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HelperTest {
  private static final int SIZE = 3 * ClientFixture.BLOCK;

  private final Random random = Seeds.random(HelperTest.class);
  private ClientFixture fixture;
  private Converted file;
  private byte[] content;

  /** The blocks of the one stripe are on nodes 0 to 4, in racks 0, 1, 2, 0, 1. */
  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    fixture =
        new ClientFixture(
            directory,
            Map.of(
                // A node that stops is silent until the test has it called dead.
                DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
                "20000",
                // HDFS then changes the context of a caller before Braid sees its answer.
                DFSConfigKeys.DFS_NAMENODE_AUDIT_LOG_WITH_REMOTE_PORT_KEY,
                "true",
                DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY,
                RecordedAudit.class.getName()));
    content = ClientFixture.content(random, SIZE);
    file = fixture.stripes.write("/helped", content);
  }

  @AfterEach
  void heal() throws IOException {
    InjectedFaults.clear();
    fixture.heal();
  }

  @AfterAll
  void stop() throws IOException {
    fixture.close();
  }

  private BraidFileSystem client(Map<String, String> more) throws IOException {
    Map<String, String> properties = new HashMap<>();
    properties.put(DegradedSettings.HEDGES, "0");
    properties.putAll(more);
    return fixture.client(properties);
  }

  private void check(FSDataInputStream in, int from, int length) throws IOException {
    byte[] read = new byte[length];
    in.readFully(from, read);
    assertArrayEquals(Arrays.copyOfRange(content, from, from + length), read, from + "+" + length);
  }

  /** What a stream counted; helpers tell what they sent only after they have sent it all. */
  private static void assertCounted(FSDataInputStream in, Counter counter, long expected) {
    Await.untilEqual(counter.key(), expected, () -> counted(in, counter));
  }

  private static long counted(FSDataInputStream in, Counter counter) {
    Long value = in.getIOStatistics().counters().get(counter.key());
    return value == null ? -1 : value;
  }

  /** Two helpers are in rack 1, so that from there only one other rack has to send. */
  @ParameterizedTest
  @CsvSource({
    "star, /rack1, 1", "ppr, /rack1, 1", "chain, /rack1, 1", "racktree, /rack1, 1",
    "auto, /rack1, 1", "star, /rack0, 2", "chain, /rack0, 1", "racktree, /rack0, 1",
    "star, '', 3", "chain, '', 2"
  })
  void helpersAreNearAndOnlyWhatIsAskedForMoves(String shape, String rack, int crossings)
      throws Exception {
    fixture.stop(List.of(0));
    int length = 7001;
    try (BraidFileSystem fs =
            client(Map.of(DegradedSettings.SHAPE, shape, DegradedSettings.RACK, rack));
        FSDataInputStream in = fs.open(file.path())) {
      check(in, 12_345, length);
      assertCounted(in, Counter.DEGRADED_READS, 1);
      assertCounted(in, Counter.DEGRADED_BYTES, length);
      assertCounted(in, Counter.DEGRADED_BYTES_MOVED, 3L * length);
      assertCounted(in, Counter.DEGRADED_BYTES_CROSS_RACK, (long) crossings * length);
      assertCounted(in, Counter.DEGRADED_BYTES_CROSS_SITE, 0);
    }
  }

  @Test
  void rangeAcrossTheBorderOfTwoLostBlocksMovesThatRangeOnly() throws Exception {
    fixture.stop(List.of(0, 1));
    try (BraidFileSystem fs = client(Map.of());
        FSDataInputStream in = fs.open(file.path())) {
      check(in, ClientFixture.BLOCK - 3000, 5003);
      assertCounted(in, Counter.DEGRADED_READS, 2);
      assertCounted(in, Counter.DEGRADED_BYTES, 5003);
      assertCounted(in, Counter.DEGRADED_BYTES_MOVED, 3 * 5003);
      check(in, 2 * ClientFixture.BLOCK - 100, 200);
      // The second half of these is healthy.
      assertCounted(in, Counter.DEGRADED_BYTES_MOVED, 3 * 5103);
      assertEquals(
          5103L, fs.getIOStatistics().counters().get(Counter.DEGRADED_BYTES.key()).longValue());
    }
  }

  /** Holds up all reads of a block until they are interrupted, or a stream would be given up. */
  private void delay(int member, AtomicInteger held) {
    String block = "blk_" + file.stripes().get(0).proto().getMembers(member).getBlock().getId();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_READ && detail.contains(block)) {
            held.incrementAndGet();
            sleep(120_000);
          }
        });
  }

  private static void sleep(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("woken up");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain", "racktree"})
  void slowHelperIsDoneWithout(String shape) throws Exception {
    fixture.stop(List.of(0));
    AtomicInteger held = new AtomicInteger();
    delay(1, held);
    Map<String, String> properties =
        Map.of(
            DegradedSettings.SHAPE, shape,
            DegradedSettings.RACK, "/rack1",
            DegradedSettings.HEDGES, "2",
            DegradedSettings.HEDGE_AFTER, "5s");
    try (BraidFileSystem fs = client(properties);
        FSDataInputStream in = fs.open(file.path())) {
      check(in, 0, 20_000);
      // The slow helper was not waited for.
      assertCounted(in, Counter.HEDGES_WON, 1);
      long hedges = counted(in, Counter.HEDGES);
      assertTrue(hedges == 1 || hedges == 2, hedges + " hedges");
      int before = held.get();
      // It is left out from the start then.
      check(in, 20_000, 20_000);
      assertEquals(before, held.get(), "the slow helper was asked again");
    }
  }

  @Test
  void slowHelpersAreWaitedForWhenThereAreNoOthers() throws Exception {
    fixture.stop(List.of(0, 3));
    AtomicBoolean slow = new AtomicBoolean(true);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_READ && slow.getAndSet(false)) {
            sleep(1500);
          }
        });
    try (BraidFileSystem fs =
            client(Map.of(DegradedSettings.HEDGES, "2", DegradedSettings.HEDGE_AFTER, "100ms"));
        FSDataInputStream in = fs.open(file.path())) {
      check(in, 100, 9000);
      assertCounted(in, Counter.HEDGES, 0);
      // Though suspect now, it is asked: there are no others.
      check(in, 9100, 9000);
    }
  }

  /**
   * Whatever a program lists by, it finds nodes for the lost block; splits of jobs name them. Nodes
   * that a busy machine keeps silent for a moment are not named.
   */
  @ParameterizedTest
  @CsvSource({"0, 3 6", "0 3 6, 1 4"})
  void lostBlockIsWhereItIsCheapestToRebuild(String stopped, String expected) throws Exception {
    List<Integer> nodes = Stream.of(stopped.split(" ", -1)).map(Integer::valueOf).toList();
    fixture.stop(nodes);
    fixture.awaitDead(nodes);
    assertNamed(Stream.of(expected.split(" ", -1)).map(Integer::valueOf).toList());
  }

  /** HDFS calls it dead after ten minutes, and names it until then. */
  @Test
  void noListingNamesASilentNodeForALostBlock() throws Exception {
    fixture.stop(List.of(0));
    assertNamed(List.of(3, 6));
    BlockLocation stock =
        fixture.plain.listLocatedStatus(file.path()).next().getBlockLocations()[0];
    assertEquals(List.of(fixture.cluster.nodeName(0)), List.of(stock.getHosts()));
  }

  /** Nodes that all ways to ask for locations name for the first block. */
  private void assertNamed(List<Integer> nodes) throws Exception {
    Set<String> hosts = new TreeSet<>();
    nodes.forEach(node -> hosts.add(fixture.cluster.nodeName(node)));
    var path = file.path();
    try (BraidFileSystem fs = client(Map.of())) {
      assertHosts(hosts, () -> fs.getFileBlockLocations(path, 0, 1));
      assertHosts(hosts, () -> fs.getFileBlockLocations(fs.getFileStatus(path), 0, SIZE));
      assertHosts(hosts, () -> fs.listLocatedStatus(path).next().getBlockLocations());
      assertHosts(hosts, () -> fs.listFiles(path, true).next().getBlockLocations());
      assertHosts(
          hosts,
          () ->
              fs.batchedListLocatedStatusIterator(List.of(path))
                  .next()
                  .get()
                  .get(0)
                  .getBlockLocations());
    }
    Configuration conf = fixture.configuration(Map.of());
    FileContext context = FileContext.getFileContext(URI.create(fixture.cluster.uri()), conf);
    assertHosts(hosts, () -> context.getFileBlockLocations(path, 0, SIZE));
    assertHosts(hosts, () -> context.listLocatedStatus(path).next().getBlockLocations());
    JobConf job = new JobConf(conf);
    FileInputFormat.setInputPaths(job, path);
    TextInputFormat format = new TextInputFormat();
    format.configure(job);
    Await.untilEqual(
        "nodes of the first split",
        hosts,
        () -> {
          InputSplit[] splits = format.getSplits(job, 3);
          assertEquals(3, splits.length);
          return new TreeSet<>(List.of(splits[0].getLocations()));
        });
  }

  private static void assertHosts(Set<String> hosts, Look<BlockLocation[], IOException> locations)
      throws IOException {
    Await.untilEqual(
        "nodes of the first block",
        hosts,
        () -> {
          BlockLocation first = locations.look()[0];
          assertEquals(first.getHosts().length, first.getTopologyPaths().length);
          return new TreeSet<>(List.of(first.getHosts()));
        });
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    for (Map<String, String> wrong :
        List.of(
            Map.of(DegradedSettings.HEDGES, "9"),
            Map.of(DegradedSettings.HEDGE_AFTER, "0"),
            Map.of(DegradedSettings.RACK, "rack1"),
            Map.of(DegradedSettings.SHAPE, "circle"),
            Map.of(ReadAheadSettings.BLOCKS, "0"),
            Map.of(ReadAheadSettings.PIECE, "1m", ReadAheadSettings.MEMORY, "1k"))) {
      Exception e = assertThrows(IllegalArgumentException.class, () -> client(wrong));
      String value = wrong.values().iterator().next();
      boolean named = wrong.keySet().stream().anyMatch(key -> e.getMessage().contains(key));
      assertTrue(named || e.getMessage().contains(value), e.getMessage());
    }
  }
}
