package org.braid.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.braid.code.Matrix;
import org.braid.kernel.Transform;
import org.braid.plan.Operation;

/** An operation of a fragment with its ports and buffers, run slice by slice. */
interface OperationRun extends Closeable {
  /** Runs the operation on a slice. */
  void slice(long offset, int count) throws IOException;

  /** Called once after the last slice. */
  default void finish() throws IOException {}

  @Override
  default void close() throws IOException {}

  /** Reads a value from a disk or a stream. */
  record Source(Operation op, SliceSource source, ValueBuffer value) implements OperationRun {
    @Override
    public void slice(long offset, int count) throws IOException {
      ByteBuffer into = value.writable(count);
      source.read(offset, into);
      if (into.hasRemaining()) {
        throw new IOException("the source gave " + into.position() + " of " + count + " bytes");
      }
      value.digest(offset, count);
    }

    @Override
    public void finish() throws IOException {
      if (op instanceof Operation.Receive) {
        source.finish(value.crc32c());
      }
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }

  /** Writes a value to a disk or a stream. */
  record Sink(SliceSink sink, ValueBuffer value) implements OperationRun {
    @Override
    public void slice(long offset, int count) throws IOException {
      value.digest(offset, count);
      ByteBuffer slice = value.readable(count);
      sink.write(slice);
      if (slice.hasRemaining()) {
        throw new IOException("the sink took " + slice.position() + " of " + count + " bytes");
      }
    }

    @Override
    public void finish() throws IOException {
      sink.finish(value.crc32c());
    }

    @Override
    public void close() throws IOException {
      sink.close();
    }
  }

  /** Computes values as linear combinations of others. */
  final class Combine implements OperationRun {
    private final Transform transform;
    private final SelfCheck check;
    private final ValueBuffer[] inputs;
    private final ValueBuffer[] outputs;
    private final ByteBuffer[] from;
    private final ByteBuffer[] to;

    Combine(Matrix matrix, Transform transform, ValueBuffer[] inputs, ValueBuffer[] outputs) {
      this.transform = transform;
      this.check = new SelfCheck(matrix);
      this.inputs = inputs.clone();
      this.outputs = outputs.clone();
      from = new ByteBuffer[inputs.length];
      to = new ByteBuffer[outputs.length];
    }

    @Override
    public void slice(long offset, int count) throws IOException {
      for (int i = 0; i < inputs.length; i++) {
        from[i] = inputs[i].readable(count);
      }
      for (int i = 0; i < outputs.length; i++) {
        to[i] = outputs[i].writable(count);
      }
      transform.apply(from, to, count);
      check.check(from, to, offset, count);
    }
  }

  /** Produces zeros, the values of virtual blocks in a short stripe. */
  record Zero(List<ValueBuffer> outputs) implements OperationRun {
    @Override
    public void slice(long offset, int count) {
      for (ValueBuffer output : outputs) {
        ByteBuffer into = output.writable(count);
        while (into.hasRemaining()) {
          into.put((byte) 0);
        }
      }
    }
  }
}
