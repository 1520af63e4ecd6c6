package org.braid.engine;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Reuses direct buffers for slices and bounds the bytes that are leased at a time. Never waits:
 * refuses a lease that does not fit. Thread-safe.
 */
public final class BufferPool {
  private final long maxBytes;
  private final Map<Integer, Deque<ByteBuffer>> idle = new HashMap<>();
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
      buffers.add(ByteBuffer.allocateDirect(size));
    }
    leasedBytes += needed;
    return new Lease(this, List.copyOf(buffers), size);
  }

  /** Bytes that may be leased at a time. */
  public long maxBytes() {
    return maxBytes;
  }

  /** Bytes that are leased now. */
  public synchronized long leasedBytes() {
    return leasedBytes;
  }

  /**
   * Frees idle buffers of other sizes, so that leased and idle buffers together stay within the
   * bound.
   */
  private void makeRoom(long bytes) {
    Iterator<Map.Entry<Integer, Deque<ByteBuffer>>> sizes = idle.entrySet().iterator();
    while (leasedBytes + idleBytes + bytes > maxBytes && sizes.hasNext()) {
      Map.Entry<Integer, Deque<ByteBuffer>> entry = sizes.next();
      idleBytes -= (long) entry.getKey() * entry.getValue().size();
      sizes.remove();
    }
  }

  private synchronized void giveBack(Lease lease) {
    leasedBytes -= (long) lease.buffers.size() * lease.size;
    if (lease.size > 0) {
      idle.computeIfAbsent(lease.size, size -> new ArrayDeque<>()).addAll(lease.buffers);
      idleBytes += (long) lease.buffers.size() * lease.size;
    }
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
