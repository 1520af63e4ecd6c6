package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.braid.hdfs.proto.BraidProtos.StreamRequestProto;
import org.braid.testing.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DelimitedTest {
  private static final int MOST = 200;

  private static @Nullable StreamRequestProto read(byte[] bytes) throws IOException {
    return Delimited.read(new ByteArrayInputStream(bytes), StreamRequestProto.parser(), MOST);
  }

  private static byte[] written(String run) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StreamRequestProto.newBuilder().setRun(run).setStream(3).build().writeDelimitedTo(out);
    return out.toByteArray();
  }

  @Test
  void messagesUpToALengthAreRead() throws Exception {
    assertNull(read(new byte[0]));
    for (String run : new String[] {"", "run", "r".repeat(190)}) {
      StreamRequestProto request = read(written(run));
      assertEquals(run, request == null ? null : request.getRun());
    }
    assertEquals(
        "a message of 206 bytes is announced, at most 200 are read",
        assertThrows(StreamException.class, () -> read(written("r".repeat(201)))).getMessage());
  }

  @Test
  void noMemoryIsTakenForWhatIsOnlyAnnounced() {
    byte[] huge = {-1, -1, -1, -1, 0x07};
    assertEquals(
        "a message of 2147483647 bytes is announced, at most 200 are read",
        assertThrows(StreamException.class, () -> read(huge)).getMessage());
    byte[] negative = {-1, -1, -1, -1, 0x0f};
    assertEquals(
        "a message of 4294967295 bytes is announced, at most 200 are read",
        assertThrows(StreamException.class, () -> read(negative)).getMessage());
    assertThrows(EOFException.class, () -> read(new byte[] {100, 1, 2}));
  }

  /** Whatever comes is a message, or an error that is an IOException. */
  @Test
  void anyBytesAreAMessageOrAnError() throws Exception {
    Random random = Seeds.random(getClass());
    byte[] good = written("0123456789abcdef");
    int refused = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = Arrays.copyOf(good, random.nextInt(2 * good.length));
      for (int change = random.nextInt(4); change >= 0 && bytes.length > 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        StreamRequestProto unused = read(bytes);
      } catch (IOException e) {
        refused++;
      }
    }
    assertTrue(refused > 10_000, refused + " of them are refused");
  }
}
