package org.braid.hdfs.api;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * An append-only list that keeps at most a few thousand entries in memory. The others are in a
 * temporary file that no other process can open and that is deleted with the list. Thread-safe.
 *
 * @param <T> immutable and {@link java.io.Serializable}
 */
public final class SpilledList<T> extends AbstractList<T> implements RandomAccess {
  /** Number of entries that are written and read together. */
  static final int CHUNK = 1000;

  private final List<T> last = new ArrayList<>();

  /** The end of each chunk in the file. */
  private final List<Long> ends = new ArrayList<>();

  private @Nullable FileChannel file;
  private List<T> read = List.of();
  private int readChunk = -1;

  /** An empty list. */
  public SpilledList() {}

  /** Whether entries are in a file, so that callers must not copy the list. */
  public synchronized boolean isSpilled() {
    return !ends.isEmpty();
  }

  @Override
  public synchronized boolean add(T entry) {
    Objects.requireNonNull(entry);
    if (last.size() == CHUNK) { // where it fails, the list is as it was
      spill(List.copyOf(last));
      last.clear();
    }
    return last.add(entry);
  }

  @Override
  public synchronized int size() {
    return ends.size() * CHUNK + last.size();
  }

  @Override
  public synchronized T get(int index) {
    Objects.checkIndex(index, size());
    int chunk = index / CHUNK;
    if (chunk == ends.size()) {
      return last.get(index % CHUNK);
    }
    if (chunk != readChunk) {
      read = chunk(chunk);
      readChunk = chunk;
    }
    return read.get(index % CHUNK);
  }

  private void spill(List<T> entries) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(entries);
      }
      if (file == null) {
        Path path = Files.createTempFile("braid-report-", ".entries");
        // Systems that can delete the file while it is open do so now.
        file =
            FileChannel.open(
                path,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
      }
      long begin = ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
      ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
      while (buffer.hasRemaining()) {
        file.write(buffer, begin + buffer.position());
      }
      ends.add(begin + buffer.position());
    } catch (IOException e) {
      throw new UncheckedIOException(
          new IOException(
              "a report of %d entries and more does not fit in %s: %s"
                  .formatted(size(), System.getProperty("java.io.tmpdir"), e.getMessage()),
              e));
    }
  }

  @SuppressWarnings("unchecked") // this list wrote it
  private List<T> chunk(int number) {
    long begin = number == 0 ? 0 : ends.get(number - 1);
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(ends.get(number) - begin));
    try {
      while (buffer.hasRemaining()) {
        if (Objects.requireNonNull(file).read(buffer, begin + buffer.position()) < 0) {
          throw new EOFException("the file of a report was cut short");
        }
      }
      try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(buffer.array()))) {
        return (List<T>) in.readObject();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
