package org.braid.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.braid.kernel.Kernel;
import org.braid.plan.Fragment;
import org.braid.plan.Operation;

/**
 * Runs fragments slice by slice, all operations of a slice in order. Memory is the number of live
 * values times the slice size, independent of the length. Thread-safe; each run uses the calling
 * thread.
 */
public final class FragmentRunner {
  private final Kernel kernel;
  private final int sliceBytes;
  private final BufferPool pool;

  /**
   * A runner.
   *
   * @param kernel multiplies and adds
   * @param sliceBytes bytes of a slice; equal on all nodes of a plan, unless the streams re-slice
   * @param pool provides the buffers
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
   * finishes streams and stores in the same order. A store is therefore published only after all
   * streams that its value depends on have finished.
   *
   * @param fragment what to run
   * @param length bytes of each value, 0 or more
   * @param ports the node
   * @throws BusyException when the pool has too few free bytes; no port is open
   * @throws IOException when an operation fails; the message names it. Unfinished sinks are closed
   *     without finish, and all buffers are returned
   * @throws IllegalArgumentException when the fragment is not well formed
   */
  public FragmentResult run(Fragment fragment, long length, Ports ports) throws IOException {
    return run(fragment, length, ports, Pace.FREE);
  }

  /**
   * The same, held back.
   *
   * @param pace is asked before each slice, when all ports are open
   */
  public FragmentResult run(Fragment fragment, long length, Ports ports, Pace pace)
      throws IOException {
    if (length < 0) {
      throw new IllegalArgumentException("values cannot have " + length + " bytes");
    }
    SlotLayout layout = SlotLayout.of(fragment);
    int size = size(length);
    try (BufferPool.Lease lease = pool.lease(layout.count(), size);
        FragmentRun run = new FragmentRun(fragment, length, layout, lease)) {
      run.open(ports, kernel);
      for (long offset = 0; offset < length; offset += size) {
        int count = (int) Math.min(size, length - offset);
        pace.await(count);
        run.slice(offset, count);
      }
      run.finish();
      return run.result();
    }
  }

  /**
   * Waits until the pool has room for a run of a fragment, which another run may take first.
   *
   * @param length bytes of each value
   * @param millis how long at most
   * @throws BusyException when it has too few free bytes by then, or all would not suffice
   * @throws InterruptedIOException when the thread is interrupted
   */
  public void awaitRoom(Fragment fragment, long length, long millis)
      throws BusyException, InterruptedIOException {
    pool.awaitRoom(SlotLayout.of(fragment).count(), size(length), millis);
  }

  /**
   * Loads the kernel if a fragment computes. Called before other nodes take part in the run, as
   * they would wait for this one meanwhile.
   */
  public void loadKernel(Fragment fragment) {
    for (Operation op : fragment.ops()) {
      if (op instanceof Operation.Combine combine && !combine.inputs().isEmpty()) {
        kernel.load();
        return;
      }
    }
  }

  private int size(long length) {
    return (int) Math.min(sliceBytes, length);
  }

  /** Bytes of buffers that a run of the fragment leases. */
  public long bufferBytes(Fragment fragment, long length) {
    return (long) SlotLayout.of(fragment).count() * size(length);
  }
}
