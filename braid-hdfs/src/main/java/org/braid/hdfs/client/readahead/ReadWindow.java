package org.braid.hdfs.client.readahead;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads several consecutive blocks of a file at the same time, while a sequential reader takes the
 * bytes of the first one. The reader then gets the combined rate of the DataNodes that serve these
 * blocks.
 *
 * <p>With n blocks of length B read at the same rate, the reader gets n times that rate if the
 * window holds (n-d)/n of the block at distance d (1 is the next block) when the reader enters a
 * block. These shares add up to (n-1)/2 B. The window holds no more of a block than its share, or
 * two buffers if these are more. With less memory, a window reads fewer blocks ahead, or smaller
 * parts of two.
 *
 * <p>For one reader; any thread may stop the window.
 */
final class ReadWindow {
  private static final Logger LOG = LoggerFactory.getLogger(ReadWindow.class);

  /** Interval of checks for free memory: other streams give memory back without notice. */
  private static final long PAUSE_MILLIS = 50;

  /** A range of the file within one block: the part of the block that the window covers. */
  record Range(long start, long end) {
    long length() {
      return end - start;
    }
  }

  /** Opens and closes readers of the file, one for each thread. */
  interface Readers {
    SequentialReader open() throws IOException;

    /** Takes a reader back and closes it. */
    void done(SequentialReader reader);
  }

  /**
   * Limits of read-ahead.
   *
   * @param blocks number of blocks to read at the same time, at least 2
   * @param memory maximum bytes held
   * @param earned bytes that may be held before the reader has taken any. Each byte that it takes
   *     permits one more, so bytes that are read ahead and never used do not exceed the bytes that
   *     the reader has read
   * @param idleNanos nanoseconds without a read after which the window gives threads and memory
   *     back: programs keep streams open for long, or forget to close them
   */
  record WindowBounds(int blocks, long memory, long earned, long idleNanos) {}

  /** A buffer with a part of a block, which one thread fills in order. */
  private static final class Piece {
    private final byte[] bytes;
    private final int size;
    private int filled;
    private int taken;

    Piece(byte[] bytes, int size) {
      this.bytes = bytes;
      this.size = size;
    }
  }

  private static final class Segment {
    private final int index;
    private final Range range;
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private long claimed;
    private boolean failed;

    Segment(int index, Range range) {
      this.index = index;
      this.range = range;
      this.claimed = range.start();
    }
  }

  private final List<Segment> segments = new ArrayList<>();
  private final WindowBounds bounds;
  private final ReadAheadBuffers buffers;
  private final Readers readers;
  private final boolean interruptible;
  private final Set<Thread> fetchers = new HashSet<>();
  private int current;
  private int next;
  private int running;
  private long position;
  private long taken;
  private long held;
  private boolean reading;
  private boolean awaited;
  private long takenAt = System.nanoTime();
  private boolean stopped;
  private boolean idle;

  /**
   * Creates a window that does not read yet.
   *
   * @param ranges ranges of consecutive blocks without gaps; the reader is at the start of the
   *     first one
   * @param interruptible whether threads that read may be interrupted, so that they stop at once
   */
  ReadWindow(
      List<Range> ranges,
      WindowBounds bounds,
      ReadAheadBuffers buffers,
      Readers readers,
      boolean interruptible) {
    for (Range range : ranges) {
      segments.add(new Segment(segments.size(), range));
    }
    this.bounds = bounds;
    this.buffers = buffers;
    this.readers = readers;
    this.interruptible = interruptible;
    this.position = ranges.get(0).start();
  }

  /** Starts reading ahead. */
  synchronized void start(Executor threads) {
    int wanted = Math.min(bounds.blocks(), segments.size());
    try {
      while (running < wanted) {
        threads.execute(this::fetch);
        running++;
      }
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The file system is being closed, or there are no more threads.
      stop();
    }
  }

  /** Whether the window has ended because nobody read. */
  synchronized boolean isIdle() {
    return idle;
  }

  /** The reader's position in the file. */
  synchronized long position() {
    return position;
  }

  /** Whether the reader has taken all bytes of the window. */
  synchronized boolean atEnd() {
    return current == segments.size();
  }

  /** Number of blocks that the reader has not read completely. */
  synchronized int left() {
    return segments.size() - current;
  }

