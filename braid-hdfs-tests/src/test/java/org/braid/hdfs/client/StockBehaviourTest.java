package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DFSClientFaultInjector;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.ByteBufferPool;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.client.degraded.DegradedSettings;
import org.braid.hdfs.client.readahead.ReadAheadSettings;
import org.braid.hdfs.hadoop.HadoopVersion;
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
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs rely on beyond reading bytes: the same as with HDFS's own client. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StockBehaviourTest {
  private static final int SIZE = 5 * ClientFixture.BLOCK + 321;

  private final Random random = Seeds.random(StockBehaviourTest.class);
  private ClientFixture fixture;
  private Converted file;
  private byte[] content;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    fixture = new ClientFixture(directory, Map.of());
    content = ClientFixture.content(random, SIZE);
    file = fixture.stripes.write("/dir/sub/file", content);
  }

  @AfterEach
  void heal() throws IOException {
    fixture.heal();
  }

  @AfterAll
  void stop() throws IOException {
    fixture.close();
  }

  private static HdfsDataInputStream open(DistributedFileSystem fs, Converted file)
      throws IOException {
    return assertInstanceOf(HdfsDataInputStream.class, fs.open(file.path()));
  }

  /** A program's steps on a stream, and what they give, as text. */
  private interface Steps {
    void run(HdfsDataInputStream in, List<Object> seen) throws IOException;
  }

  private record Program(String name, Steps steps) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Program> programs() {
    return Stream.of(
        new Program(
            "nothing read",
            (in, seen) -> {
              seen.add(in.getCurrentDatanode());
              seen.add(in.getCurrentBlock());
              seen.add(in.getVisibleLength());
              seen.add(in.getAllBlocks().size());
              seen.add(in.available());
              seen.add(in.getReadStatistics().getTotalBytesRead());
              seen.add(in.markSupported());
              seen.add(in.skip(-1));
              seen.add(in.skip(0));
            }),
        new Program(
            "reads and jumps",
            (in, seen) -> {
              seen.add(in.read());
              seen.add(in.getCurrentBlock());
              seen.add(in.getCurrentDatanode());
              in.seek(2 * ClientFixture.BLOCK + 5);
              seen.add(in.read(new byte[100]));
              seen.add(in.getCurrentBlock());
              seen.add(in.getCurrentDatanode());
              in.readFully(4 * ClientFixture.BLOCK, new byte[1000]);
              seen.add(in.getCurrentBlock());
              seen.add(in.getPos());
              in.unbuffer();
              seen.add(in.read());
              seen.add(in.getReadStatistics().getTotalBytesRead());
              in.clearReadStatistics();
              seen.add(in.getReadStatistics().getTotalBytesRead());
              seen.add(in.read());
              seen.add(in.getReadStatistics().getTotalBytesRead());
            }),
        new Program(
            "end of the file",
            (in, seen) -> {
              in.seek(SIZE);
              seen.add(in.read());
              seen.add(in.read(new byte[0]));
              seen.add(in.read(ByteBuffer.allocate(0)));
              seen.add(in.read(ByteBuffer.allocate(1)));
              seen.add(in.read(SIZE, new byte[0], 0, 0));
              seen.add(in.read(SIZE, ByteBuffer.allocate(0)));
              seen.add(in.read(SIZE, ByteBuffer.allocate(1)));
              seen.add(in.read(SIZE - 1, new byte[7], 0, 7));
              seen.add(in.read(-1, ByteBuffer.allocate(1)));
              seen.add(in.skip(5));
              in.seek(0);
              seen.add(in.read(ByteBuffer.allocate(0)));
            }),
        new Program(
            "other replicas",
            (in, seen) -> {
              seen.add(in.seekToNewSource(10));
              seen.add(in.read());
              // There is a single replica.
              seen.add(in.seekToNewSource(20));
              seen.add(in.getPos());
              seen.add(in.read());
              seen.add(in.getPos());
            }),
        new Program(
            "buffers of a pool",
            (in, seen) -> {
              ElasticByteBufferPool pool = new ElasticByteBufferPool();
              EnumSet<ReadOption> none = EnumSet.noneOf(ReadOption.class);
              in.seek(77);
              ByteBuffer first = in.read(pool, 1000, none);
              seen.add(first.get(0));
              seen.add(first.remaining());
              in.releaseBuffer(first);
              seen.add(in.getPos());
              in.seek(SIZE);
              seen.add(in.read(pool, 1000, none));
              seen.add(in.read(pool, 0, none).remaining());
            }));
  }

  private static List<Object> seen(DistributedFileSystem fs, Converted file, Steps steps)
      throws IOException {
    List<Object> seen = new ArrayList<>();
    try (HdfsDataInputStream in = open(fs, file)) {
      steps.run(in, seen);
    }
    return seen;
  }

  @ParameterizedTest
  @MethodSource("programs")
  void healthyFilesAreReadAsByHdfs(Program program) throws IOException {
    try (BraidFileSystem fs = fixture.client()) {
      assertEquals(seen(fixture.plain, file, program.steps()), seen(fs, file, program.steps()));
    }
  }

  @Test
  void streamIsOneOfTheFileSystemsOnlyClient() throws IOException {
    try (BraidFileSystem fs = fixture.client();
        HdfsDataInputStream in = open(fs, file)) {
      DFSInputStream stream = assertInstanceOf(DFSInputStream.class, in.getWrappedStream());
      assertEquals(SIZE, stream.getFileLength());
      assertSame(fs.getClient(), ((BraidInputStream) stream).client());
    }
  }

  @Test
  void closedStreamsAndFileSystemsRefuseReads() throws IOException {
    BraidFileSystem fs = fixture.client();
    FSDataInputStream closed = fs.open(file.path());
    closed.close();
    assertEquals("Stream closed", message(() -> closed.read()));
    assertEquals("Stream closed", message(() -> closed.read(0, new byte[1], 0, 1)));
    assertEquals("Stream is closed!", message(() -> closed.seek(1)));
    FSDataInputStream open = fs.open(file.path());
    assertThrows(EOFException.class, () -> open.seek(SIZE + 1));
    assertThrows(EOFException.class, () -> open.seek(-1));
    fs.close();
    assertEquals("Filesystem closed", message(() -> open.read()));
    assertEquals("Filesystem closed", message(() -> fs.open(file.path())));
  }

  private interface Action {
    void run() throws IOException;
  }

  private static String message(Action action) {
    return assertThrows(IOException.class, action::run).getMessage();
  }

  /** Spark tells by them what a task has read: the thread's own numbers, not the file system's. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void statisticsCountWhatTheReadingThreadRead(boolean lost) throws Exception {
    if (lost) {
      fixture.stop(file.stripes().get(0).nodes().subList(0, 1));
    }
    Map<String, String> eager = Map.of(ReadAheadSettings.AFTER, "1000");
    try (BraidFileSystem fs = fixture.client(eager)) {
      CompletableFuture<Long> counted = new CompletableFuture<>();
      @SuppressWarnings("deprecation") // what programs of today ask
      FileSystem.Statistics statistics = FileSystem.getStatistics("hdfs", fs.getClass());
      long before = statistics.getBytesRead();
      int opens = statistics.getReadOps();
      Thread reader =
          new Thread(
              () -> {
                try (FSDataInputStream in = fs.open(file.path())) {
                  byte[] read = in.readAllBytes();
                  in.readFully(100, new byte[200]);
                  assertArrayEquals(content, read);
                  counted.complete(statistics.getThreadStatistics().getBytesRead());
                } catch (IOException | AssertionError e) {
                  counted.completeExceptionally(e);
                }
              });
      reader.start();
      assertEquals(SIZE + 200, counted.get());
      assertEquals(SIZE + 200, statistics.getBytesRead() - before);
      assertEquals(1, statistics.getReadOps() - opens);
    }
  }

  /** Whatever the client has just found to be lost. */
  @Test
  void emptyFilesOpenBesideLostBlocks() throws IOException {
    org.apache.hadoop.fs.Path empty = new org.apache.hadoop.fs.Path("/dir/empty");
    org.apache.hadoop.fs.Path growing = new org.apache.hadoop.fs.Path("/dir/growing");
    fixture.stop(file.stripes().get(0).nodes().subList(0, 2));
    try (BraidFileSystem fs = fixture.client()) {
      assertArrayEquals(content, read(fs, file.path()));
      fs.create(empty).close();
      assertArrayEquals(new byte[0], read(fs, empty));
      try (FSDataOutputStream out = fs.create(growing)) {
        assertArrayEquals(new byte[0], read(fs, growing));
        out.write(1);
        out.hflush();
        assertArrayEquals(new byte[] {1}, read(fs, growing));
      }
    } finally {
      fixture.plain.delete(empty, false);
      fixture.plain.delete(growing, false);
    }
  }

  private static byte[] read(FileSystem fs, org.apache.hadoop.fs.Path path) throws IOException {
    try (FSDataInputStream in = fs.open(path)) {
      return in.readAllBytes();
    }
  }

  @Test
  void lostBlocksAreReadInEveryWay() throws IOException {
    fixture.stop(List.of(file.stripes().get(0).nodes().get(1)));
    int from = ClientFixture.BLOCK + 10;
    try (BraidFileSystem fs = fixture.client(Map.of(DegradedSettings.HEDGES, "0"));
        HdfsDataInputStream in = open(fs, file)) {
      ElasticByteBufferPool pool = new ElasticByteBufferPool();
      in.seek(from);
      ByteBuffer first = in.read(pool, 1000, EnumSet.of(ReadOption.SKIP_CHECKSUMS));
      assertEquals(content[from], first.get(first.position()));
      in.releaseBuffer(first);
      assertThrows(IllegalArgumentException.class, () -> in.releaseBuffer(first));
      // There is no other DataNode, but reading goes on.
      assertFalse(in.seekToNewSource(from));
      assertEquals(content[from] & 0xff, in.read());
      assertEquals(
          file.stripes().get(0).proto().getMembers(1).getBlock().getId(),
          in.getCurrentBlock().getBlockId());
      assertNull(in.getCurrentDatanode());
      ByteBuffer direct = ByteBuffer.allocateDirect(3 * ClientFixture.BLOCK);
      in.readFully(7, direct);
      byte[] read = new byte[direct.capacity()];
      direct.flip().get(read);
      assertArrayEquals(Arrays.copyOfRange(content, 7, 7 + read.length), read);
      in.seek(2 * ClientFixture.BLOCK);
      assertEquals(content[2 * ClientFixture.BLOCK] & 0xff, in.read());
      assertNotNull(in.getCurrentDatanode());
    }
    try (BraidFileSystem fs = fixture.client();
        HdfsDataInputStream in = open(fs, file)) {
      // Nobody has found out yet.
      assertFalse(in.seekToNewSource(from));
      assertEquals(content[from] & 0xff, in.read());
    }
  }

  /** HDFS's refresher of locations connects in a reader's stead, which fails where that did. */
  @Test
  void jumpsGoOnAfterNoNodeWasFoundInTheBackground() throws Exception {
    int from = ClientFixture.BLOCK + 10;
    try (BraidFileSystem fs = fixture.client();
        HdfsDataInputStream in = open(fs, file)) {
      in.seek(from);
      assertEquals(content[from] & 0xff, in.read());
      fixture.stop(List.of(file.stripes().get(0).nodes().get(1)));
      Method connect = DFSInputStream.class.getDeclaredMethod("blockSeekTo", long.class);
      connect.setAccessible(true);
      InvocationTargetException failed =
          assertThrows(
              InvocationTargetException.class,
              () -> connect.invoke(in.getWrappedStream(), from + 1L));
      assertInstanceOf(BlockMissingException.class, failed.getCause());
      in.seek(from + 5);
      assertEquals(content[from + 5] & 0xff, in.read());
    }
  }

  /** Buffers of which the first that comes back unread has all nodes start again. */
  private final class HealingPool implements ByteBufferPool {
    @Override
    public ByteBuffer getBuffer(boolean direct, int length) {
      return direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    }

    @Override
    public void putBuffer(ByteBuffer buffer) {
      try {
        heal();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The end of a block is read before the next block turns out to be lost. */
  @Test
  void buffersOfPoolHoldWhatFollowsThePosition() throws IOException {
    List<Integer> nodes = file.stripes().get(0).nodes();
    fixture.stop(List.of(nodes.get(1), nodes.get(3), nodes.get(4)));
    int from = ClientFixture.BLOCK - 10;
    try (BraidFileSystem fs = fixture.client(Map.of(DegradedSettings.HEDGES, "0"));
        HdfsDataInputStream in = open(fs, file)) {
      in.seek(from);
      ByteBuffer buffer = in.read(new HealingPool(), 20, EnumSet.noneOf(ReadOption.class));
      byte[] read = new byte[buffer.remaining()];
      buffer.get(read);
      assertArrayEquals(Arrays.copyOfRange(content, from, from + 20), read);
      assertEquals(from + 20, in.getPos());
      in.releaseBuffer(buffer);
    }
  }

  /** HBase has files open that it moves to its archive. */
  @Test
  void renamedFilesAreReadFromNodesThatAreBack() throws IOException {
    fixture.stop(List.of(file.stripes().get(0).nodes().get(1)));
    var renamed = new org.apache.hadoop.fs.Path("/dir/renamed");
    try (BraidFileSystem fs = fixture.client(Map.of(DegradedSettings.LOST, "10m"))) {
      assertArrayEquals(content, read(fs, file.path()));
      fixture.heal();
      Await.until("the node to be named again", () -> namesNode(fs, 1));
      try (HdfsDataInputStream in = open(fs, file)) {
        assertTrue(fixture.plain.rename(file.path(), renamed));
        int from = ClientFixture.BLOCK + 10;
        byte[] some = new byte[1000];
        in.readFully(from, some);
        assertArrayEquals(Arrays.copyOfRange(content, from, from + some.length), some);
      } finally {
        fixture.plain.rename(renamed, file.path());
      }
    }
  }

  private boolean namesNode(DistributedFileSystem fs, int block) throws IOException {
    try (HdfsDataInputStream in = open(fs, file)) {
      return in.getAllBlocks().get(block).getLocations().length > 0;
    }
  }

  /** Fails all reads from DataNodes, and counts them. */
  private static final class Failing extends DFSClientFaultInjector {
    final AtomicInteger reads = new AtomicInteger();

    @Override
    public void fetchFromDatanodeException() {
      reads.incrementAndGet();
      Failing.<RuntimeException>raise(new IOException("injected"));
    }

    /** HDFS's readers expect what the injector does not declare. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Exception> void raise(IOException e) throws E {
      throw (E) e;
    }
  }

  /** How many reads from DataNodes it takes until a client gives up. */
  private int readsUntilGivenUp(Class<? extends FileSystem> client, boolean positioned)
      throws IOException {
    Failing failing = new Failing();
    Configuration conf = fixture.configuration(Map.of("fs.hdfs.impl", client.getName()));
    try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path("/replicated"))) {
      DFSClientFaultInjector.set(failing);
      assertThrows(
          BlockMissingException.class,
          () -> {
            if (positioned) {
              in.readFully(0, new byte[10]);
            } else {
              in.readFully(new byte[10]);
            }
          });
    } finally {
      DFSClientFaultInjector.set(new DFSClientFaultInjector());
    }
    return failing.reads.get();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void blocksInNoStripeAreAskedForAsOftenAsByHdfs(boolean positioned) throws IOException {
    HadoopVersion version = HadoopVersion.parse(VersionInfo.getVersion());
    assumeTrue(
        positioned || version.compareTo(HadoopVersion.NEWEST) >= 0,
        "Hadoop 3.4 injects failures into positioned reads alone");
    var path = new org.apache.hadoop.fs.Path("/replicated");
    try (FSDataOutputStream out = fixture.plain.create(path)) {
      out.write(content, 0, 1000);
    }
    // Each client is to be told of all replicas.
    int replicas = fixture.plain.getFileStatus(path).getReplication();
    Await.untilEqual(
        "replicas of " + path,
        replicas,
        () -> fixture.plain.getFileBlockLocations(path, 0, 1000)[0].getHosts().length);
    assertEquals(
        readsUntilGivenUp(DistributedFileSystem.class, positioned),
        readsUntilGivenUp(BraidFileSystem.class, positioned));
  }

  @Test
  void directoriesAreListedRecursivelyWithLocations() throws IOException {
    try (BraidFileSystem fs = fixture.client()) {
      RemoteIterator<LocatedFileStatus> found =
          fs.listFiles(new org.apache.hadoop.fs.Path("/dir"), true);
      assertEquals(file.path().toUri().getPath(), found.next().getPath().toUri().getPath());
      assertFalse(found.hasNext());
      LocatedFileStatus sub = fs.listLocatedStatus(new org.apache.hadoop.fs.Path("/dir")).next();
      assertTrue(sub.isDirectory());
    }
  }
}
