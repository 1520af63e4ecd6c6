package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.braid.hdfs.client.readahead.ReadAheadSettings;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testing.StripeFixture.Converted;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several blocks of a file read at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReadAheadTest {
  private static final int PIECE = 8 << 10;
  private static final int BLOCKS = 4;

  /** What 4 blocks at once take, and a piece. */
  private static final int MEMORY = 3 * ClientFixture.BLOCK / 2 + 4 * PIECE;

  private static final int AFTER = 20_000;
  private static final int SIZE = 11 * ClientFixture.BLOCK + 12_345;

  private final Random random = Seeds.random(ReadAheadTest.class);
  private ClientFixture fixture;
  private Converted file;
  private byte[] content;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    fixture = new ClientFixture(directory, Map.of());
    content = ClientFixture.content(random, SIZE);
    file = fixture.stripes.write("/ahead", content);
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
    properties.put(ReadAheadSettings.BLOCKS, String.valueOf(BLOCKS));
    properties.put(ReadAheadSettings.MEMORY, String.valueOf(MEMORY));
    properties.put(ReadAheadSettings.PIECE, String.valueOf(PIECE));
    properties.put(ReadAheadSettings.AFTER, String.valueOf(AFTER));
    properties.putAll(more);
    return fixture.client(properties);
  }

  private BraidFileSystem client() throws IOException {
    return client(Map.of());
  }

  private void check(FSDataInputStream in, int from, int length) throws IOException {
    byte[] read = new byte[length];
    in.readFully(read);
    assertArrayEquals(Arrays.copyOfRange(content, from, from + length), read, from + "+" + length);
    assertEquals(from + length, in.getPos());
  }

  private static long fetched(FSDataInputStream in) {
    return assertInstanceOf(HdfsDataInputStream.class, in).getReadStatistics().getTotalBytesRead();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void readsOfAnySizeAreExact(int lost) throws Exception {
    List<Integer> nodes = file.stripes().get(0).nodes();
    fixture.stop(nodes.subList(0, lost));
    try (BraidFileSystem fs = client()) {
      try (FSDataInputStream in = fs.open(file.path())) {
        int at = 0;
        while (at < SIZE) {
          int length = Math.min(SIZE - at, 1 + random.nextInt(30_000));
          if (random.nextInt(4) == 0) {
            ByteBuffer direct = ByteBuffer.allocateDirect(length);
            length = in.read(direct);
            byte[] read = new byte[length];
            direct.flip().get(read);
            assertArrayEquals(Arrays.copyOfRange(content, at, at + length), read);
          } else {
            check(in, at, length);
          }
          at += length;
        }
        assertEquals(-1, in.read());
        assertTrue(fs.readAheadBytes() <= MEMORY + PIECE);
      }
      Await.until("all memory to be given back", () -> fs.readAheadBytes() == 0);
    }
  }

  @Test
  void blocksAheadAreReadWhileTheReaderStandsStillButNotAll() throws Exception {
    try (BraidFileSystem fs = client();
        FSDataInputStream in = fs.openFile(file.path()).opt(policy(), "sequential").build().get()) {
      check(in, 0, 100);
      // 3/4, 2/4 and 1/4 of the next three blocks, and 1/4 of this one.
      Await.until(
          "blocks ahead", () -> fs.readAheadBytes() >= 7 * ClientFixture.BLOCK / 4 - 4 * PIECE);
      assertTrue(fs.readAheadBytes() <= MEMORY + PIECE, fs.readAheadBytes() + " bytes held");
      check(in, 100, SIZE - 100);
    }
  }

  @Test
  void nothingIsReadAheadBeforeTheReaderReadsOn() throws Exception {
    try (BraidFileSystem fs = client();
        FSDataInputStream in = fs.open(file.path())) {
      for (int i = 0; i < 30; i++) {
        // Jumps, and positioned reads of any kind.
        int at = random.nextInt(SIZE - AFTER);
        in.seek(at);
        check(in, at, AFTER / 2);
        in.readFully(at, new byte[AFTER]);
        assertEquals(0, fs.readAheadBytes());
      }
      in.seek(7);
      check(in, 7, AFTER);
      Await.until("reading ahead to begin", () -> fs.readAheadBytes() > 0);
      // No more in vain than what was read.
      assertTrue(fs.readAheadBytes() <= AFTER + PIECE, fs.readAheadBytes() + " bytes held");
    }
  }

  private static long locationsAsked() {
    MetricsCollectorImpl collected = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource("NameNodeActivity").getMetrics(collected, true);
    return collected.getRecords().stream()
        .flatMap(record -> StreamSupport.stream(record.metrics().spliterator(), false))
        .filter(metric -> metric.name().equals("GetBlockLocations"))
        .mapToLong(metric -> metric.value().longValue())
        .sum();
  }

  /** Whoever reads ahead does not ask anew for what the reader was told. */
  @Test
  void eachBlockIsAskedForOnce() throws Exception {
    Map<String, String> oneEach =
        Map.of(ReadAheadSettings.BLOCKS, "2", HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY, "1");
    try (BraidFileSystem fs = client(oneEach)) {
      long before = locationsAsked();
      try (FSDataInputStream in =
          fs.openFile(file.path()).opt(policy(), "sequential").build().get()) {
        check(in, 0, 100);
        Await.until("reading ahead to begin", () -> fs.readAheadBytes() > 0);
        check(in, 100, SIZE - 100);
      }
      long asked = locationsAsked() - before;
      assertTrue(asked <= 12, asked + " questions for 12 blocks");
    }
  }

  private static String policy() {
    return OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY;
  }

  @Test
  void jumpsEndItAndPositionedReadsDoNot() throws Exception {
    try (BraidFileSystem fs = client();
        FSDataInputStream in = fs.open(file.path())) {
      check(in, 0, 2 * ClientFixture.BLOCK);
      Await.until("reading ahead to begin", () -> fs.readAheadBytes() > 4 * PIECE);
      byte[] read = new byte[5000];
      in.readFully(9L * ClientFixture.BLOCK, read);
      assertArrayEquals(
          Arrays.copyOfRange(content, 9 * ClientFixture.BLOCK, 9 * ClientFixture.BLOCK + 5000),
          read);
      assertTrue(fs.readAheadBytes() > 0);
      // A short way ahead is no jump.
      in.seek(2 * ClientFixture.BLOCK + 777);
      check(in, 2 * ClientFixture.BLOCK + 777, 1000);
      assertTrue(fs.readAheadBytes() > 0);
      in.seek(1234);
      check(in, 1234, 1000);
      Await.until("memory to be given back after a jump", () -> fs.readAheadBytes() == 0);
      check(in, 2234, SIZE - 2234);
    }
  }

  @Test
  void hintsOfTheProgramCount() throws Exception {
    try (BraidFileSystem fs = client()) {
      try (FSDataInputStream in =
          fs.openFile(file.path()).opt(policy(), "parquet, sequential").build().get()) {
        check(in, 0, SIZE);
        Map<String, Long> counted = in.getIOStatistics().counters();
        assertEquals(0, counted.get(ReadCounters.Counter.READ_AHEAD_STARTS.key()));
      }
      int end = 3 * ClientFixture.BLOCK + 1000;
      try (FSDataInputStream in =
          fs.openFile(file.path())
              .opt(policy(), "whole-file")
              .optLong(OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_END, end)
              .build()
              .get()) {
        check(in, 0, 1);
        Await.until("the split to be read ahead", () -> fs.readAheadBytes() > 4 * PIECE);
        check(in, 1, end - 1);
        Await.until("the split to be done", () -> fetched(in) >= end);
        // Behind the split's end a task reads the rest of its last record, no more.
        check(in, end, 3000);
        // What DFSInputStream was asked for, not what it might have got.
        assertTrue(fetched(in) <= end + 3000 + 1, fetched(in) + " bytes for a split of " + end);
      }
      try (FSDataInputStream in = fs.open(file.path())) {
        in.setReadahead(0L);
        check(in, 0, 5 * ClientFixture.BLOCK);
        assertEquals(0, fs.readAheadBytes());
        in.setReadahead(null);
        check(in, 5 * ClientFixture.BLOCK, AFTER);
        Await.until("reading ahead to begin", () -> fs.readAheadBytes() > 0);
        in.setDropBehind(true);
        in.unbuffer();
        Await.until("memory to be given back", () -> fs.readAheadBytes() == 0);
        check(in, 5 * ClientFixture.BLOCK + AFTER, SIZE - 5 * ClientFixture.BLOCK - AFTER);
      }
    }
  }

  @Test
  void streamsShareTheMemoryAndNoneWaitsForAnother() throws Exception {
    try (BraidFileSystem fs = client();
        FSDataInputStream idle =
            fs.openFile(file.path()).opt(policy(), "sequential").build().get();
        FSDataInputStream in = fs.openFile(file.path()).opt(policy(), "sequential").build().get()) {
      check(idle, 0, 10);
      Await.until("one stream to hold the memory", () -> fs.readAheadBytes() > MEMORY / 2);
      check(in, 0, SIZE);
      assertTrue(fs.readAheadBytes() <= MEMORY + 2 * PIECE, fs.readAheadBytes() + " bytes held");
      check(idle, 10, SIZE - 10);
    }
  }

  /** Each has threads of its own, and none closes files that others read. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatOneFileSystemReadsAheadGoesOnWhenAnotherIsClosed(boolean shortCircuit) throws Exception {
    Map<String, String> more =
        Map.of(HdfsClientConfigKeys.Read.ShortCircuit.KEY, String.valueOf(shortCircuit));
    BraidFileSystem other = client(more);
    try (BraidFileSystem fs = client(more);
        FSDataInputStream in = fs.openFile(file.path()).opt(policy(), "sequential").build().get()) {
      FSDataInputStream beside =
          other.openFile(file.path()).opt(policy(), "sequential").build().get();
      check(beside, 0, 10);
      check(in, 0, 10);
      Await.until("both read ahead", () -> other.readAheadBytes() > 0 && fs.readAheadBytes() > 0);
      other.close();
      assertThrows(IOException.class, beside::close, "as HDFS's own streams do");
      check(in, 10, SIZE - 10);
      Map<String, Long> counted = in.getIOStatistics().counters();
      assertEquals(1, counted.get(ReadCounters.Counter.READ_AHEAD_STARTS.key()));
    }
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void readerThatWaitsCanBeInterruptedAndClosed() throws Exception {
    // The first of its data blocks is the last of the second stripe.
    fixture.stop(List.of(file.stripes().get(1).nodes().get(2)));
    CountDownLatch released = new CountDownLatch(1);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_READ) {
            try {
              released.await();
            } catch (InterruptedException e) {
              throw new InterruptedIOException();
            }
          }
        });
    BraidFileSystem fs = client();
    FSDataInputStream in = fs.open(file.path());
    try {
      // Nobody answers who helps to rebuild it.
      check(in, 0, 5 * ClientFixture.BLOCK);
      CompletableFuture<Thread> reader = new CompletableFuture<>();
      CompletableFuture<Integer> read =
          CompletableFuture.supplyAsync(
              () -> {
                reader.complete(Thread.currentThread());
                try {
                  return in.read(new byte[1000]);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      Thread waiting = reader.get();
      Await.until("the reader to wait", () -> waits(waiting));
      waiting.interrupt();
      ExecutionException e =
          assertThrows(ExecutionException.class, () -> read.get(30, TimeUnit.SECONDS));
      Throwable cause = e.getCause().getCause();
      assertInstanceOf(InterruptedIOException.class, cause);
      in.close();
      // Nobody has answered yet, nor given up.
      Await.until(
          "memory to be given back", Duration.ofSeconds(30), () -> fs.readAheadBytes() == 0);
      assertThrows(IOException.class, in::read);
    } finally {
      released.countDown();
      in.close();
      fs.close();
    }
  }
}
