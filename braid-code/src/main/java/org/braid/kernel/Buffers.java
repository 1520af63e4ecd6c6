package org.braid.kernel;

import java.nio.ByteBuffer;

/** Checks of the buffers that callers pass to kernels. */
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

  static void check(PipelinePlaces stages, ByteBuffer[] buffers, int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length is " + length);
    }
    if (buffers.length != stages.buffers) {
      throw new IllegalArgumentException(
          buffers.length + " buffers given, the stages work on " + stages.buffers);
    }
    for (int place : stages.loads) {
      room("buffer", place, buffers[place], length);
    }
    for (int place : stages.stores) {
      room("buffer", place, buffers[place], length);
      if (buffers[place].isReadOnly()) {
        throw new IllegalArgumentException("buffer " + place + " is read-only");
      }
    }
  }

  private static void check(String what, ByteBuffer[] buffers, int count, int length) {
    if (buffers.length != count) {
      throw new IllegalArgumentException(
          buffers.length + " " + what + "s given, the matrix has " + count);
    }
    for (int i = 0; i < count; i++) {
      room(what, i, buffers[i], length);
    }
  }

  private static void room(String what, int number, ByteBuffer buffer, int length) {
    if (buffer.remaining() < length) {
      throw new IllegalArgumentException(
          what + " " + number + " has " + buffer.remaining() + " bytes left, not " + length);
    }
  }
}
