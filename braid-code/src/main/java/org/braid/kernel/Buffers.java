package org.braid.kernel;

import java.nio.ByteBuffer;

/** What every kernel demands of the buffers it is given. */
final class Buffers {
  private Buffers() {}

  static void check(Transform transform, ByteBuffer[] inputs, ByteBuffer[] outputs, int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length is " + length);
    }
    check("input", inputs, transform.inputs(), length);
    check("output", outputs, transform.outputs(), length);
    for (int i = 0; i < outputs.length; i++) {
      if (outputs[i].isReadOnly()) {
        throw new IllegalArgumentException("output " + i + " is read-only");
      }
    }
  }

  private static void check(String what, ByteBuffer[] buffers, int count, int length) {
    if (buffers.length != count) {
      throw new IllegalArgumentException(
          buffers.length + " " + what + "s given, the matrix has " + count);
    }
    for (int i = 0; i < count; i++) {
      if (buffers[i].remaining() < length) {
        throw new IllegalArgumentException(
            what + " " + i + " has " + buffers[i].remaining() + " bytes left, not " + length);
      }
    }
  }
}
