package org.braid.shard.io;

import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one stripe. The cells are contiguous and in block order, so that the data cells hold a
 * contiguous range of the file. The data may be lent to another thread.
 */
public final class StripeBuffer {
  private final int n;
  private final int alpha;
  private final ByteBuffer memory;
  private int cellBytes = -1;
  private ByteBuffer[] cells = new ByteBuffer[0];
  private ByteBuffer[] subBlocks = new ByteBuffer[0];
  private @Nullable Future<?> borrower;

  public StripeBuffer(int n, int alpha, int cell) {
    this.n = n;
    this.alpha = alpha;
    this.memory = ByteBuffer.allocateDirect(n * cell);
  }

  /** The first bytes of the data. */
  public ByteBuffer data(int bytes) {
    return memory.slice(0, bytes);
  }

  /** Divides the memory into cells of some bytes. */
  public void shape(int bytes) {
    if (bytes == cellBytes) {
      return;
    }
    cellBytes = bytes;
    cells = slices(n, bytes);
    subBlocks = slices(n * alpha, bytes / alpha);
  }

  private ByteBuffer[] slices(int count, int bytes) {
    ByteBuffer[] out = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      out[i] = memory.slice(i * bytes, bytes);
    }
    return out;
  }

  /** Sets the bytes from one offset to another to zero. */
  public void zero(int from, int to) {
    memory.put(from, new byte[to - from]);
  }

  /** The whole cell of a block. */
  public ByteBuffer cell(int block) {
    return cells[block].clear();
  }

  public ByteBuffer[] subBlocks() {
    return subBlocks;
  }

  public int subBlockBytes() {
    return cellBytes / alpha;
  }

  /** Lends the data to another thread until its work is done. */
  void lend(Future<?> work) {
    borrower = work;
  }

  /** Waits until the other thread is done; throws what it threw. */
  void reclaim() throws ExecutionException, InterruptedException {
    Future<?> work = borrower;
    borrower = null;
    if (work != null) {
      work.get();
    }
  }
}
