package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenLengthsTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatHdfsWritesIsLeftToHdfs(boolean newer) throws IOException {
    BlockTokenIdentifier read =
        BlockTokens.decode(TestTokens.token(TestTokens.identity(newer))).decodeIdentifier();
    assertEquals("eve", read.getUserId());
    assertEquals("BP-1", read.getBlockPoolId());
  }

  /** What HDFS would do with them is to run out of memory, for some of them. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noLengthIsBelievedWherever(boolean newer) {
    byte[] good = TestTokens.identity(newer);
    int refused = 0;
    for (int at = 0; at + Integer.BYTES < good.length; at++) {
      byte[] bad = good.clone();
      // As a whole number, and as the number of variable length which that first byte begins.
      for (int lie : new int[] {Integer.MAX_VALUE, 0x8C7FFFFF, -2}) {
        ByteBuffer.wrap(bad).putInt(at, lie);
        try {
          BlockTokens.decode(TestTokens.token(bad)).decodeIdentifier();
        } catch (IOException | RuntimeException e) {
          refused++; // an Error would end the test
        }
      }
    }
    assertTrue(refused > 0);
  }

  @Test
  void whatIsTooLongIsSaidWithItsLengths() {
    byte[] bad = TestTokens.identity(false);
    int user = new String(bad, StandardCharsets.ISO_8859_1).indexOf("eve");
    ByteBuffer.wrap(bad).putInt(user - Integer.BYTES, 1 << 30);
    assertEquals(
        "the identity of a block token, %d bytes, speaks of %d where %d are left"
            .formatted(bad.length, 1 << 30, bad.length - user),
        assertThrows(IOException.class, () -> BlockTokens.decode(TestTokens.token(bad)))
            .getMessage());
  }
}
