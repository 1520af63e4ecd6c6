package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DFSClientBase.BlockSum;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.util.DataChecksum;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LostBlockSumsTest {
  private static ExtendedBlock block(long id, long length, long generation) {
    return new ExtendedBlock("pool", id, length, generation);
  }

  private static LostBlockSums.Found content(@Nullable ExtendedBlock block, byte[] bytes) {
    return new LostBlockSums.Found(block, new ByteArrayInputStream(bytes));
  }

  /** A block that was cut and appended to again may have its old length, but not its old bytes. */
  @Test
  void theSumRecordedIsThatOfTheBlockAsItWasEncoded() {
    FakeCluster cluster = new FakeCluster(3, 1);
    String id = cluster.stripe("rs-2-1", 1, "r0n0", "r1n0", "r2n0");
    StripeStatus status = cluster.status(id);
    Member second = status.stripe().member(1);
    BlockIdentity encoded = second.block();
    List<StripeStatus> answer = List.of(status);
    assertEquals(
        Optional.of(second),
        LostBlockSums.memberOf(
            block(encoded.id(), encoded.length(), encoded.generation()), answer));
    // The sum of a file's first bytes may end within a block.
    assertEquals(
        Optional.of(second),
        LostBlockSums.memberOf(
            block(encoded.id(), encoded.length() - 1, encoded.generation()), answer));
    for (ExtendedBlock changed :
        List.of(
            block(encoded.id(), encoded.length(), encoded.generation() + 1),
            block(encoded.id(), encoded.length() + 1, encoded.generation()),
            block(encoded.id() + 50, encoded.length(), encoded.generation()))) {
      assertEquals(Optional.empty(), LostBlockSums.memberOf(changed, answer), changed.toString());
    }
  }

  /** As a block that nobody can rebuild for this reader: whoever asks waits for the repair. */
  @Test
  void checksumsThatNobodyKnowsAreThoseOfTheRebuiltBlock() {
    FakeCluster cluster = new FakeCluster(3, 1);
    String id = cluster.stripe("rs-2-1", 1, "r0n0", "r1n0", "r2n0");
    Member old = cluster.status(id).stripe().member(0);
    BlockIdentity encoded = old.block();
    LocatedBlock lost =
        new LocatedBlock(
            block(encoded.id(), encoded.length(), encoded.generation()), new DatanodeInfo[0]);
    for (ChecksumCombineMode mode : ChecksumCombineMode.values()) {
      BlockMissingException unknown =
          assertThrows(
              BlockMissingException.class,
              () ->
                  LostBlockSums.of("/f", lost, old, mode, null, () -> content(null, new byte[0])));
      assertTrue(
          String.valueOf(unknown.getMessage()).contains("recorded nowhere"), unknown.getMessage());
    }
  }

  /** By the file's path another block may be found than the one that was looked up by it. */
  @Test
  void theBytesOfAFileThatTookThePathAreNotThoseOfTheBlock() throws IOException {
    FakeCluster cluster = new FakeCluster(3, 1);
    String id = cluster.stripe("rs-2-1", 1, "r0n0", "r1n0", "r2n0");
    Member member = cluster.status(id).stripe().member(0);
    BlockIdentity encoded = member.block();
    byte[] bytes = {1, 2, 3, 4, 5, 6, 7};
    ExtendedBlock same = block(encoded.id(), encoded.length(), encoded.generation());
    LocatedBlock lost =
        new LocatedBlock(
            block(encoded.id(), bytes.length, encoded.generation()), new DatanodeInfo[0]);
    lost.setStartOffset(4096);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    assertArrayEquals(
        ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array(),
        sum(lost, member, content(same, bytes)).sum());

    for (ExtendedBlock other :
        List.of(
            block(encoded.id() + 50, encoded.length(), encoded.generation()),
            block(encoded.id(), encoded.length(), encoded.generation() + 1))) {
      IOException changed =
          assertThrows(IOException.class, () -> sum(lost, member, content(other, bytes)));
      assertEquals(
          "Blocklist for /f has changed! At 4096 it has %s and no more %s"
              .formatted(other, lost.getBlock()),
          changed.getMessage());
    }
    IOException cut =
        assertThrows(IOException.class, () -> sum(lost, member, content(null, bytes)));
    assertTrue(String.valueOf(cut.getMessage()).contains("it has no block"), cut.getMessage());
  }

  private static BlockSum sum(LocatedBlock lost, Member member, LostBlockSums.Found found)
      throws IOException {
    return LostBlockSums.of(
        "/f",
        lost,
        member,
        ChecksumCombineMode.COMPOSITE_CRC,
        new BlockSum(new byte[Integer.BYTES], DataChecksum.Type.CRC32, 512),
        () -> found);
  }
}
