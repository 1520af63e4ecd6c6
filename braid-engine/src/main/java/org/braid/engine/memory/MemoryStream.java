package org.braid.engine.memory;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.braid.engine.SliceSink;
import org.braid.engine.SliceSource;
import org.braid.plan.Link;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of slices between two fragments. An end that closes early breaks the stream for
 * the other end, so that neither waits for a closed one.
 */
final class MemoryStream {
  /** The other end closed early: a consequence, never the cause, of a failed run. */
  static final class BrokenException extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenException(String message) {
      super(message);
    }
  }

  private final int stream;
  private final Link link;
  private final int capacity;
  private final Deque<byte[]> slices = new ArrayDeque<>();
  private final SliceSink sink = new Sink();
  private final SliceSource source = new Source();
  private long bytes;
  private @Nullable Integer sentCrc;
  private @Nullable String broken;

  MemoryStream(int stream, Link link, int capacity) {
    this.stream = stream;
    this.link = link;
    this.capacity = capacity;
  }

  SliceSink sink() {
    return sink;
  }

  SliceSource source() {
    return source;
  }

  Link link() {
    return link;
  }

  /** Bytes written. */
  synchronized long bytes() {
    return bytes;
  }

  /** Wakes both ends with a failure. */
  synchronized void breakUp(String reason) {
    if (broken == null) {
      broken = "stream " + stream + " of " + link + " broke: " + reason;
    }
    notifyAll();
  }

  /** Waits until the stream is ready or broken. */
  private synchronized void await(BooleanSupplier ready) throws IOException {
    try {
      while (broken == null && !ready.getAsBoolean()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted on stream " + stream + " of " + link);
    }
    if (broken != null) {
      throw new BrokenException(broken);
    }
  }

  private final class Sink implements SliceSink {
    @Override
    public void write(ByteBuffer slice) throws IOException {
      byte[] copy = new byte[slice.remaining()];
      slice.get(copy);
      synchronized (MemoryStream.this) {
        await(() -> slices.size() < capacity);
        slices.add(copy);
        bytes += copy.length;
        MemoryStream.this.notifyAll();
      }
    }

    @Override
    public void finish(int crc32c) throws IOException {
      synchronized (MemoryStream.this) {
        await(() -> true);
        sentCrc = crc32c;
        MemoryStream.this.notifyAll();
      }
    }

    @Override
    public void close() {
      synchronized (MemoryStream.this) {
        if (sentCrc == null) {
          breakUp("node " + link.from() + " gave up");
        }
      }
    }
  }

  private final class Source implements SliceSource {
    private boolean finished;

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      synchronized (MemoryStream.this) {
        await(() -> !slices.isEmpty());
        into.put(slices.remove());
        MemoryStream.this.notifyAll();
      }
    }

    @Override
    public void finish(int crc32c) throws IOException {
      synchronized (MemoryStream.this) {
        await(() -> sentCrc != null);
        if (sentCrc == null || sentCrc != crc32c) {
          throw new IOException(
              String.format(
                  "stream %d of %s: CRC-32C %08x received, %08x sent",
                  stream, link, crc32c, sentCrc));
        }
        finished = true;
      }
    }

    @Override
    public void close() {
      if (!finished) {
        breakUp("node " + link.to() + " gave up");
      }
    }
  }
}
