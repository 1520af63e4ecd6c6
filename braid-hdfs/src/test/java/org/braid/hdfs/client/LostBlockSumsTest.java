package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

final class LostBlockSumsTest {
  private static ExtendedBlock block(long id, long length, long generation) {
    return new ExtendedBlock("pool", id, length, generation);
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
              () -> LostBlockSums.of("/f", lost, old, mode, null, InputStream::nullInputStream));
      assertTrue(
          String.valueOf(unknown.getMessage()).contains("recorded nowhere"), unknown.getMessage());
    }
  }
}
