package org.braid.hdfs.client;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.util.StringUtils;

/**
 * A file's bytes: healthy blocks as HDFS reads them, lost blocks rebuilt from their stripes. Reads
 * at positions may run concurrently with each other and with the one stateful reader, as in HDFS.
 */
final class BraidInputStream extends FSInputStream
    implements ByteBufferReadable,
        ByteBufferPositionedReadable,
        CanSetDropBehind,
        CanSetReadahead,
        CanUnbuffer,
        StreamCapabilities,
        IOStatisticsSource {
  private final FileReader file;
  private final ReadAhead ahead;
  private final ReadCounters counters;
  private long pos;

  BraidInputStream(FileReader file, ReadAhead ahead, ReadCounters counters) {
    this.file = file;
    this.ahead = ahead;
    this.counters = counters;
  }

  /** What was read, and how. */
  ReadStatistics statistics() {
    ReadStatistics sum = new ReadStatistics();
    file.addTo(sum);
    ahead.addTo(sum);
    return sum;
  }

  void clearStatistics() {
    file.clearStatistics();
    ahead.clearStatistics();
  }

  /** The stock stream in use now. */
  HdfsDataInputStream stock() {
    return file.stock();
  }

  @Override
  public synchronized void seek(long target) throws IOException {
    if (target < 0) {
      throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
    }
    if (target > file.length()) {
      throw new EOFException(FSExceptionMessages.CANNOT_SEEK_PAST_EOF);
    }
    file.checkOpen();
    pos = target;
  }

  @Override
  public synchronized long getPos() {
    return pos;
  }

  @Override
  public synchronized boolean seekToNewSource(long target) throws IOException {
    seek(target);
    return file.seekToNewSource(target);
  }

  @Override
  public synchronized long skip(long n) throws IOException {
    if (n <= 0) {
      return 0;
    }
    long count = Math.min(n, file.length() - pos);
    seek(pos + count);
    return count;
  }

  @Override
  public synchronized int available() throws IOException {
    file.checkOpen();
    return (int) Math.min(Integer.MAX_VALUE, file.length() - pos);
  }

  @Override
  public synchronized int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) <= 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] buffer, int offset, int length) throws IOException {
    validatePositionedReadArgs(pos, buffer, offset, length);
    return read(ByteBuffer.wrap(buffer, offset, length));
  }

  @Override
  public synchronized int read(ByteBuffer into) throws IOException {
    file.checkOpen();
    if (!into.hasRemaining()) {
      return 0;
    }
    if (pos >= file.length()) {
      return -1;
    }
    int read = ahead.read(pos, into);
    if (read == 0) {
      read = file.readOn(pos, into);
      ahead.noteRead(pos, Math.max(0, read));
    }
    pos += Math.max(0, read);
    return read;
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    validatePositionedReadArgs(position, buffer, offset, length);
    return read(position, ByteBuffer.wrap(buffer, offset, length));
  }

  @Override
  public int read(long position, ByteBuffer into) throws IOException {
    file.checkOpen();
    if (!into.hasRemaining()) {
      return 0;
    }
    long end = file.length();
    if (position < 0 || position >= end) {
      return -1;
    }
    int limit = into.limit();
    int start = into.position();
    into.limit((int) Math.min(limit, start + (end - position)));
    try {
      // As much as there is, like the stock client, though it may lie in several blocks.
      while (into.hasRemaining()) {
        if (file.readAt(position + into.position() - start, into) < 0) {
          break;
        }
      }
    } finally {
      into.limit(limit);
    }
    return into.position() - start;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    int wanted = into.remaining();
    int read = read(position, into);
    if (read < wanted) {
      throw new EOFException(FSExceptionMessages.EOF_IN_READ_FULLY);
    }
  }

  @Override
  public void setDropBehind(Boolean dropBehind) throws IOException {
    file.setDropBehind(dropBehind);
    ahead.restart();
  }

  @Override
  public void setReadahead(Long readahead) throws IOException {
    file.setReadahead(readahead);
    ahead.limit(readahead);
  }

  @Override
  public void unbuffer() {
    ahead.restart();
    file.unbuffer();
  }

  @Override
  public boolean hasCapability(String capability) {
    return switch (StringUtils.toLowerCase(capability)) {
      case StreamCapabilities.READAHEAD,
          StreamCapabilities.DROPBEHIND,
          StreamCapabilities.UNBUFFER,
          StreamCapabilities.READBYTEBUFFER,
          StreamCapabilities.PREADBYTEBUFFER,
          StreamCapabilities.IOSTATISTICS ->
          true;
      default -> false;
    };
  }

  @Override
  public IOStatistics getIOStatistics() {
    return counters.getIOStatistics();
  }

  @Override
  public void close() throws IOException {
    ahead.close();
    file.close();
  }

  @Override
  public String toString() {
    return "BraidInputStream of " + file;
  }
}
