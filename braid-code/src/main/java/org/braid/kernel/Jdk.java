package org.braid.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * The methods of Java 9 and later that clients use. The jar for clients on Java 8 has another class
 * of this name, and this one as the class of Java 9.
 */
public final class Jdk {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private Jdk() {}

  /** A CRC-32C of nothing yet. */
  public static Checksum crc32c() {
    return new CRC32C();
  }

  /** Adds the rest of a buffer to a sum of {@link #crc32c}. */
  public static void update(Checksum sum, ByteBuffer content) {
    sum.update(content);
  }

  /** Eight bytes of an array, in the order of this machine. */
  static long getLong(byte[] array, int index) {
    return (long) LONGS.get(array, index);
  }

  static void putLong(byte[] array, int index, long value) {
    LONGS.set(array, index, value);
  }

  /**
   * How far an index of a direct buffer is past an address that is a multiple of a power of two.
   */
  static int alignmentOffset(ByteBuffer buffer, int index, int unit) {
    return buffer.alignmentOffset(index, unit);
  }

  /** Keeps an object alive until here; called in a finally block. */
  @SuppressWarnings("ReachabilityFenceUsage")
  static void keep(Object object) {
    Reference.reachabilityFence(object);
  }

  /**
   * Has the class loader of a class define another one in its package.
   *
   * @throws IllegalAccessException when that package is closed to others
   * @throws LinkageError when it has defined that class before
   */
  public static void define(Class<?> neighbour, byte[] classFile) throws IllegalAccessException {
    MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup()).defineClass(classFile);
  }
}
