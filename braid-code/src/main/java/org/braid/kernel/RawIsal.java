package org.braid.kernel;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.braid.code.Matrix;

/**
 * ISA-L's {@code ec_encode_data} without anything of ours around it: tables and addresses are
 * prepared once for certain buffers, and each run is the one call. It is the yardstick of the ISA-L
 * kernel, and no way to work: it checks nothing.
 */
public final class RawIsal implements Runnable {
  private final ByteBuffer[] inputs;
  private final ByteBuffer[] outputs;
  private final ByteBuffer tables;
  private final ByteBuffer pointers;
  private final long tablesAddress;
  private final long inputsAddress;
  private final long outputsAddress;
  private final int length;

  private RawIsal(Matrix matrix, ByteBuffer[] inputs, ByteBuffer[] outputs, int length) {
    this.inputs = inputs.clone();
    this.outputs = outputs.clone();
    this.length = length;
    tables = IsalCall.tables(matrix);
    tablesAddress = Isal.address(tables);
    int count = inputs.length + outputs.length;
    pointers = ByteBuffer.allocateDirect(count * Long.BYTES).order(ByteOrder.nativeOrder());
    inputsAddress = Isal.address(pointers);
    outputsAddress = inputsAddress + (long) inputs.length * Long.BYTES;
    for (ByteBuffer input : inputs) {
      pointers.putLong(Isal.address(input) + input.position());
    }
    for (ByteBuffer output : outputs) {
      pointers.putLong(Isal.address(output) + output.position());
    }
  }

  /**
   * Prepares a call.
   *
   * @param matrix one row an output, one column an input, at least one of each
   * @param inputs direct buffers with at least length bytes from their positions on
   * @param outputs direct buffers with room for length bytes from their positions on
   * @param length bytes that each run computes
   * @return empty when ISA-L is not there
   * @throws IllegalArgumentException when a buffer is on the heap, or buffers and matrix do not fit
   */
  public static Optional<RawIsal> prepare(
      Matrix matrix, ByteBuffer[] inputs, ByteBuffer[] outputs, int length) {
    Kernel kernel = Kernels.isal().orElse(null);
    if (kernel == null) {
      return Optional.empty();
    }
    Buffers.check(kernel.transform(matrix), inputs, outputs, length);
    for (ByteBuffer[] buffers : new ByteBuffer[][] {inputs, outputs}) {
      for (ByteBuffer buffer : buffers) {
        if (!buffer.isDirect()) {
          throw new IllegalArgumentException("a buffer is on the heap, ISA-L takes direct ones");
        }
      }
    }
    return Optional.of(new RawIsal(matrix, inputs, outputs, length));
  }

  @Override
  public void run() {
    try {
      Isal.ec_encode_data(
          length, inputs.length, outputs.length, tablesAddress, inputsAddress, outputsAddress);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
