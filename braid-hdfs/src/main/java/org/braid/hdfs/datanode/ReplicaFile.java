package org.braid.hdfs.datanode;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file of a replica, open for reading by one thread. */
final class ReplicaFile implements Closeable {
  /** The source of the bytes. */
  enum Source {
    /** The page cache, which reads missing bytes from the disk. */
    CACHE,
    /** The disk, if the file system supports direct reads. */
    DISK
  }

  /** The bytes of an open file. */
  interface Bytes extends Closeable {
    /** Reads some from a place on; -1 at the end. */
    int read(ByteBuffer into, long at) throws IOException;
  }

  /** Opens files. */
  @FunctionalInterface
  interface Opener {
    Bytes open(Path path, OpenOption... options) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaFile.class);
  private static final int WINDOW = 256 << 10;

  /** File systems that were said to read through the page cache only: once is enough. */
  private static final Set<String> UNABLE = ConcurrentHashMap.newKeySet();

  /** File systems that were read past the page cache: what fails there later is the disk. */
  private static final Set<String> ABLE = ConcurrentHashMap.newKeySet();

  private final Bytes bytes;
  private final @Nullable ByteBuffer window;
  private final int unit;
  private long start;

  private ReplicaFile(Bytes bytes, @Nullable ByteBuffer window, int unit) {
    this.bytes = bytes;
    this.window = window;
    this.unit = unit;
  }

  static ReplicaFile open(Path path, Source source) throws IOException {
    return open(path, source, ReplicaFile::opened, ABLE);
  }

  /**
   * Opens a file with another opener.
   *
   * @param able file systems that have supported direct reads so far
   */
  static ReplicaFile open(Path path, Source source, Opener opener, Set<String> able)
      throws IOException {
    if (source == Source.DISK) {
      String place = String.valueOf(path.getParent());
      try {
        FileStore store = Files.getFileStore(path);
        place = store + " (" + store.type() + ")";
        int unit = Math.toIntExact(store.getBlockSize());
        Bytes past = opener.open(path, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
        return direct(past, unit, place, able);
      } catch (NoSuchFileException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        if (UNABLE.add(place)) {
          LOG.warn(
              "replicas on {} are verified through the page cache, they cannot be read past it: {}",
              place,
              e.getMessage());
        }
      }
    }
    return new ReplicaFile(opener.open(path, StandardOpenOption.READ), null, 1);
  }

  private static Bytes opened(Path path, OpenOption... options) throws IOException {
    FileChannel channel = FileChannel.open(path, options);
    return new Bytes() {
      @Override
      public int read(ByteBuffer into, long at) throws IOException {
        return channel.read(into, at);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /**
   * Reads the first bytes of a file past the page cache: some file systems fail there. On one that
   * does not it is the disk that fails, which whoever reads these bytes hears: the page cache may
   * have them still, and says nothing of the disk.
   */
  private static ReplicaFile direct(Bytes bytes, int unit, String place, Set<String> able)
      throws IOException {
    try {
      int size = (WINDOW + unit - 1) / unit * unit;
      ByteBuffer window = ByteBuffer.allocateDirect(size + unit - 1).alignedSlice(unit);
      ReplicaFile file = new ReplicaFile(bytes, window, unit);
      try {
        file.fill(window, 0);
        able.add(place);
      } catch (IOException e) {
        if (!able.contains(place)) {
          throw e;
        }
      }
      return file;
    } catch (IOException | RuntimeException e) {
      bytes.close();
      throw e;
    }
  }

  /** Fills the window from a place on; after a failure it has nothing. */
  private void fill(ByteBuffer held, long at) throws IOException {
    start = at - at % unit;
    held.clear();
    boolean done = false;
    try {
      bytes.read(held, start);
      done = true;
    } finally {
      held.limit(done ? held.position() : 0);
      held.position(0);
    }
  }

  /**
   * Reads some bytes.
   *
   * @param at where they start in the file
   * @return how many, -1 at the end of the file
   */
  int read(ByteBuffer into, long at) throws IOException {
    ByteBuffer held = window;
    if (held == null) {
      return bytes.read(into, at);
    }
    if (at < start || at >= start + held.limit()) {
      fill(held, at);
    }
    int from = (int) (at - start);
    if (from >= held.limit()) {
      return -1;
    }
    int count = Math.min(into.remaining(), held.limit() - from);
    into.put(held.slice(from, count));
    return count;
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
