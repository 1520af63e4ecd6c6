package org.braid.kernel;

import java.nio.ByteBuffer;

/**
 * Prepared stages over one set of places, run one after the other on pieces that a processor's
 * cache holds. The first places are the caller's buffers; those beyond them are scratch, which the
 * kernel provides. Thread-safe.
 */
public interface Pipeline {
  /** How many buffers the caller gives. */
  int buffers();

  /**
   * Runs all stages.
   *
   * <p>Works on the bytes from each buffer's position on; positions and limits stay as they are.
   * Buffers may be direct or on the heap; those that a stage writes must not overlap any other.
   * Buffers that no stage reads or writes may be anything.
   *
   * @param buffers by place, each used one with at least length bytes
   * @param length bytes to compute, any number from 0 on
   * @throws IllegalArgumentException when count or room do not fit, or a written one is read-only
   */
  void run(ByteBuffer[] buffers, int length);
}