  /** The end of the last range in the file. */
  synchronized long end() {
    return segments.get(segments.size() - 1).range.end();
  }

  /**
   * Adds blocks behind the last one. Returns false when the window is stopped or a thread has taken
   * the last block: the threads may have ended.
   */
  synchronized boolean add(List<Range> ranges) {
    if (stopped || next == segments.size()) {
      return false;
    }
    for (Range range : ranges) {
      segments.add(new Segment(segments.size(), range));
    }
    notifyAll();
    return true;
  }

  /** Bytes that were read ahead, are still held and were not taken yet. */
  synchronized long waiting() {
    long bytes = 0;
    for (Segment segment : segments) {
      for (Piece piece : segment.pieces) {
        bytes += piece.filled - piece.taken;
      }
    }
    return bytes;
  }

  /**
   * Takes bytes at the reader's position, and waits for them if necessary.
   *
   * @return number of bytes, at least one; 0 when the window cannot continue here
   */
  int read(ByteBuffer into) throws IOException {
    Piece piece;
    int count;
    synchronized (this) {
      piece = await();
      if (piece == null) {
        return 0;
      }
      count = Math.min(into.remaining(), piece.filled - piece.taken);
      reading = true;
    }
    try {
      into.put(piece.bytes, piece.taken, count);
    } finally {
      synchronized (this) {
        reading = false;
        advance(piece, count);
      }
    }
    return count;
  }

  /**
   * Skips bytes, and waits for them if necessary. Returns false when the window cannot continue.
   */
  boolean skip(long count) throws IOException {
    long left = count;
    synchronized (this) {
      while (left > 0) {
        Piece piece = await();
        if (piece == null) {
          return false;
        }
        int some = (int) Math.min(left, piece.filled - piece.taken);
        advance(piece, some);
        left -= some;
      }
    }
    return true;
  }

  private @Nullable Piece await() throws IOException {
    awaited = true;
    try {
      return awaitPiece();
    } finally {
      awaited = false;
      takenAt = System.nanoTime();
    }
  }

  private @Nullable Piece awaitPiece() throws IOException {
    while (!stopped && current < segments.size()) {
      Segment segment = segments.get(current);
      Piece piece = segment.pieces.peek();
      if (piece != null && piece.filled > piece.taken) {
        return piece;
      }
      if (segment.failed) {
        return null;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while reading ahead");
      }
    }
    return null;
  }

  private void advance(Piece piece, int count) {
    piece.taken += count;
    position += count;
    taken += count;
    takenAt = System.nanoTime();
    Segment segment = segments.get(current);
    if (!stopped && piece.taken == piece.size) {
      segment.pieces.remove();
      release(piece);
      if (position == segment.range.end()) {
        current++;
      }
    }
    if (stopped) {
      releaseAll();
    }
    notifyAll();
  }

  /** Stops read-ahead. A thread drops the bytes that it is reading as soon as it notices. */
  synchronized void stop() {
    if (!stopped) {
      stopped = true;
      if (interruptible) {
        fetchers.forEach(Thread::interrupt);
      }
      releaseAll();
      notifyAll();
    }
  }

  /** Gives all buffers back unless a thread may fill them or the reader copies from one. */
  private void releaseAll() {
    if (running > 0 || reading) {
      return;
    }
    for (Segment segment : segments) {
      segment.pieces.forEach(this::release);
      segment.pieces.clear();
    }
  }

  private void release(Piece piece) {
    held -= buffers.piece();
    buffers.give(piece.bytes);
  }

  /** The work of a thread: reads block after block until there are no more. */
  private void fetch() {
    SequentialReader reader = null;
    Segment segment = null;
    try {
      if (begin()) {
        segment = nextSegment();
        while (segment != null) {
          reader = reader == null ? readers.open() : reader;
          fetch(segment, reader);
          segment = nextSegment();
        }
      }
    } catch (InterruptedException e) {
      // Only who stops the window interrupts.
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      failed(e);
    } finally {
      end(segment);
      if (reader != null) {
        readers.done(reader);
      }
    }
    linger();
  }

