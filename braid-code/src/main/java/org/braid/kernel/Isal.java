package org.braid.kernel;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * ISA-L's erasure code functions by JNA direct mapping: the methods below are the C functions of
 * the same names. Addresses are passed as longs, which costs no object a call.
 */
final class Isal {
  /** JNA may unload a library once another is bound in its place, though it is in use: hold all. */
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
   * @param vectors how many there are with the output, at least 3
   * @param addresses address of the inputs' addresses, multiples of 32, and then the output's
   * @return 0, or something else when it did nothing
   */
  @SuppressWarnings("MemberName") // the C name
  static native int xor_gen(int vectors, int length, long addresses);

  /**
   * Loads a library and binds the methods to it.
   *
   * @param library a file name, a path, or a name for the platform to complete
   * @throws LinkageError when it is not there, or is something else
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

  /** The address of a direct buffer's first byte, wherever its position is. */
  static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
  }
}
