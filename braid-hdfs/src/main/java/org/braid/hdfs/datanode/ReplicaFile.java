package org.braid.hdfs.datanode;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file of a replica, open for reading by one thread. */
final class ReplicaFile implements Closeable {
  /** Where bytes are read from. */
  enum Source {
    /** The page cache, which reads from the disk what it does not hold. */
    CACHE,
    /** The disk, where the file system allows that. */
    DISK
  }

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaFile.class);
  private static final int WINDOW = 256 << 10;

  /** File systems that were said to read through the page cache only: once is enough. */
  private static final Set<String> UNABLE = ConcurrentHashMap.newKeySet();

  private final FileChannel channel;
  private final @Nullable ByteBuffer window;
  private final int unit;
  private long start;

  private ReplicaFile(FileChannel channel, @Nullable ByteBuffer window, int unit) {
    this.channel = channel;
    this.window = window;
    this.unit = unit;
  }

  static ReplicaFile open(Path path, Source source) throws IOException {
    if (source == Source.DISK) {
      String place = String.valueOf(path.getParent());
      try {
        FileStore store = Files.getFileStore(path);
        place = store + " (" + store.type() + ")";
        int unit = Math.toIntExact(store.getBlockSize());
        return direct(path, unit);
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
    return new ReplicaFile(FileChannel.open(path, StandardOpenOption.READ), null, 1);
  }

  /** Opens a file past the page cache and reads its first bytes: some file systems fail there. */
  private static ReplicaFile direct(Path path, int unit) throws IOException {
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
    try {
      int size = (WINDOW + unit - 1) / unit * unit;
      ByteBuffer window = ByteBuffer.allocateDirect(size + unit - 1).alignedSlice(unit);
      channel.read(window, 0);
      return new ReplicaFile(channel, window.flip(), unit);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
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
      return channel.read(into, at);
    }
    if (at < start || at >= start + held.limit()) {
      start = at - at % unit;
      held.clear();
      channel.read(held, start);
      held.flip();
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
    channel.close();
  }
}
