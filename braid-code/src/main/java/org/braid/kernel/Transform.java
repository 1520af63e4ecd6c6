package org.braid.kernel;

import java.nio.ByteBuffer;

/** A prepared GF(2^8) matrix. Thread-safe. */
public interface Transform {
  int inputs();

  int outputs();

  /**
   * Computes output r = sum over c of coefficient(r, c) * input c, byte by byte.
   *
   * <p>Works on the bytes from each buffer's position on; positions and limits stay as they are.
   * Buffers may be direct or on the heap, outputs must not overlap inputs or each other.
   *
   * @param inputs as many buffers as the matrix has columns, each with at least length bytes
   * @param outputs as many buffers as the matrix has rows, each with room for length bytes
   * @param length bytes to compute, any number from 0 on
   * @throws IllegalArgumentException when counts or room do not fit
   */
  void apply(ByteBuffer[] inputs, ByteBuffer[] outputs, int length);
}
