package org.braid.hdfs.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import org.apache.hadoop.fs.ByteBufferUtil;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.io.ByteBufferPool;
import org.braid.hdfs.client.readahead.ReadAhead;
import org.braid.hdfs.client.readahead.ReadAheadFile;
import org.braid.hdfs.client.readahead.ReadHints;
import org.braid.hdfs.client.readahead.SequentialReader;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.braid.hdfs.client.statistics.ReadStatisticsSum;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The input stream for programs: rebuilds lost blocks, and reads several blocks ahead at the same
 * time.
 */
final class BraidInputStream extends DegradedInputStream implements IOStatisticsSource {
  private static final Logger LOG = LoggerFactory.getLogger(BraidInputStream.class);

  private final ReadCounters counters;
  private final ReadAhead ahead;
  private final IdentityHashMap<ByteBuffer, ByteBufferPool> copies = new IdentityHashMap<>();

  /** A stream of a file whose first blocks are known. */
  BraidInputStream(BraidClient client, String src, boolean verifyChecksum, LocatedBlocks blocks)
      throws IOException {
    this(client, src, verifyChecksum, blocks, new ReadCounters(client.counters()));
  }

  private BraidInputStream(
      BraidClient client,
      String src,
      boolean verifyChecksum,
      LocatedBlocks blocks,
      ReadCounters counters)
      throws IOException {
    super(client, src, verifyChecksum, blocks, counters);
    this.counters = counters;
    this.ahead = new ReadAhead(new Blocks(), client.ahead(), counters);
  }

  /** This file for those who read ahead. */
  private final class Blocks implements ReadAheadFile {
    @Override
    public long length() {
      return getFileLength();
    }

    @Override
    public LocatedBlock blockAt(long position) throws IOException {
      return getBlockAt(position);
    }

    @Override
    public SequentialReader open() throws IOException {
      DegradedInputStream stream = new DegradedInputStream(BraidInputStream.this);
      return new SequentialReader() {
        @Override
        public int read(long position, ByteBuffer into) throws IOException {
          // Else each thread would ask the NameNode for all that the reader has asked for.
          stream.learn(BraidInputStream.this, position);
          return client().readAhead(stream, position, into);
        }

        @Override
        public ReadStatistics statistics() {
          return stream.getReadStatistics();
        }

        @Override
        public void close() throws IOException {
          stream.unbuffer();
          stream.close();
        }
      };
    }

    @Override
    public void disconnect() {
      BraidInputStream.super.unbuffer();
    }

    @Override
    public String toString() {
      return src;
    }
  }

  /** Sets the program's hints on how it will read, before it reads. */
  void hint(ReadHints hints) {
    ahead.hint(hints);
  }

  @Override
  public synchronized int read(ByteBuffer into) throws IOException {
    checkOpen();
    long from = pos;
    if (from >= getFileLength() || !into.hasRemaining()) {
      return super.read(into);
    }
    int read = ahead.read(from, into);
    if (read > 0) {
      LocatedBlock block = getBlockAt(from);
      moveOn(block, from + read);
      client().countReadAhead(block, read);
      return read;
    }
    read = super.read(into);
    ahead.noteRead(from, Math.max(0, read));
    return read;
  }

  @Override
  public synchronized @Nullable ByteBuffer read(
      ByteBufferPool pool, int most, EnumSet<ReadOption> options) throws IOException {
    if (most <= 0 || pos >= getFileLength()) {
      return super.read(pool, most, options);
    }
    if (!ahead.isOpen() && !isLostHere()) {
      long from = pos;
      try {
        return super.read(pool, most, options);
      } catch (IOException e) {
        if (isFinal(e)) {
          throw e;
        }
        LOG.debug("no zero-copy read of {} at {}: {}", src, from, e.getMessage());
        moveTo(from); // bytes before the failure may have been read into a buffer that is gone
      }
    }
    ByteBuffer copy = ByteBufferUtil.fallbackRead(this, pool, most);
    if (copy != null) {
      copies.put(copy, pool);
    }
    return copy;
  }

  @Override
  public synchronized void releaseBuffer(ByteBuffer buffer) {
    ByteBufferPool pool = copies.remove(buffer);
    if (pool == null) {
      super.releaseBuffer(buffer);
    } else {
      pool.putBuffer(buffer);
    }
  }

  /** Statistics of the read bytes; bytes that were read ahead count even if they were not used. */
  @Override
  public ReadStatistics getReadStatistics() {
    ReadStatistics sum = new ReadStatistics();
    ReadStatisticsSum.add(readStatistics, sum);
    ahead.addTo(sum);
    return sum;
  }

  @Override
  public void clearReadStatistics() {
    super.clearReadStatistics();
    ahead.clearStatistics();
  }

  @Override
  public IOStatistics getIOStatistics() {
    return counters.getIOStatistics();
  }

  @Override
  public synchronized void setDropBehind(Boolean dropBehind) throws IOException {
    super.setDropBehind(dropBehind);
    ahead.restart();
  }

  @Override
  public synchronized void setReadahead(Long readahead) throws IOException {
    super.setReadahead(readahead);
    ahead.limit(readahead);
  }

  /**
   * Moves to another replica; drops bytes read ahead, which may be of the replica that the program
   * rejects.
   */
  @Override
  public synchronized boolean seekToNewSource(long target) throws IOException {
    ahead.leave();
    return super.seekToNewSource(target);
  }

  @Override
  public synchronized void unbuffer() {
    ahead.restart();
    super.unbuffer();
  }

  @Override
  public boolean hasCapability(String capability) {
    return StreamCapabilities.IOSTATISTICS.equalsIgnoreCase(capability)
        || super.hasCapability(capability);
  }

  /** Closes the stream; first ends a sequential read that waits for read-ahead. */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // or it would wait for that read
  public void close() throws IOException {
    ahead.close();
    super.close();
  }
}
