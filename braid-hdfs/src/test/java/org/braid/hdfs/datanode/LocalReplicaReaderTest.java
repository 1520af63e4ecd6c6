package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a reader gives back. */
final class LocalReplicaReaderTest {
  private final List<String> closed = new ArrayList<>();

  private AutoCloseable resource(String name, IOException failure) {
    return () -> {
      closed.add(name);
      throw failure;
    };
  }

  /** Else a disk that fails could not be taken out of its DataNode any more. */
  @Test
  void aVolumeIsLetGoAlsoWhenAFileOnItCannotBeClosed() {
    IOException first = new IOException("the disk fails");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                LocalReplicaReader.closeAll(
                    resource("data", first),
                    null,
                    resource("meta", new IOException("so it does")),
                    () -> closed.add("volume")));
    assertSame(first, thrown);
    assertEquals(List.of("data", "meta", "volume"), closed);
  }

  /** Each time its bytes are read from the disk, too. */
  @Test
  void aChunkIsVerifiedOnceForSlicesThatFollowOneAnother() throws IOException {
    byte[] block = new byte[1000];
    for (int i = 0; i < block.length; i++) {
      block[i] = (byte) (i % 251 + 1);
    }
    List<Long> verified = new ArrayList<>();
    LocalReplicaReader.Chunks chunks =
        new LocalReplicaReader.Chunks(
            300,
            2,
            block.length,
            (at, bytes) -> {
              verified.add(at);
              bytes.duplicate().put(block, (int) at, bytes.remaining());
            });
    byte[] read = new byte[1100];
    for (int at = 0; at < read.length; at += 50) {
      chunks.read(at, ByteBuffer.wrap(read, at, 50));
    }
    assertArrayEquals(Arrays.copyOf(block, read.length), read, "zeros are behind the end");
    assertEquals(List.of(0L, 300L, 600L, 900L), verified);
    verified.clear();
    ByteBuffer whole = ByteBuffer.allocate(1000);
    chunks.read(0, whole);
    assertArrayEquals(block, whole.array());
    assertEquals(List.of(0L, 600L), verified, "two chunks at once");
  }

  /** What is left of it in memory is not what was verified. */
  @Test
  void aChunkThatFailedIsReadAgain() throws IOException {
    List<Long> reads = new ArrayList<>();
    LocalReplicaReader.Chunks chunks =
        new LocalReplicaReader.Chunks(
            300,
            2,
            1000,
            (at, bytes) -> {
              reads.add(at);
              if (reads.size() == 1) {
                throw new IOException("checksum error");
              }
            });
    assertThrows(IOException.class, () -> chunks.read(10, ByteBuffer.allocate(10)));
    chunks.read(10, ByteBuffer.allocate(10));
    assertEquals(List.of(0L, 0L), reads);
  }
}
