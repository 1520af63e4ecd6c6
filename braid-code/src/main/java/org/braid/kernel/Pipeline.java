package org.braid.kernel;

import java.nio.ByteBuffer;

/**
 * Prepared stages over a set of places. They run one after the other, on pieces that fit into a
 * processor's cache. The first places are the caller's buffers, further ones are the kernel's
 * scratch. Thread-safe.
 */
public interface Pipeline {
  /**
   * Runs all stages.
   *
   * <p>Uses the bytes from each buffer's position on; positions and limits do not change. Buffers
   * may be direct or on the heap; a buffer that a stage writes must not overlap any other. Buffers
   * that no stage reads or writes may be anything.
   *
   * @param buffers the buffers by place; each used one has at least length bytes
   * @param length bytes to compute, any number from 0 on
   * @throws IllegalArgumentException when a buffer is missing, too short, or read-only but written
   */
  void run(ByteBuffer[] buffers, int length);
}
