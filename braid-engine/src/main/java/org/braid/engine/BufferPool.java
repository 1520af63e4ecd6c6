package org.braid.engine;

import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Reuses direct buffers for slices and bounds the bytes that are leased at a time. A lease never
 * waits: one that does not fit is refused. Buffers of the sizes that were leased last are kept for
 * the next lease. Thread-safe.
 */
public final class BufferPool {
  /** Buffers of so many sizes are kept: readers may ask for any number of bytes. */
  private static final int SIZES = 8;

  private final long maxBytes;
  private final Map<Integer, Deque<ByteBuffer>> idle = new LinkedHashMap<>(16, 0.75f, true);
  private long leasedBytes;
  private long idleBytes;

  /**
   * An empty pool.
   *
   * @param maxBytes bytes that may be leased at a time
   */
  public BufferPool(long maxBytes) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("a pool cannot hold " + maxBytes + " bytes");
    }
    this.maxBytes = maxBytes;
  }

  /**
   * Leases buffers of undefined content.
   *
   * @param count how many
   * @param size bytes of each
   * @throws BusyException when the free bytes do not suffice
   */
  public synchronized Lease lease(int count, int size) throws BusyException {
    if (count < 0 || size < 0) {
      throw new IllegalArgumentException("no lease of " + count + " buffers of " + size + " bytes");
    }
    long needed = (long) count * size;
    if (needed > maxBytes - leasedBytes) {
      throw new BusyException(needed, maxBytes - leasedBytes, maxBytes);
    }
    List<ByteBuffer> buffers = new ArrayList<>(count);
    Deque<ByteBuffer> fitting = idle.getOrDefault(size, new ArrayDeque<>());
    while (buffers.size() < count && !fitting.isEmpty()) {
      buffers.add(fitting.pop());
      idleBytes -= size;
    }
    makeRoom(needed);
    while (buffers.size() < count) {
      buffers.add(allocate(size));
    }
    leasedBytes += needed;
    return new Lease(this, List.copyOf(buffers), size);
  }

  /**
   * Leases one buffer of undefined content, which is shorter where the pool never has so many
   * bytes.
   *
   * @param most its bytes at most
   * @throws BusyException when the free bytes do not suffice
   */
  public Lease leaseUpTo(int most) throws BusyException {
    return lease(1, (int) Math.min(most, maxBytes));
  }

  /**
   * Waits until a lease fits. Another thread may take the room before the caller leases.
   *
   * @param count buffers
   * @param size bytes of each
   * @param millis how long at most
   * @throws BusyException when the free bytes do not suffice by then, or all would not
   * @throws InterruptedIOException when the thread is interrupted
   */
  public synchronized void awaitRoom(int count, int size, long millis)
      throws BusyException, InterruptedIOException {
    long needed = (long) count * size;
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (needed > maxBytes - leasedBytes) {
      long left = end - System.nanoTime();
      if (needed > maxBytes || left <= 0) {
        throw new BusyException(needed, maxBytes - leasedBytes, maxBytes);
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for " + needed + " free bytes");
      }
    }
  }

  /** A buffer; idle ones make room for it where the process has no more memory. */
  private ByteBuffer allocate(int size) {
    try {
      return ByteBuffer.allocateDirect(size);
    } catch (OutOfMemoryError e) {
      idle.clear();
      idleBytes = 0;
      return ByteBuffer.allocateDirect(size);
    }
  }

  /** Bytes that may be leased at a time. */
  public long maxBytes() {
    return maxBytes;
  }

  /** Bytes that are leased now. */
  public synchronized long leasedBytes() {
    return leasedBytes;
  }

  /** Bytes of buffers that are kept for the next lease. */
  synchronized long idleBytes() {
    return idleBytes;
  }

  /**
   * Frees idle buffers of other sizes, so that leased and idle buffers together stay within the
   * bound.
   */
  private void makeRoom(long bytes) {
    Iterator<Map.Entry<Integer, Deque<ByteBuffer>>> sizes = idle.entrySet().iterator();
    while (leasedBytes + idleBytes + bytes > maxBytes && sizes.hasNext()) {
      free(sizes);
    }
  }

  private synchronized void giveBack(Lease lease) {
    leasedBytes -= (long) lease.buffers.size() * lease.size;
    if (lease.size > 0) {
      idle.computeIfAbsent(lease.size, size -> new ArrayDeque<>()).addAll(lease.buffers);
      idleBytes += (long) lease.buffers.size() * lease.size;
    }
    if (idle.size() > SIZES) {
      free(idle.entrySet().iterator());
    }
    notifyAll();
  }

  /** Frees the idle buffers of the next size, which was not leased for the longest time. */
  private void free(Iterator<Map.Entry<Integer, Deque<ByteBuffer>>> sizes) {
    Map.Entry<Integer, Deque<ByteBuffer>> entry = sizes.next();
    idleBytes -= (long) entry.getKey() * entry.getValue().size();
    sizes.remove();
  }

  /** Leased buffers. Closing returns them to the pool; the caller must not use them afterwards. */
  public static final class Lease implements AutoCloseable {
    private final BufferPool pool;
    private final List<ByteBuffer> buffers;
    private final int size;
    private boolean closed;

    private Lease(BufferPool pool, List<ByteBuffer> buffers, int size) {
      this.pool = pool;
      this.buffers = buffers;
      this.size = size;
    }

    /** The buffers. */
    public List<ByteBuffer> buffers() {
      return buffers;
    }

    @Override
    public void close() {
      synchronized (pool) {
        if (!closed) {
          closed = true;
          pool.giveBack(this);
        }
      }
    }
  }
}
