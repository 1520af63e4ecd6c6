package org.braid.engine;

import java.io.IOException;
import org.braid.kernel.Kernel;
import org.braid.plan.Fragment;

/**
 * Runs fragments slice by slice: for each slice all operations in order, so that memory is the
 * values alive times the slice, whatever the length. Thread-safe; each run uses the calling thread.
 */
public final class FragmentRunner {
  private final Kernel kernel;
  private final int sliceBytes;
  private final BufferPool pool;

  /**
   * A runner.
   *
   * @param kernel what multiplies
   * @param sliceBytes bytes of a slice; the same on all nodes of a plan, unless their streams cut
   *     slices anew
   * @param pool where buffers come from
   */
  public FragmentRunner(Kernel kernel, int sliceBytes, BufferPool pool) {
    if (sliceBytes < 1) {
      throw new IllegalArgumentException("a slice has at least 1 byte, not " + sliceBytes);
    }
    this.kernel = kernel;
    this.sliceBytes = sliceBytes;
    this.pool = pool;
  }

  /**
   * Runs a fragment: opens its ports in the order of its operations, streams all slices, then
   * finishes streams and stores in the same order. So a store is published only after every stream
   * that its value came from ended well.
   *
   * @param fragment what to run
   * @param length bytes of each value, 0 or more
   * @param ports the node
   * @throws BusyException when the pool has no room; nothing was opened then
   * @throws IOException when anything fails; the message says where, all sinks that had not
   *     finished are closed without finish, and all buffers are given back
   * @throws IllegalArgumentException when the fragment is not well formed
   */
  public Outcome run(Fragment fragment, long length, Ports ports) throws IOException {
    if (length < 0) {
      throw new IllegalArgumentException("values cannot have " + length + " bytes");
    }
    SlotLayout layout = SlotLayout.of(fragment);
    int size = (int) Math.min(sliceBytes, length);
    try (BufferPool.Lease lease = pool.lease(layout.count(), size);
        FragmentRun run = new FragmentRun(fragment, length, layout, lease)) {
      run.open(ports, kernel);
      for (long offset = 0; offset < length; offset += size) {
        run.slice(offset, (int) Math.min(size, length - offset));
      }
      run.finish();
      return run.outcome();
    }
  }

  /** Bytes of buffers that a run of a fragment leases. */
  public long bufferBytes(Fragment fragment, long length) {
    return SlotLayout.of(fragment).count() * Math.min(sliceBytes, length);
  }
}
