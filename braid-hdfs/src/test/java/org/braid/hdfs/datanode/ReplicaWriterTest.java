package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.apache.hadoop.util.DataChecksum;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.RebuildProto;
import org.junit.jupiter.api.Test;

/** Which replicas can be written. */
final class ReplicaWriterTest {
  private static RebuildProto rebuild(String checksum, int chunk) {
    return RebuildProto.newBuilder()
        .setBlock(BlockProto.newBuilder().setId(1).setGeneration(1).setLength(1))
        .setCrc32C(0)
        .setChecksum(checksum)
        .setBytesPerChecksum(chunk)
        .build();
  }

  /** Else a file would be encoded of which no block could ever be rebuilt or moved. */
  @Test
  void whatCanBeReadAndEncodedCanBeWrittenAgain() throws IOException {
    for (int chunk : new int[] {1, 512, 1000, 2 << 20, LocalReplicaReader.MAX_CHUNK}) {
      DataChecksum sums = ReplicaWriter.checksum(rebuild("CRC32C", chunk));
      assertEquals(chunk, sums.getBytesPerChecksum());
      assertEquals(DataChecksum.Type.CRC32C, sums.getChecksumType());
    }
    assertEquals(
        DataChecksum.Type.CRC32, ReplicaWriter.checksum(rebuild("CRC32", 512)).getChecksumType());
  }

  /** Its file may be on a disk that changes no rights any more, and is read from all the same. */
  @Test
  void aStoredReplicaThatCannotBePinnedIsNoFailure() {
    assertDoesNotThrow(
        () ->
            ReplicaPins.attempt(
                () -> {
                  throw new AccessDeniedException("blk_1");
                },
                "blk_1"));
  }

  @Test
  void whatCannotBeReadIsRefused() {
    for (int chunk : new int[] {0, LocalReplicaReader.MAX_CHUNK + 1}) {
      IOException e =
          assertThrows(IOException.class, () -> ReplicaWriter.checksum(rebuild("CRC32C", chunk)));
      String refused = "bad request: checksum type CRC32C over " + chunk;
      assertTrue(e.getMessage().startsWith(refused), e.toString());
    }
    assertThrows(IOException.class, () -> ReplicaWriter.checksum(rebuild("NULL", 512)));
  }
}
