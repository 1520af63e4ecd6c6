package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.DataChecksum;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalReplicaReaderTest {
  @TempDir static Path directory;
  static WorkerFixture fixture;
  private final Random random = Seeds.random(LocalReplicaReaderTest.class);

  @BeforeAll
  static void start() throws IOException {
    fixture = WorkerFixture.start(directory, 2, Map.of());
  }

  @AfterAll
  static void stop() throws IOException {
    fixture.close();
  }

  private static byte[] read(BlockProto block, long base, int length, int slice)
      throws IOException {
    ByteBuffer all = ByteBuffer.allocateDirect(length);
    Replicas replicas = fixture.replicas(0);
    try (LocalReplicaReader reader =
        LocalReplicaReader.open(replicas, replicas.block(StripeCodec.of(block)), base)) {
      for (int at = 0; at < length; at += slice) {
        all.limit(Math.min(length, at + slice));
        reader.read(at, all);
        assertEquals(all.limit(), all.position());
      }
    }
    byte[] bytes = new byte[length];
    all.flip().get(bytes);
    return bytes;
  }

  @Test
  void readsAnyRangeAndZerosPastTheEnd() throws Exception {
    for (int length : new int[] {1, 511, 512, 513, 100_000, WorkerFixture.BLOCK_SIZE}) {
      byte[] content = WorkerFixture.bytes(random, length);
      BlockProto block = fixture.write("/ranges" + length, 0, content);
      assertArrayEquals(content, read(block, 0, length, 1 << 20));
      for (int trial = 0; trial < 30; trial++) {
        int base = random.nextInt(length + 600);
        int count = 1 + random.nextInt(length + 600);
        byte[] expected = new byte[count];
        int real = Math.max(0, Math.min(count, length - base));
        System.arraycopy(content, Math.min(base, length), expected, 0, real);
        int slice = 1 + random.nextInt(trial % 2 == 0 ? 100_000 : 1500) + count / 200;
        assertArrayEquals(
            expected, read(block, base, count, slice), base + "+" + count + " by " + slice);
      }
      assertEquals(WorkerFixture.crc(content), fixture.verify(0, block));
    }
  }

  @Test
  void refusesAnythingButTheBlockAskedFor() throws Exception {
    BlockProto block = fixture.write("/identity", 0, WorkerFixture.bytes(random, 2000));
    String name = fixture.node(0).getDisplayName();
    assertRefused(
        block.toBuilder().setGeneration(block.getGeneration() + 1).build(),
        "has generation " + block.getGeneration() + " and 2000 bytes, asked for were generation");
    assertRefused(
        block.toBuilder().setGeneration(block.getGeneration() - 1).build(),
        "the block was changed");
    assertRefused(block.toBuilder().setLength(1999).build(), "and 1999 bytes: the block was");
    assertRefused(block.toBuilder().setLength(2001).build(), "and 2001 bytes: the block was");
    assertRefused(
        block.toBuilder().setId(block.getId() + 1000).build(),
        "no replica of blk_"
            + (block.getId() + 1000)
            + "_"
            + block.getGeneration()
            + " on "
            + name);
    BlockProto other = fixture.write("/elsewhere", 1, WorkerFixture.bytes(random, 2000));
    assertRefused(other, "no replica of blk_" + other.getId());
    try (var out = fixture.fs.append(new org.apache.hadoop.fs.Path("/identity"))) {
      out.write(1);
      out.hflush();
      assertRefused(block, "blk_" + block.getId());
    }
    assertRefused(block, "the block was changed");
  }

  private static void assertRefused(BlockProto block, String message) {
    IOException e = assertThrows(IOException.class, () -> read(block, 0, 10, 10));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }

  @Test
  void refusesBlocksWithoutChecksums() throws Exception {
    var path = new org.apache.hadoop.fs.Path("/unchecked");
    try (var out =
        fixture.fs.create(
            path,
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE),
            4096,
            (short) 2,
            WorkerFixture.BLOCK_SIZE,
            null,
            new ChecksumOpt(DataChecksum.Type.NULL, 512))) {
      out.write(WorkerFixture.bytes(random, 1000));
    }
    BlockProto block = WorkerFixture.identity(fixture.located("/unchecked"));
    assertRefused(block, "has checksum type NULL: without checksums good bytes cannot be told");
  }

  @Test
  void reportsACorruptReplica() throws Exception {
    byte[] content = WorkerFixture.bytes(random, 300_000);
    BlockProto block = fixture.write("/flipped", 0, content);
    int victim = 512 + random.nextInt(content.length - 512);
    try (FileChannel file =
        FileChannel.open(
            fixture.file(0, block), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {(byte) (content[victim] ^ 4)}), victim);
    }
    int chunk = victim / 512 * 512;
    // What lies before the damage is still good.
    assertArrayEquals(Arrays.copyOf(content, chunk), read(block, 0, chunk, 4096));
    ChecksumException e =
        assertThrows(ChecksumException.class, () -> read(block, 0, content.length, 65536));
    assertEquals(
        "block blk_%d_%d on %s: checksum error at byte %d; reported to the NameNode"
            .formatted(
                block.getId(), block.getGeneration(), fixture.node(0).getDisplayName(), chunk),
        e.getMessage());
    Await.until("the NameNode to know", () -> fixture.located("/flipped").isCorrupt());
    IOException remote = assertThrows(IOException.class, () -> fixture.verify(0, block));
    assertTrue(String.valueOf(remote.getMessage()).contains("checksum error at byte " + chunk));
    assertTrue(!String.valueOf(remote.getMessage()).contains("\tat "), remote.getMessage());
  }

  @Test
  void noticesATruncatedFile() throws Exception {
    BlockProto block = fixture.write("/cut", 0, WorkerFixture.bytes(random, 5000));
    try (FileChannel file = FileChannel.open(fixture.file(0, block), StandardOpenOption.WRITE)) {
      file.truncate(4000);
    }
    assertEquals(3584, read(block, 0, 3584, 512).length);
    ChecksumException e = assertThrows(ChecksumException.class, () -> read(block, 0, 5000, 5000));
    assertTrue(
        String.valueOf(e.getMessage()).contains("its files are too short: ends before byte 5000"));
  }
}