  /**
   * Keeps the last thread until the reader has taken all bytes, or the window is idle or stopped.
   */
  private synchronized void linger() {
    try {
      while (running == 0 && held > 0 && !stopped) {
        if (goesOn()) {
          wait(PAUSE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      stop(); // the file system is being closed
    }
  }

  /** Stops the window when it had no read for too long; returns whether it continues. */
  private boolean goesOn() {
    if (!awaited && !reading && System.nanoTime() - takenAt >= bounds.idleNanos()) {
      LOG.debug("reading ahead ends at {}: nobody reads", position);
      idle = true;
      stop();
    }
    return !stopped;
  }

  private void fetch(Segment segment, SequentialReader reader)
      throws IOException, InterruptedException {
    Piece piece = claim(segment);
    while (piece != null) {
      while (piece.filled < piece.size) {
        ByteBuffer rest = ByteBuffer.wrap(piece.bytes, piece.filled, piece.size - piece.filled);
        int read = reader.read(at(segment, piece), rest);
        if (read <= 0) {
          throw new IOException("the file ends at " + at(segment, piece));
        }
        if (!publish(piece, read)) {
          return;
        }
      }
      piece = claim(segment);
    }
  }

  /**
   * The position in the file of a piece's next byte. Needs no lock: only the thread that fills the
   * piece changes these fields.
   */
  private static long at(Segment segment, Piece piece) {
    return segment.claimed - piece.size + piece.filled;
  }

  private synchronized boolean publish(Piece piece, int read) {
    piece.filled += read;
    notifyAll();
    return !stopped;
  }

  private synchronized boolean begin() {
    if (!stopped) {
      fetchers.add(Thread.currentThread());
    }
    return !stopped;
  }

  private synchronized void end(@Nullable Segment unfinished) {
    if (unfinished != null) {
      unfinished.failed = true;
      notifyAll();
    }
    fetchers.remove(Thread.currentThread());
    // An interrupt that came too late must not hit what the thread does next.
    Thread.interrupted();
    running--;
    if (stopped) {
      releaseAll();
    }
  }

  private synchronized void failed(Throwable e) {
    if (!stopped) {
      LOG.info("reading ahead failed, the reader will try for itself: {}", e.toString());
    }
  }

  /**
   * Waits until the reader is near enough to the next block, and returns that block; null when
   * there is none, or the window is stopped.
   */
  private synchronized @Nullable Segment nextSegment() throws InterruptedException {
    while (!stopped && next < segments.size()) {
      if (next < current + bounds.blocks()) {
        return segments.get(next++);
      }
      if (goesOn()) {
        wait(PAUSE_MILLIS);
      }
    }
    return null;
  }

  /**
   * Waits for memory for the next piece of a block, and returns the piece; null at the block's end,
   * or when the window is stopped.
   */
  private synchronized @Nullable Piece claim(Segment segment) throws InterruptedException {
    while (!stopped && segment.claimed < segment.range.end()) {
      byte[] buffer = buffer(segment);
      if (buffer != null) {
        int size = (int) Math.min(buffers.piece(), segment.range.end() - segment.claimed);
        Piece piece = new Piece(buffer, size);
        segment.claimed += size;
        segment.pieces.add(piece);
        held += buffers.piece();
        return piece;
      }
      if (goesOn()) {
        wait(PAUSE_MILLIS);
      }
    }
    return null;
  }

  private byte @Nullable [] buffer(Segment segment) {
    int distance = segment.index - current;
    if (distance == 0 && segment.pieces.isEmpty()) {
      return buffers.takeAnyway();
    }
    long more = held + buffers.piece();
    boolean within =
        more <= Math.min(bounds.earned() + taken, bounds.memory())
            && (long) (segment.pieces.size() + 1) * buffers.piece() <= share(segment, distance);
    return within ? buffers.take() : null;
  }

  /** Maximum bytes held of a block, by its distance from the reader. */
  private long share(Segment segment, int distance) {
    double n = bounds.blocks();
    double whole = segment.range.length();
    // All shares together, the reader's own block aside; scaled down where memory is less.
    double scale = Math.min(1, bounds.memory() / Math.max(1, whole * (n - 1) / 2));
    double part = distance == 0 ? 1 / n : (n - distance) / n;
    return Math.max(2L * buffers.piece(), (long) Math.ceil(scale * part * whole));
  }
}
