package org.braid.hdfs.testkit.bench;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.braid.code.Matrix;
import org.braid.kernel.Kernels;

/**
 * One call of ISA-L's {@code ec_encode_data} on fixed direct buffers: the speed that Braid's ISA-L
 * kernel is compared with. It has a JNA binding of its own and checks nothing.
 */
final class RawIsal implements Runnable {
  private static final int TABLE_BYTES = 32;

  static {
    String library = System.getProperty(Kernels.LIBRARY_PROPERTY, "libisal.so.2");
    Native.register(RawIsal.class, NativeLibrary.getInstance(library));
  }

  private final ByteBuffer[] inputs;
  private final ByteBuffer[] outputs;
  private final ByteBuffer tables;
  private final ByteBuffer pointers;
  private final long tablesAddress;
  private final long inputsAddress;
  private final long outputsAddress;
  private final int length;

  /**
   * Prepares the call.
   *
   * @param matrix a row for each output, a column for each input
   * @param inputs direct buffers of {@code length} bytes
   * @param outputs direct buffers of {@code length} bytes
   * @param length bytes of each buffer
   * @throws LinkageError when ISA-L cannot be loaded
   */
  RawIsal(Matrix matrix, ByteBuffer[] inputs, ByteBuffer[] outputs, int length) {
    this.inputs = inputs.clone();
    this.outputs = outputs.clone();
    this.length = length;
    int products = inputs.length * outputs.length;
    ByteBuffer coefficients = ByteBuffer.allocateDirect(products);
    for (int i = 0; i < products; i++) {
      coefficients.put((byte) matrix.at(i / inputs.length, i % inputs.length));
    }
    tables = ByteBuffer.allocateDirect(TABLE_BYTES * products);
    tablesAddress = address(tables);
    try {
      ec_init_tables(inputs.length, outputs.length, address(coefficients), tablesAddress);
    } finally {
      Reference.reachabilityFence(coefficients);
    }
    pointers =
        ByteBuffer.allocateDirect((inputs.length + outputs.length) * Long.BYTES)
            .order(ByteOrder.nativeOrder());
    inputsAddress = address(pointers);
    outputsAddress = inputsAddress + (long) inputs.length * Long.BYTES;
    for (ByteBuffer input : inputs) {
      pointers.putLong(address(input));
    }
    for (ByteBuffer output : outputs) {
      pointers.putLong(address(output));
    }
  }

  @SuppressWarnings("MemberName") // the C name
  private static native void ec_init_tables(
      int inputs, int outputs, long coefficients, long tables);

  @SuppressWarnings("MemberName") // the C name
  private static native void ec_encode_data(
      int length, int inputs, int outputs, long tables, long in, long out);

  private static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
  }

  @Override
  public void run() {
    try {
      ec_encode_data(
          length, inputs.length, outputs.length, tablesAddress, inputsAddress, outputsAddress);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
