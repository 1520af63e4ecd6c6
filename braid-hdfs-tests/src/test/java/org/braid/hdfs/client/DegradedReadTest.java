package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.braid.hdfs.client.degraded.DegradedSettings;
import org.braid.testing.Await;
import org.braid.thread.DaemonThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of converted files whose nodes are gone. */
class DegradedReadTest extends DegradedReads {
  /** How much is lost, and whether the NameNode knows. */
  record Loss(List<Integer> members, boolean known) {}

  static Stream<Loss> losses() {
    return Stream.of(
        new Loss(List.of(1), false), new Loss(List.of(0, 2), false), new Loss(List.of(0, 4), true));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void streamsAndPositionedReadsAreWhole(Loss loss) throws IOException {
    Written file = write();
    List<Integer> nodes = loss.members.stream().map(file.stripe(0).nodes()::get).toList();
    fixture.stop(nodes);
    if (loss.known) {
      fixture.awaitDead(nodes);
      checkLocations(file, nodes.get(0));
    }
    try (BraidFileSystem fs = fixture.client();
        FSDataInputStream in = fs.open(file.path())) {
      assertArrayEquals(file.content(), in.readAllBytes());
      byte[] read = new byte[SIZE];
      in.readFully(0, read);
      assertArrayEquals(file.content(), read);
    }
    try (BraidFileSystem fs = fixture.client();
        FSDataInputStream in = fs.open(file.path())) {
      // Positioned first: no stateful read has told the stream what is lost.
      byte[] read = new byte[2 * ClientFixture.BLOCK];
      in.readFully(ClientFixture.BLOCK / 2, read);
      int from = ClientFixture.BLOCK / 2;
      assertArrayEquals(Arrays.copyOfRange(file.content(), from, from + read.length), read);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain"})
  void everyShapeReadsTheSame(String shape) throws IOException {
    Written file = write();
    fixture.stop(List.of(file.stripe(0).nodes().get(2)));
    try (BraidFileSystem fs = fixture.client(Map.of(DegradedSettings.SHAPE, shape));
        FSDataInputStream in = fs.open(file.path())) {
      assertArrayEquals(file.content(), in.readAllBytes());
    }
  }

  /** Classes that mount file systems below hdfs:// stand where Braid's does otherwise. */
  @ParameterizedTest
  @ValueSource(classes = {ViewFileSystemOverloadScheme.class, ViewDistributedFileSystem.class})
  void lostBlocksAreReadThroughMounts(Class<? extends FileSystem> mounting) throws IOException {
    Written file = write();
    fixture.stop(List.of(file.stripe(0).nodes().get(1)));
    URI uri = URI.create(fixture.cluster.uri());
    String table = "fs.viewfs.mounttable." + uri.getHost();
    Configuration conf =
        fixture.configuration(
            Map.of(
                "fs.hdfs.impl",
                mounting.getName(),
                "fs.viewfs.overload.scheme.target.hdfs.impl",
                BraidFileSystem.class.getName(),
                table + ".link./mounted",
                uri + "/",
                table + ".linkFallback",
                uri + "/"));
    String path = file.path().toUri().getPath();
    try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
      assertEquals(mounting, fs.getClass());
      for (String named : List.of("/mounted" + path, path)) {
        try (FSDataInputStream in = fs.open(new Path(named))) {
          assertArrayEquals(file.content(), in.readAllBytes(), named);
        }
      }
    }
  }

  @Test
  void shortLastBlockOfAShortStripeIsRebuilt() throws IOException {
    Written file = write();
    // Two of its three data blocks are virtual: one parity block is all that is needed.
    List<Integer> nodes = List.of(file.stripe(1).nodes().get(0), file.stripe(1).nodes().get(4));
    fixture.stop(nodes);
    try (BraidFileSystem fs = fixture.client();
        FSDataInputStream in = fs.open(file.path())) {
      byte[] tail = new byte[40_001];
      in.readFully(3L * ClientFixture.BLOCK, tail);
      assertArrayEquals(Arrays.copyOfRange(file.content(), 3 * ClientFixture.BLOCK, SIZE), tail);
      in.seek(SIZE - 1);
      assertEquals(file.content()[SIZE - 1] & 0xff, in.read());
      assertEquals(-1, in.read());
    }
  }

  /** A snapshot has blocks that its file has not any more. */
  @Test
  void whatASnapshotHasOfATruncatedFileIsRebuilt() throws IOException {
    Written file = write();
    Path root = new Path("/");
    try (BraidFileSystem fs = fixture.client()) {
      fs.allowSnapshot(root);
      fs.createSnapshot(root, "before");
      fs.truncate(file.path(), ClientFixture.BLOCK);
      fixture.stop(List.of(file.stripe(0).nodes().get(1)));
      try (FSDataInputStream in = fs.open(new Path("/.snapshot/before" + file.path()))) {
        assertArrayEquals(file.content(), in.readAllBytes());
      }
      fs.deleteSnapshot(root, "before");
      fs.disallowSnapshot(root);
    }
  }

  @Test
  void smallReadsAcrossBlockBordersAreExact() throws IOException {
    Written file = write();
    fixture.stop(List.of(file.stripe(0).nodes().get(1)));
    try (BraidFileSystem fs = fixture.client();
        FSDataInputStream in = fs.open(file.path())) {
      for (int i = 0; i < 150; i++) {
        // Half of them around the borders of the lost block.
        int center =
            i % 2 == 0 ? random.nextInt(SIZE) : (1 + random.nextInt(2)) * ClientFixture.BLOCK;
        int from = Math.max(0, Math.min(SIZE - 1, center - random.nextInt(900)));
        int length = Math.min(SIZE - from, 1 + random.nextInt(1800));
        byte[] expected = Arrays.copyOfRange(file.content(), from, from + length);
        assertArrayEquals(expected, read(in, from, length, i % 3), from + " + " + length);
      }
    }
  }

  private static byte[] read(FSDataInputStream in, int from, int length, int way)
      throws IOException {
    byte[] bytes = new byte[length];
    if (way == 0) {
      in.seek(from);
      in.readFully(bytes);
      assertEquals(from + length, in.getPos());
    } else if (way == 1) {
      in.readFully(from, bytes);
    } else {
      ByteBuffer direct = ByteBuffer.allocateDirect(length);
      in.seek(from);
      while (direct.hasRemaining()) {
        assertTrue(in.read(direct) > 0);
      }
      direct.flip().get(bytes);
    }
    return bytes;
  }

  @Test
  void moreLossesThanParityGiveTheNumbers() throws IOException {
    Written file = write();
    List<Integer> members = List.of(0, 1, 3);
    fixture.stop(members.stream().map(file.stripe(0).nodes()::get).toList());
    try (BraidFileSystem fs = fixture.client();
        FSDataInputStream in = fs.open(file.path())) {
      BlockMissingException e =
          assertThrows(BlockMissingException.class, () -> in.readFully(0, new byte[100]));
      long id = file.stripe(0).proto().getMembers(0).getBlock().getId();
      String expected =
          "block blk_"
              + id
              + " of "
              + file.path().toUri().getPath()
              + " is lost and cannot be rebuilt: 2 of its stripe's 5 blocks are reachable, 3 needed;"
              + " unreachable: block 1 on "
              + fixture.cluster.nodeName(file.stripe(0).nodes().get(1))
              + ": ";
      assertTrue(message(e).startsWith(expected), message(e));
      String second =
          "block 3 on " + fixture.cluster.nodeName(file.stripe(0).nodes().get(3)) + ": ";
      assertTrue(message(e).contains(second), message(e));
      // What is not lost is still read.
      byte[] healthy = new byte[100];
      in.readFully(2L * ClientFixture.BLOCK, healthy);
      assertEquals(file.content()[2 * ClientFixture.BLOCK], healthy[0]);
    }
  }

  /** With much memory, and with room for one slice, for which all readers wait in turn. */
  @ParameterizedTest
  @ValueSource(strings = {"256m", "5k"})
  void concurrentPositionedReadsAreExact(String memory) throws Exception {
    Written file = write();
    fixture.stop(List.of(file.stripe(0).nodes().get(0)));
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (BraidFileSystem fs = fixture.client(Map.of(DegradedSettings.MEMORY, memory));
        FSDataInputStream in = fs.open(file.path())) {
      List<Callable<Void>> readers = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        long seed = random.nextLong();
        readers.add(
            () -> {
              Random own = new Random(seed);
              for (int i = 0; i < 20; i++) {
                int from = own.nextInt(SIZE - 1);
                byte[] read = new byte[Math.min(SIZE - from, 1 + own.nextInt(30_000))];
                in.readFully(from, read);
                byte[] expected = Arrays.copyOfRange(file.content(), from, from + read.length);
                assertArrayEquals(expected, read, from + " + " + read.length);
              }
              return null;
            });
      }
      for (Future<Void> reader : threads.invokeAll(readers)) {
        reader.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void repairedBlockIsReadPlainlyAgain() throws Exception {
    Written file = write();
    List<Integer> nodes = file.stripe(0).nodes();
    fixture.stop(List.of(nodes.get(0)));
    try (BraidFileSystem fs = fixture.client(Map.of(DegradedSettings.LOST, "500ms"));
        FSDataInputStream in = fs.open(file.path())) {
      byte[] read = new byte[1000];
      in.readFully(0, read);
      fixture.heal();
      // Too few are left to rebuild: only the block itself can answer.
      fixture.stop(List.of(nodes.get(1), nodes.get(2), nodes.get(3)));
      byte[] again = new byte[ClientFixture.BLOCK];
      Await.until(
          "the mark of a lost block to expire",
          () -> {
            try {
              in.readFully(0, again);
              return true;
            } catch (BlockMissingException e) {
              return false;
            }
          });
      assertArrayEquals(Arrays.copyOf(file.content(), ClientFixture.BLOCK), again);
    }
  }

  /** The mark of a lost block is no reason to fail while a DataNode has the block again. */
  @Test
  void blockThatIsBackIsReadWhenItsStripeHasTooFew() throws Exception {
    Written file = write();
    List<Integer> nodes = file.stripe(0).nodes();
    fixture.stop(List.of(nodes.get(0)));
    try (BraidFileSystem fs = fixture.client(Map.of(DegradedSettings.LOST, "1h"))) {
      try (FSDataInputStream in = fs.open(file.path())) {
        in.readFully(0, new byte[1000]);
      }
      fixture.heal();
      fixture.stop(List.of(nodes.get(1), nodes.get(2), nodes.get(3)));
      for (boolean positioned : new boolean[] {true, false}) {
        byte[] again = new byte[ClientFixture.BLOCK];
        try (FSDataInputStream in = fs.open(file.path())) {
          if (positioned) {
            in.readFully(0, again);
          } else {
            in.readFully(again);
          }
        }
        assertArrayEquals(Arrays.copyOf(file.content(), ClientFixture.BLOCK), again);
      }
    }
  }

  @Test
  void fileContextBuildersAndHandlesReadThroughLosses() throws Exception {
    Written file = write();
    fixture.stop(List.of(file.stripe(0).nodes().get(1)));
    FileContext context =
        FileContext.getFileContext(
            URI.create(fixture.cluster.uri()), fixture.configuration(Map.of()));
    try (FSDataInputStream in = context.open(file.path())) {
      assertArrayEquals(file.content(), in.readAllBytes());
    }
    try (FSDataInputStream in = context.openFile(file.path()).build().get()) {
      assertArrayEquals(file.content(), in.readAllBytes());
    }
    try (BraidFileSystem fs = fixture.client()) {
      try (FSDataInputStream in = fs.openFile(file.path()).build().get()) {
        assertArrayEquals(file.content(), in.readAllBytes());
      }
      var handle = fs.getPathHandle(fs.getFileStatus(file.path()));
      try (FSDataInputStream in = fs.open(handle)) {
        assertArrayEquals(file.content(), in.readAllBytes());
      }
    }
  }

  private static VarHandle failures() throws ReflectiveOperationException {
    return MethodHandles.privateLookupIn(DFSInputStream.class, MethodHandles.lookup())
        .findVarHandle(DFSInputStream.class, "failures", int.class);
  }

  /** A read that is about to ask again sleeps seconds for each failure, also of other reads. */
  @Test
  void aLostBlockCountsNoMoreFailuresThanEndARead() throws Exception {
    Written file = write();
    fixture.stop(List.of(file.stripe(0).nodes().get(1)));
    try (BraidFileSystem fs = fixture.client();
        FSDataInputStream in = fs.open(file.path())) {
      in.readFully(ClientFixture.BLOCK + 10, new byte[100]);
      int counted = (int) failures().get((DFSInputStream) in.getWrappedStream());
      int most = fs.getConf().getInt("dfs.client.max.block.acquire.failures", 3);
      assertTrue(counted > 0 && counted <= most, counted + " failures");
    }
  }

  /** HDFS counts the failures of all reads of a stream together, and each of them begins anew. */
  @Test
  void aReadFindsANodeThatMovedWhileOthersBeginOnItsStream() throws Exception {
    Written file = write();
    VarHandle failures = failures();
    int from = ClientFixture.BLOCK + 10;
    try (BraidFileSystem fs = fixture.client()) {
      List<FSDataInputStream> streams = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        streams.add(fs.open(file.path()));
      }
      fixture.stop(List.of(file.stripe(0).nodes().get(1)));
      fixture.heal(); // with another port
      for (FSDataInputStream in : streams) {
        DFSInputStream stream = (DFSInputStream) in.getWrappedStream();
        AtomicBoolean ended = new AtomicBoolean();
        Thread others =
            DaemonThreads.of(
                "others",
                () -> {
                  while (!ended.get()) {
                    failures.setVolatile(stream, 0);
                  }
                });
        others.start();
        try {
          in.seek(from);
          assertEquals(file.content()[from] & 0xff, in.read());
        } finally {
          ended.set(true);
          in.close();
        }
        others.join();
      }
    }
  }

  /** The lost first block names live nodes of the rack it was in, where HDFS names none. */
  private void checkLocations(Written file, int dead) throws IOException {
    try (BraidFileSystem fs = fixture.client()) {
      BlockLocation[] stock = fixture.plain.getFileBlockLocations(file.path(), 0, SIZE);
      assertEquals(0, stock[0].getHosts().length, "the stock client knows a node");
      checkLocations(dead, fs.getFileBlockLocations(file.path(), 0, SIZE));
      RemoteIterator<LocatedFileStatus> listed = fs.listLocatedStatus(file.path());
      checkLocations(dead, listed.next().getBlockLocations());
    }
  }

  private void checkLocations(int dead, BlockLocation[] locations) throws IOException {
    assertEquals(4, locations.length);
    String name = fixture.cluster.nodeName(dead);
    String rack = name.substring(0, name.indexOf('-') + 1);
    assertTrue(locations[0].getHosts().length > 0, "no hosts for the lost block");
    for (String host : locations[0].getHosts()) {
      assertTrue(host.startsWith(rack), host + " is not in " + rack);
      int node = Integer.parseInt(host.substring(rack.length() + "node".length()));
      assertTrue(fixture.cluster.runs(node), host + " is dead");
    }
    assertEquals(locations[0].getHosts().length, locations[0].getTopologyPaths().length);
  }
}
