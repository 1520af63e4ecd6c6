package org.braid.kernel;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * ISA-L's erasure code functions by JNA direct mapping. The native methods are the C functions of
 * the same names. Addresses are longs, so that a call allocates no object.
 */
final class Isal {
  /**
   * All libraries ever bound: JNA may unload a library that is in use once another one is bound.
   */
  private static final List<NativeLibrary> HELD = new ArrayList<>();

  private Isal() {}

  /**
   * Expands coefficients for {@link #ec_encode_data}.
   *
   * @param tables address of 32 * inputs * outputs bytes to fill
   */
  @SuppressWarnings("MemberName") // the C name
  static native void ec_init_tables(int inputs, int outputs, long coefficients, long tables);

  /**
   * Computes the outputs.
   *
   * @param in address of the inputs' addresses
   * @param out address of the outputs' addresses
   */
  @SuppressWarnings("MemberName") // the C name
  static native void ec_encode_data(
      int length, int inputs, int outputs, long tables, long in, long out);

  /**
   * Sums up vectors.
   *
   * @param vectors number of inputs plus the output, at least 3
   * @param addresses address of the addresses of the inputs and then the output, all multiples of
   *     32
   * @return 0 if it succeeded
   */
  @SuppressWarnings("MemberName") // the C name
  static native int xor_gen(int vectors, int length, long addresses);

  /**
   * Loads a library and binds the methods to it.
   *
   * @param library a file name, a path, or a name for the platform to complete
   * @throws LinkageError when it is missing, or is another library
   */
  static synchronized void bind(String library) {
    if (Native.POINTER_SIZE != Long.BYTES) {
      throw new UnsatisfiedLinkError(
          "addresses have " + Native.POINTER_SIZE + " bytes here, the kernel needs 8");
    }
    NativeLibrary loaded = NativeLibrary.getInstance(library);
    HELD.add(loaded);
    Native.register(Isal.class, loaded);
  }

  /** The address of a direct buffer's byte 0, whatever its position. */
  static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
  }
}
