package org.braid.engine.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class BlockCrcTest {
  private static final Random RANDOM = Seeds.random(BlockCrcTest.class);

  @Test
  void theOrderOfPiecesDoesNotMatter() {
    for (int i = 0; i < 200; i++) {
      byte[] block = new byte[RANDOM.nextInt(5000)];
      RANDOM.nextBytes(block);
      List<int[]> pieces = new ArrayList<>();
      for (int at = 0; at < block.length; ) {
        int count = 1 + RANDOM.nextInt(block.length - at);
        pieces.add(new int[] {at, count});
        at += count;
      }
      Collections.shuffle(pieces, RANDOM);
      BlockCrc crc = new BlockCrc(block.length);
      for (int[] piece : pieces) {
        assertFalse(crc.isComplete());
        ByteBuffer bytes = ByteBuffer.wrap(block, piece[0], piece[1]);
        crc.add(piece[0], bytes);
        assertEquals(piece[1], bytes.remaining());
      }
      assertTrue(crc.isComplete());
      assertEquals(crc(block), crc.value());
    }
  }

  @Test
  void zerosThatFollowCount() {
    for (int zeros : new int[] {0, 1, 7, 4096, 12_345}) {
      byte[] bytes = new byte[1000];
      RANDOM.nextBytes(bytes);
      byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + zeros);
      assertEquals(crc(longer), Crc32cZeros.append(crc(bytes), zeros), zeros + " zeros");
    }
  }

  @Test
  void anIncompleteBlockHasNone() {
    BlockCrc crc = new BlockCrc(10);
    crc.add(3, ByteBuffer.allocate(4));
    assertThrows(IllegalStateException.class, crc::value);
    assertThrows(IllegalArgumentException.class, () -> crc.add(7, ByteBuffer.allocate(4)));
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
