package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReplicaFileTest {
  @TempDir Path directory;
  private final Random random = Seeds.random(ReplicaFileTest.class);

  private byte[] content(int length) throws IOException {
    byte[] content = new byte[length];
    random.nextBytes(content);
    Files.write(directory.resolve("f"), content);
    return content;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 4095, 4096, 4097, 262_144, 262_145, 700_001})
  void theDiskHasWhatTheCacheHas(int length) throws IOException {
    byte[] content = content(length);
    try (ReplicaFile file = ReplicaFile.open(directory.resolve("f"), ReplicaFile.Source.DISK)) {
      for (int trial = 0; trial < 50; trial++) {
        int at = random.nextInt(length + 1);
        ByteBuffer into = ByteBuffer.allocate(1 + random.nextInt(300_000));
        int from = at;
        int count = file.read(into, at);
        while (count >= 0 && into.hasRemaining()) {
          at += count;
          count = file.read(into, at);
        }
        int expected = Math.min(into.capacity(), length - from);
        assertEquals(expected, into.position(), "from " + from);
        assertArrayEquals(
            Arrays.copyOfRange(content, from, from + expected),
            Arrays.copyOf(into.array(), expected));
      }
      assertEquals(-1, file.read(ByteBuffer.allocate(1), length));
    }
  }

  @Test
  void aFileSystemInMemoryIsReadThroughItsCache() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory));
    Path path = Files.createTempFile(memory, "braid", "");
    try {
      Files.write(path, new byte[] {7, 8});
      try (ReplicaFile file = ReplicaFile.open(path, ReplicaFile.Source.DISK)) {
        ByteBuffer into = ByteBuffer.allocate(4);
        assertEquals(2, file.read(into, 0));
        assertEquals(8, into.get(1));
      }
    } finally {
      Files.delete(path);
    }
  }

  /** A disk that fails past the page cache, which has all bytes. */
  private static final class BadDisk implements ReplicaFile.Opener {
    private final Set<String> able = new HashSet<>();
    private boolean bad;

    @Override
    public ReplicaFile.Bytes open(Path path, OpenOption... options) throws IOException {
      boolean past = options.length > 1;
      byte[] content = Files.readAllBytes(path);
      return new ReplicaFile.Bytes() {
        @Override
        public int read(ByteBuffer into, long at) throws IOException {
          if (bad && past) {
            throw new IOException("Input/output error");
          }
          int count = (int) Math.min(into.remaining(), content.length - at);
          into.put(content, (int) at, count);
          return count;
        }

        @Override
        public void close() {}
      };
    }

    private int read(Path path, ByteBuffer into) throws IOException {
      try (ReplicaFile file = ReplicaFile.open(path, ReplicaFile.Source.DISK, this, able)) {
        return file.read(into, 0);
      }
    }
  }

  @Test
  void whatTheDiskDoesNotReadIsNotTakenFromTheCache() throws IOException {
    content(700);
    Path path = directory.resolve("f");
    BadDisk disk = new BadDisk();
    assertEquals(700, disk.read(path, ByteBuffer.allocate(700)));
    disk.bad = true;
    IOException failure =
        assertThrows(IOException.class, () -> disk.read(path, ByteBuffer.allocate(700)));
    assertEquals("Input/output error", failure.getMessage());
  }

  @Test
  void aFileSystemThatFailsFromTheBeginningIsReadThroughItsCache() throws IOException {
    content(700);
    BadDisk disk = new BadDisk();
    disk.bad = true;
    assertEquals(700, disk.read(directory.resolve("f"), ByteBuffer.allocate(700)));
  }
}
