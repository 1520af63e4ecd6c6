package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.braid.hdfs.proto.BraidProtos.StreamStatusProto;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Streams over bytes in memory: whatever happens to the bytes, nothing wrong is taken for good. */
final class StreamFramesTest {
  private final Random random = Seeds.random(StreamFramesTest.class);

  private interface Sender {
    void send(FrameWriter out) throws IOException;
  }

  private static byte[] sent(Sender sender) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StreamStatusProto.newBuilder().setHost("sender").build().writeDelimitedTo(bytes);
    sender.send(new FrameWriter(bytes));
    return bytes.toByteArray();
  }

  private byte[] sent(byte[] content) throws IOException {
    return sent(
        out -> {
          int at = 0;
          while (at < content.length) {
            int count = Math.min(content.length - at, 1 + random.nextInt(100_000));
            out.write(ByteBuffer.wrap(content, at, count), bytes -> {});
            at += count;
          }
          out.end();
        });
  }

  /** Reads a stream to its end, as a fragment does. */
  private byte[] receive(byte[] bytes, int length) throws IOException {
    byte[] content = new byte[length];
    try (StreamSource source =
        new StreamSource(new Socket(), new ByteArrayInputStream(bytes), "peer", 3, length)) {
      int at = 0;
      while (at < length) {
        int count = Math.min(length - at, 1 + random.nextInt(90_000));
        source.read(at, ByteBuffer.wrap(content, at, count));
        at += count;
      }
      source.finish(crc(content));
    }
    return content;
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void bytesArriveHoweverTheyAreCut() throws Exception {
    for (int length : new int[] {0, 1, FrameWriter.MAX_FRAME, FrameWriter.MAX_FRAME + 1, 500_000}) {
      byte[] content = bytes(length);
      assertArrayEquals(content, receive(sent(content), length));
    }
  }

  @Test
  void everyTruncationIsNoticed() throws Exception {
    byte[] content = bytes(3000);
    byte[] wire = sent(content);
    for (int end = 0; end < wire.length; end++) {
      byte[] cut = Arrays.copyOf(wire, end);
      StreamException e = assertThrows(StreamException.class, () -> receive(cut, 3000));
      assertTrue(
          String.valueOf(e.getMessage()).startsWith("stream 3 of 3000 bytes from "),
          e.getMessage());
      assertTrue(String.valueOf(e.getMessage()).contains("connection lost after "), e.getMessage());
    }
  }

  @Test
  void everyFlippedBitOfTheContentIsNoticed() throws Exception {
    byte[] wire = sent(bytes(300));
    int start = wire.length - 300 - 16;
    for (int bit = start * 8; bit < wire.length * 8; bit++) {
      byte[] bad = wire.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThrows(StreamException.class, () -> receive(bad, 300), "bit " + bit);
    }
  }

  @Test
  void aMismatchNamesThePlace() throws Exception {
    byte[] wire =
        sent(
            out -> {
              out.write(ByteBuffer.wrap(new byte[1000]), bytes -> {});
              out.write(ByteBuffer.wrap(new byte[1000]), bytes -> bytes.put(5, (byte) 1));
            });
    StreamException e = assertThrows(StreamException.class, () -> receive(wire, 5000));
    String place = "slice at offset 1000 of stream 3 of 5000 bytes from sender: CRC mismatch";
    assertTrue(String.valueOf(e.getMessage()).startsWith(place), e.getMessage());
  }

  @Test
  void anEarlyEndIsNoEnd() throws Exception {
    byte[] wire =
        sent(
            out -> {
              out.write(ByteBuffer.wrap(bytes(1000)), bytes -> {});
              out.end();
            });
    assertEquals(
        "stream 3 of 1001 bytes from sender ended after 1000 bytes",
        assertThrows(StreamException.class, () -> receive(wire, 1001)).getMessage());
    assertTrue(
        String.valueOf(assertThrows(StreamException.class, () -> receive(wire, 999)).getMessage())
            .contains("a slice of 1000 bytes cannot follow 0 bytes"));
  }

  @Test
  void anAbortTellsWhy() throws Exception {
    byte[] wire =
        sent(
            out -> {
              out.write(ByteBuffer.wrap(new byte[1000]), bytes -> {});
              out.abort("the disk is gone");
            });
    for (int length : new int[] {1000, 2000}) {
      assertEquals(
          "stream 3 of " + length + " bytes from sender failed after 1000 bytes: the disk is gone",
          assertThrows(StreamException.class, () -> receive(wire, length)).getMessage());
    }
  }

  /** A receiver's own CRC of what it used must be that of what was sent. */
  @Test
  void bytesChangedAfterTheirArrivalAreNoticed() throws Exception {
    byte[] wire = sent(new byte[10]);
    try (StreamSource source =
        new StreamSource(new Socket(), new ByteArrayInputStream(wire), "peer", 3, 10)) {
      source.read(0, ByteBuffer.allocate(10));
      StreamException e = assertThrows(StreamException.class, () -> source.finish(1));
      assertTrue(String.valueOf(e.getMessage()).contains("00000001 was used"), e.getMessage());
    }
  }
}
