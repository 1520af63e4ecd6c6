package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A stock stream that several threads use and one may replace: it is closed when it is retired and
 * its last user is done. Thread-safe, but for stateful reads, which need the owner's lock.
 */
final class PlainStream implements Closeable {
  /** Opens a stock stream of the file. */
  interface Opener {
    HdfsDataInputStream open() throws IOException;
  }

  private final HdfsDataInputStream in;
  private int users = 1;

  PlainStream(HdfsDataInputStream in) {
    this.in = in;
  }

  HdfsDataInputStream in() {
    return in;
  }

  /** Takes part; false when it is closed already. */
  synchronized boolean enter() {
    if (users == 0) {
      return false;
    }
    users++;
    return true;
  }

  /** Ends what {@link #enter}, or the constructor, began. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (--users > 0) {
        return;
      }
    }
    in.close();
  }

  /** All blocks of the file, with the locations that this stream knows. */
  List<LocatedBlock> blocks() throws IOException {
    return in.getAllBlocks();
  }

  /** The block that holds a position. */
  Optional<LocatedBlock> blockAt(long position) throws IOException {
    for (LocatedBlock block : blocks()) {
      if (position >= block.getStartOffset() && position < end(block)) {
        return Optional.of(block);
      }
    }
    return Optional.empty();
  }

  /** Where the file goes on behind a block. */
  static long end(LocatedBlock block) {
    return block.getStartOffset() + block.getBlockSize();
  }

  /** Reads on from a position; at most {@code count} bytes, at least one but at the end: -1. */
  int readOn(long position, ByteBuffer into, int count) throws IOException {
    if (in.getPos() != position) {
      in.seek(position);
    }
    if (into.hasArray()) {
      int read = in.read(into.array(), into.arrayOffset() + into.position(), count);
      return advance(into, read);
    }
    ByteBuffer part = into.slice(into.position(), count);
    return advance(into, in.read(part));
  }

  /** Reads at a position, leaving the stream's own where it is; otherwise as {@link #readOn}. */
  int readAt(long position, ByteBuffer into, int count) throws IOException {
    if (into.hasArray()) {
      int read = in.read(position, into.array(), into.arrayOffset() + into.position(), count);
      return advance(into, read);
    }
    ByteBuffer part = into.slice(into.position(), count);
    return advance(into, in.read(position, part));
  }

  private static int advance(ByteBuffer into, int read) {
    if (read > 0) {
      into.position(into.position() + read);
    }
    return read;
  }
}
