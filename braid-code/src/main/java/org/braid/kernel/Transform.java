package org.braid.kernel;

import java.nio.ByteBuffer;

/** A prepared GF(2^8) matrix. Thread-safe. */
public interface Transform {
  int inputs();

  int outputs();

  /**
   * Computes output r = sum over c of coefficient(r, c) * input c, byte by byte.
   *
   * <p>Uses the bytes from each buffer's position on; positions and limits do not change. Buffers
   * may be direct or on the heap; outputs must not overlap inputs or each other.
   *
   * @param inputs a buffer for each column of the matrix, each with at least length bytes
   * @param outputs a buffer for each row of the matrix, each with room for length bytes
   * @param length bytes to compute, any number from 0 on
   * @throws IllegalArgumentException when a buffer is missing or too short
   */
  void apply(ByteBuffer[] inputs, ByteBuffer[] outputs, int length);
}
