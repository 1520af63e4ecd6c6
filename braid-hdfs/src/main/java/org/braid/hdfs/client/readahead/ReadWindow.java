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
 * Reads the blocks that follow in a file, several at once, while the reader reads the first of
 * them: a contiguous file then has the speed of as many DataNodes as blocks are read at once.
 *
 * <p>With n blocks of length B read at once at the same rate, the reader gets n times that rate
 * when the block at distance d (1 is the next one) has (n-d)/n of its bytes here at the moment the
 * reader comes a block further; all of them take (n-1)/2 B. No block is read further ahead than
 * this, so that with less memory fewer blocks, or lesser parts of two, are read ahead.
 *
 * <p>One thread reads; any may stop the window.
 */
final class ReadWindow {
  private static final Logger LOG = LoggerFactory.getLogger(ReadWindow.class);

  /** Other streams give memory back unheard. */
  private static final long PAUSE_MILLIS = 50;

  /** A range of the file to read on its own: the part of a block that the window covers. */
  record Range(long start, long end) {
    long length() {
      return end - start;
    }
  }

  /** Where the readers of the file come from; each belongs to one thread. */
  interface Readers {
    SequentialReader open() throws IOException;

    /** Takes a reader back and closes it. */
    void done(SequentialReader reader);
  }

  /**
   * How far to read ahead.
   *
   * @param blocks blocks at once, at least 2
   * @param memory bytes at most
   * @param earned bytes that may be read ahead before the reader has taken any; each byte it takes
   *     earns another, so that what is read in vain is never more than what was read
   * @param idleNanos nanoseconds without a reader after which threads and memory are given back:
   *     programs keep streams open for long, or forget to close them
   */
  record WindowBounds(int blocks, long memory, long earned, long idleNanos) {}

  /** A part of a block, filled from front to back by one thread. */
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
   * A window, not yet started.
   *
   * @param ranges block by block, without gaps; the reader is at the start of the first
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

  /** Whether it was ended because nobody read. */
  synchronized boolean isIdle() {
    return idle;
  }

  /** Where the reader is. */
  synchronized long position() {
    return position;
  }

  /** Whether the reader has taken all there is. */
  synchronized boolean atEnd() {
    return current == segments.size();
  }

  /** Blocks that the reader has not read to their end. */
  synchronized int left() {
    return segments.size() - current;
  }

  /** Where the last block ends. */
  synchronized long end() {
    return segments.get(segments.size() - 1).range.end();
  }

  /** Adds blocks behind the last one; false when it was taken: who reads ahead may have ended. */
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

  /** Bytes that were fetched and not taken, as far as they are still held. */
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
   * Takes bytes at the reader's position, waiting for them if need be.
   *
   * @return how many, at least one; 0 when the window cannot go on here
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

  /** Passes over bytes without looking at them; false when the window cannot go on. */
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

  /** Ends reading ahead; what is being read is dropped as soon as its thread notices. */
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

  /** Gives all buffers back once nobody writes to them or copies from them. */
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

  /** What each thread does: block after block, as long as there are any. */
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

  /** The last thread stays until all that it fetched is taken, or nobody reads any more. */
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

  /** Ends the window when there has been no reader for too long; says whether it goes on. */
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

  /** Only the one thread that fills the piece changes what this depends on. */
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

  /** The next block, when the reader is near enough to it. */
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

  /** The next piece of a block, when there is memory for it; null at the block's end. */
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

  /** Bytes of a block that may be held, at its distance from the reader. */
  private long share(Segment segment, int distance) {
    double n = bounds.blocks();
    double whole = segment.range.length();
    // All shares together, the reader's own block aside; scaled down where memory is less.
    double scale = Math.min(1, bounds.memory() / Math.max(1, whole * (n - 1) / 2));
    double part = distance == 0 ? 1 / n : (n - distance) / n;
    return Math.max(2L * buffers.piece(), (long) Math.ceil(scale * part * whole));
  }
}
