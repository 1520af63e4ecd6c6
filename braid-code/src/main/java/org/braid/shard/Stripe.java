package org.braid.shard;

import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one stripe: its cells lie one after the other, data first, so that the file's bytes
 * lie as they do in the file. Another thread may still be at work on the data of a stripe.
 */
final class Stripe {
  private final int n;
  private final int alpha;
  private final ByteBuffer memory;
  private int cellBytes = -1;
  private ByteBuffer[] cells = new ByteBuffer[0];
  private ByteBuffer[] subBlocks = new ByteBuffer[0];
  private @Nullable Future<?> user;

  Stripe(int n, int alpha, int cell) {
    this.n = n;
    this.alpha = alpha;
    this.memory = ByteBuffer.allocateDirect(n * cell);
  }

  /** The first bytes: data. */
  ByteBuffer data(int bytes) {
    return memory.slice(0, bytes);
  }

  /** Divides the memory into cells. */
  void shape(int bytes) {
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

  /** Sets the bytes from one place to another to zero. */
  void zero(int from, int to) {
    memory.put(from, new byte[to - from]);
  }

  /** A block's cell, from the first to the last byte. */
  ByteBuffer cell(int block) {
    return cells[block].clear();
  }

  ByteBuffer[] subBlocks() {
    return subBlocks;
  }

  int subBlockBytes() {
    return cellBytes / alpha;
  }

  /** Leaves the data to another thread until its work is done. */
  void lend(Future<?> work) {
    user = work;
  }

  /** Waits until the data may be changed; throws what the other thread threw. */
  void reclaim() throws ExecutionException, InterruptedException {
    Future<?> work = user;
    user = null;
    if (work != null) {
      work.get();
    }
  }
}
