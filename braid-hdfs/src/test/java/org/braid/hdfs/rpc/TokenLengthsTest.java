package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenLengthsTest {
  private static byte[] identity(boolean newer) {
    BlockTokenIdentifier identifier =
        new BlockTokenIdentifier(
            "eve",
            "BP-1",
            1_073_741_825L,
            EnumSet.of(AccessMode.READ, AccessMode.COPY),
            new StorageType[] {StorageType.DISK, StorageType.SSD},
            new String[] {"DS-1", "DS-2"},
            newer);
    identifier.setExpiryDate(1_700_000_000_000L);
    identifier.setHandshakeMsg(new byte[] {1, 2, 3});
    return identifier.getBytes();
  }

  private static ByteString token(byte[] identity) {
    return BlockTokens.encode(
        new Token<>(identity, new byte[] {4, 5}, new Text("HDFS_BLOCK_TOKEN"), new Text()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatHdfsWritesIsLeftToHdfs(boolean newer) throws IOException {
    BlockTokenIdentifier read = BlockTokens.decode(token(identity(newer))).decodeIdentifier();
    assertEquals("eve", read.getUserId());
    assertEquals("BP-1", read.getBlockPoolId());
  }

  /** What HDFS would do with them is to run out of memory, for some of them. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noLengthIsBelievedWherever(boolean newer) {
    byte[] good = identity(newer);
    int refused = 0;
    for (int at = 0; at + Integer.BYTES < good.length; at++) {
      byte[] bad = good.clone();
      // As a whole number, and as the number of variable length which that first byte begins.
      for (int lie : new int[] {Integer.MAX_VALUE, 0x8C7FFFFF, -2}) {
        ByteBuffer.wrap(bad).putInt(at, lie);
        try {
          BlockTokens.decode(token(bad)).decodeIdentifier();
        } catch (IOException | RuntimeException e) {
          refused++; // an Error would end the test
        }
      }
    }
    assertTrue(refused > 0);
  }

  @Test
  void whatIsTooLongIsSaidWithItsLengths() {
    byte[] bad = identity(false);
    int user = new String(bad, StandardCharsets.ISO_8859_1).indexOf("eve");
    ByteBuffer.wrap(bad).putInt(user - Integer.BYTES, 1 << 30);
    assertEquals(
        "the identity of a block token, %d bytes, speaks of %d where %d are left"
            .formatted(bad.length, 1 << 30, bad.length - user),
        assertThrows(IOException.class, () -> BlockTokens.decode(token(bad))).getMessage());
  }
}
