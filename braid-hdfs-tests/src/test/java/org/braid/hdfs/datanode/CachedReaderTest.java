package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.ChecksumException;
import org.braid.engine.SliceSource;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testing.Disks;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CachedReaderTest {
  @TempDir static Path directory;
  static WorkerFixture fixture;
  private final Random random = Seeds.random(CachedReaderTest.class);

  @BeforeAll
  static void start() throws IOException {
    fixture = WorkerFixture.start(directory, 2, Map.of());
  }

  @AfterAll
  static void stop() throws IOException {
    fixture.close();
  }

  private static byte[] read(ReplicaCache cache, BlockProto block, long base, int count, int slice)
      throws IOException {
    Replicas replicas = fixture.replicas(0);
    ByteBuffer all = ByteBuffer.allocateDirect(count);
    LocalReplicaReader disk =
        LocalReplicaReader.open(replicas, replicas.block(StripeCodec.of(block)), 0);
    try (SliceSource reader = CachedReader.of(disk, cache, base)) {
      for (int at = 0; at < count; at += slice) {
        all.limit(Math.min(count, at + slice));
        reader.read(at, all);
        assertEquals(all.limit(), all.position());
      }
    }
    byte[] bytes = new byte[count];
    all.flip().get(bytes);
    return bytes;
  }

  @Test
  void readsTheSameFromMemoryAsFromTheDisk() throws Exception {
    for (int length : new int[] {1, 513, ReplicaCache.PART, WorkerFixture.BLOCK_SIZE - 7}) {
      byte[] content = WorkerFixture.bytes(random, length);
      BlockProto block = fixture.write("/cached" + length, 0, content);
      ReplicaCache cache = new ReplicaCache(2L * WorkerFixture.BLOCK_SIZE);
      for (int trial = 0; trial < 20; trial++) {
        int base = trial == 0 ? 0 : random.nextInt(length + 600);
        int count = trial == 0 ? length : 1 + random.nextInt(length + 600);
        byte[] expected = new byte[count];
        int real = Math.max(0, Math.min(count, length - base));
        System.arraycopy(content, Math.min(base, length), expected, 0, real);
        int slice = 1 + random.nextInt(100_000) + count / 200;
        assertArrayEquals(expected, read(cache, block, base, count, slice));
      }
      assertEquals(List.of(block.getId()), cache.whole(9));
      assertEquals(length, cache.bytes());
      long hits = cache.hits();
      assertArrayEquals(content, read(cache, block, 0, length, length));
      assertTrue(cache.hits() > hits);
    }
  }

  @Test
  void whatChangedOnTheDiskIsReadFromTheDisk() throws Exception {
    byte[] content = WorkerFixture.bytes(random, 100_000);
    BlockProto block = fixture.write("/changed", 0, content);
    ReplicaCache cache = new ReplicaCache(1 << 20);
    assertArrayEquals(content, read(cache, block, 0, content.length, 4096));
    Path file = Disks.file(fixture.cluster, 0, block.getId()).orElseThrow();
    byte[] stored = Files.readAllBytes(file);
    stored[70_000] ^= 4;
    Files.write(file, stored);
    // Some file systems tell times no finer than a tick.
    Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() + 5000));
    assertThrows(ChecksumException.class, () -> read(cache, block, 0, content.length, 4096));
    // Of a block that was appended to, the old generation is refused and the new one read anew.
    BlockProto before = fixture.write("/appended", 0, Arrays.copyOf(content, 5000));
    assertArrayEquals(Arrays.copyOf(content, 5000), read(cache, before, 0, 5000, 999));
    try (var out = fixture.fs.append(new org.apache.hadoop.fs.Path("/appended"))) {
      out.write(content, 5000, 1000);
    }
    assertThrows(IOException.class, () -> read(cache, before, 0, 5000, 999));
    // And one that is deleted is nowhere.
    BlockProto gone = fixture.write("/deleted", 0, Arrays.copyOf(content, 300));
    read(cache, gone, 0, 300, 300);
    assertTrue(cache.whole(9).contains(gone.getId()));
    fixture.fs.delete(new org.apache.hadoop.fs.Path("/deleted"), false);
    Await.until("the replica to go", () -> Disks.file(fixture.cluster, 0, gone.getId()).isEmpty());
    assertThrows(IOException.class, () -> read(cache, gone, 0, 300, 300));
  }

  @Test
  void whatWasUsedLongestAgoIsGivenUp() {
    ReplicaCache cache = new ReplicaCache(3L * ReplicaCache.PART);
    FileTime time = FileTime.fromMillis(1);
    for (long id = 1; id <= 3; id++) {
      cache.put(version(id, time), 0, new byte[ReplicaCache.PART]);
    }
    assertEquals(List.of(3L, 2L, 1L), cache.whole(9));
    cache.part(version(1, time), 0);
    cache.put(version(4, time), 0, new byte[ReplicaCache.PART]);
    assertEquals(List.of(4L, 1L, 3L), cache.whole(9));
    assertEquals(List.of(4L, 1L), cache.whole(2));
    assertEquals(3L * ReplicaCache.PART, cache.bytes());
    // A block of which a part is missing is not named, and no version is taken for another.
    ReplicaCache.Version two = new ReplicaCache.Version(5, 1, ReplicaCache.PART + 1, List.of(time));
    cache.put(two, 1, new byte[1]);
    assertFalse(cache.whole(9).contains(5L));
    assertEquals(null, cache.part(version(4, FileTime.fromMillis(2)), 0));
    assertFalse(new ReplicaCache(0).enabled());
  }

  private static ReplicaCache.Version version(long id, FileTime time) {
    return new ReplicaCache.Version(id, 1, ReplicaCache.PART, List.of(time));
  }

  @Test
  void theHeartbeatNamesWhatIsInMemory() throws Exception {
    byte[] content = WorkerFixture.bytes(random, 60_000);
    BlockProto block = fixture.write("/hot", 0, content);
    assertFalse(cached().contains(block.getId()));
    fixture.run(
        RelocationPlanner.move(0, 1, 0, 1),
        content.length,
        i -> block,
        target ->
            StoreTarget.rebuild(StripeCodec.of(block), WorkerFixture.crc(content), "CRC32C", 512));
    assertTrue(cached().contains(block.getId()));
    assertEquals(List.of(), cached(PingRequestProto.getDefaultInstance()));
  }

  private static List<Long> cached() throws IOException {
    return cached(PingRequestProto.newBuilder().setWithCache(true).build());
  }

  private static List<Long> cached(PingRequestProto request) throws IOException {
    BraidWorkerPB worker = fixture.worker(0);
    return Rpc.call(() -> worker.ping(null, request)).getCachedList();
  }
}
