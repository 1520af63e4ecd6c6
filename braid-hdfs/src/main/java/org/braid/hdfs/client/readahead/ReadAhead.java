package org.braid.hdfs.client.readahead;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.CallerContext;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.braid.hdfs.client.statistics.ReadCounters.Counter;
import org.braid.hdfs.client.statistics.ReadStatisticsSum;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when the blocks of one stream are read ahead: from when its reader reads sequentially,
 * until it jumps. Used by the stream's reader, except for {@link #close}, {@link #restart} and
 * {@link #limit}, which any thread may call.
 */
public final class ReadAhead implements Closeable, ReadWindow.Readers {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAhead.class);
  private static final long UNLIMITED = Long.MAX_VALUE / 2;

  /** Where reading ahead fails so often, the reader is better left alone. */
  private static final int FAILURES = 3;

  /**
   * A window has at most so many times the blocks that are read at once before its reader, and gets
   * more when half of them are read: a task that reads one of a file's thousands of blocks must not
   * ask the NameNode for all of them.
   */
  private static final int AHEAD = 4;

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The state shared by all streams of a file system. */
  public record Shared(ReadAheadSettings settings, ReadAheadBuffers buffers, Executor threads) {
    /** Creates buffers from the settings. */
    public Shared(ReadAheadSettings settings, Executor threads) {
      this(settings, new ReadAheadBuffers(settings.piece(), settings.memory()), threads);
    }
  }

  private final ReadAheadFile file;
  private ReadHints hints = ReadHints.NONE;
  private final Shared shared;
  private final ReadCounters counters;
  private final ReadStatistics statistics = new ReadStatistics();
  private final Set<SequentialReader> readers = new HashSet<>();
  private @Nullable ReadWindow window;
  private @Nullable Long limit;
  private boolean closed;
  private volatile boolean refused;
  private int failures;
  private long expected = -1;
  private long run;

  /**
   * Starts without read-ahead.
   *
   * @param counters count the starts of read-ahead, and bytes that were read ahead and then read
   */
  public ReadAhead(ReadAheadFile file, Shared shared, ReadCounters counters) {
    this.file = file;
    this.shared = shared;
    this.counters = counters;
  }

  /** Sets the program's hints on how it will read, before it reads. */
  public void hint(ReadHints given) {
    hints = given;
  }

  /** Whether blocks are being read ahead. */
  public synchronized boolean isOpen() {
    return window != null;
  }

  /**
   * Reads bytes that were read ahead, if any.
   *
   * @return number of bytes; 0 when the reader must read itself
   */
  public int read(long position, ByteBuffer into) throws IOException {
    ReadWindow open = at(position);
    if (open == null) {
      return 0;
    }
    lengthen(open);
    int read = open.read(into);
    if (read == 0) {
      noteEnd(open);
      return 0;
    }
    run += read;
    expected = position + read;
    counters.add(Counter.READ_AHEAD_BYTES, read);
    return read;
  }

  /** Notes a read that the reader made itself; begins to read ahead if reads are sequential. */
  public void noteRead(long position, int count) {
    if (position != expected) {
      run = 0;
      refused = false;
    }
    run += count;
    expected = position + count;
    boolean sequential = hints.mode() == ReadHints.Mode.SEQUENTIAL;
    if (hints.mode() != ReadHints.Mode.RANDOM
        && count > 0
        && !refused
        && (sequential || run >= shared.settings.after())) {
      // Until the reader jumps: what is refused now is refused at the next read.
      refused = !begin(expected, sequential ? UNLIMITED : run);
    }
  }

  /** The open window, moved to a position; none when the reader jumped. */
  private @Nullable ReadWindow at(long position) throws IOException {
    ReadWindow open = window();
    if (open == null) {
      return null;
    }
    long ahead = position - open.position();
    if (ahead == 0 || (ahead > 0 && ahead <= shared.buffers.piece() && open.skip(ahead))) {
      return open;
    }
    end(open);
    return null;
  }

  private synchronized @Nullable ReadWindow window() {
    return window;
  }

  /** Opens a window; says whether it did. */
  private boolean begin(long position, long earned) {
    long memory = memory();
    if (shared.settings.blocks() < 2 || memory < shared.buffers.piece() || failures >= FAILURES) {
      return false;
    }
    List<ReadWindow.Range> ranges;
    try {
      ranges = ranges(position, AHEAD * shared.settings.blocks());
    } catch (IOException e) {
      LOG.debug("{} is not read ahead: {}", file, e.getMessage());
      return false;
    }
    if (ranges.size() < 2) {
      return false;
    }
    long longest = ranges.stream().mapToLong(ReadWindow.Range::length).max().orElse(1);
    // Of n blocks read at once (n-1)/2 are held; with less memory parts of two are.
    int blocks = (int) Math.min(shared.settings.blocks(), Math.max(2, 1 + 2 * memory / longest));
    ReadWindow fresh =
        new ReadWindow(
            ranges,
            new ReadWindow.WindowBounds(blocks, memory, earned, IDLE_NANOS),
            shared.buffers,
            this,
            shared.settings.interruptible());
    // The reader's own connection would wait idly, filled with what another one reads now.
    file.disconnect();
    synchronized (this) {
      if (closed) {
        return false;
      }
      window = fresh;
      fresh.start(inContext(shared.threads, CallerContext.getCurrent()));
    }
    counters.add(Counter.READ_AHEAD_STARTS, 1);
    LOG.debug("{} blocks of {} are read at once from {} on", blocks, file, position);
    return true;
  }

  /**
   * Threads that call in the context of this stream's reader, by which NameNodes log what a job
   * does: a new thread inherits that of the reader who is the first to need it.
   */
  private static Executor inContext(Executor threads, @Nullable CallerContext context) {
    return task ->
        threads.execute(
            () -> {
              CallerContext.setCurrent(context);
              task.run();
            });
  }

  /**
   * Has a window go on behind its end, before those who read ahead run out of blocks: a new window
   * would begin at the rate of one DataNode.
   */
  private void lengthen(ReadWindow open) {
    int most = AHEAD * shared.settings.blocks() - open.left();
    if (refused || 2 * most < AHEAD * shared.settings.blocks()) {
      return;
    }
    try {
      List<ReadWindow.Range> more = ranges(open.end(), most);
      refused = more.isEmpty() || !open.add(more);
    } catch (IOException e) {
      LOG.debug("{} is not read further ahead: {}", file, e.getMessage());
      refused = true;
    }
  }

  private synchronized long memory() {
    long most = shared.buffers.memory();
    return limit == null ? most : Math.min(most, limit);
  }

  private List<ReadWindow.Range> ranges(long position, int most) throws IOException {
    List<ReadWindow.Range> ranges = new ArrayList<>();
    long end = Math.min(file.length(), hints.end());
    long from = position;
    while (from < end && ranges.size() < most) {
      LocatedBlock block = file.blockAt(from);
      long to = Math.min(end, block.getStartOffset() + block.getBlockSize());
      if (to <= from) {
        break; // the file was cut meanwhile
      }
      ranges.add(new ReadWindow.Range(from, to));
      from = to;
    }
    return ranges;
  }

  @Override
  public SequentialReader open() throws IOException {
    SequentialReader reader = file.open();
    synchronized (this) {
      readers.add(reader);
    }
    return reader;
  }

  @Override
  public void done(SequentialReader reader) {
    synchronized (this) {
      ReadStatisticsSum.add(reader.statistics(), statistics);
      readers.remove(reader);
    }
    try {
      reader.close();
    } catch (IOException e) {
      LOG.debug("closing {} after it was read ahead failed", file, e);
    }
  }

  /** Adds the statistics of read-ahead bytes, used or not. */
  public synchronized void addTo(ReadStatistics sum) {
    ReadStatisticsSum.add(statistics, sum);
    readers.forEach(reader -> ReadStatisticsSum.add(reader.statistics(), sum));
  }

  /** Resets the statistics. */
  public synchronized void clearStatistics() {
    statistics.clear();
    readers.forEach(reader -> reader.statistics().clear());
  }

  private void noteEnd(ReadWindow open) {
    if (!open.atEnd() && !open.isIdle() && ++failures == FAILURES) {
      LOG.info("{} is not read ahead any more: that failed {} times", file, failures);
    }
    long earned = run;
    end(open);
    refused = false; // what could not be added may be there now
    run = open.atEnd() ? earned : 0; // the next window follows at once
  }

  /** Ends a window; what was read ahead in vain is dropped. */
  private void end(ReadWindow open) {
    synchronized (this) {
      if (window == open) {
        window = null;
      }
    }
    open.stop();
    run = 0;
  }

  /** Drops bytes read ahead; read-ahead begins again if the reader goes on. */
  public void restart() {
    ReadWindow open;
    synchronized (this) {
      open = window;
      window = null;
    }
    refused = false;
    if (open != null) {
      open.stop();
    }
  }

  /** Drops bytes read ahead; the reader must show again that it reads sequentially. */
  public void leave() {
    if (isOpen()) {
      restart();
      expected = -1;
    }
  }

  /** Sets the maximum of bytes to read ahead; null for the configured one, 0 for none. */
  public void limit(@Nullable Long bytes) {
    synchronized (this) {
      limit = bytes;
    }
    restart();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    restart();
  }
}
