package org.braid.kernel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.security.ProtectionDomain;
import java.util.zip.Checksum;

/** On Java 8, what later ones have: {@code Jdk} of braid-code, with the same methods. */
public final class Jdk {
  private static final MethodHandle GET_LONG;
  private static final MethodHandle PUT_LONG;
  private static final long BASE;
  private static final Field ADDRESS;

  /** What {@link #keep} has written last; nobody reads it. */
  private static volatile Object kept;

  static {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field instance = type.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      Object unsafe = instance.get(null);
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      GET_LONG =
          lookup
              .findVirtual(
                  type, "getLong", MethodType.methodType(long.class, Object.class, long.class))
              .bindTo(unsafe);
      PUT_LONG =
          lookup
              .findVirtual(
                  type,
                  "putLong",
                  MethodType.methodType(void.class, Object.class, long.class, long.class))
              .bindTo(unsafe);
      BASE = (int) type.getMethod("arrayBaseOffset", Class.class).invoke(unsafe, byte[].class);
      ADDRESS = java.nio.Buffer.class.getDeclaredField("address");
      ADDRESS.setAccessible(true);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Jdk() {}

  public static Checksum crc32c() {
    return new Crc32C();
  }

  public static void update(Checksum sum, ByteBuffer content) {
    if (content.hasArray()) {
      sum.update(
          content.array(), content.arrayOffset() + content.position(), content.remaining());
      content.position(content.limit());
      return;
    }
    byte[] piece = new byte[Math.min(content.remaining(), 1 << 14)];
    while (content.hasRemaining()) {
      int count = Math.min(piece.length, content.remaining());
      content.get(piece, 0, count);
      sum.update(piece, 0, count);
    }
  }

  static long getLong(byte[] array, int index) {
    check(array, index);
    try {
      return (long) GET_LONG.invokeExact((Object) array, BASE + index);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static void putLong(byte[] array, int index, long value) {
    check(array, index);
    try {
      PUT_LONG.invokeExact((Object) array, BASE + index, value);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void check(byte[] array, int index) {
    if (index < 0 || index > array.length - Long.BYTES) {
      throw new IndexOutOfBoundsException(index + " to " + (index + 8) + " of " + array.length);
    }
  }

  static int alignmentOffset(ByteBuffer buffer, int index, int unit) {
    try {
      return (int) (ADDRESS.getLong(buffer) + index & unit - 1);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static void keep(Object object) {
    kept = object;
    kept = null;
  }

  public static void define(Class<?> neighbour, byte[] classFile) throws IllegalAccessException {
    try {
      Method define =
          ClassLoader.class.getDeclaredMethod(
              "defineClass",
              String.class,
              byte[].class,
              int.class,
              int.class,
              ProtectionDomain.class);
      define.setAccessible(true);
      define.invoke(
          neighbour.getClassLoader(),
          null,
          classFile,
          0,
          classFile.length,
          neighbour.getProtectionDomain());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof LinkageError) {
        throw (LinkageError) e.getCause();
      }
      throw new IllegalStateException(e.getCause());
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  /** CRC-32C by tables, four bytes at a time. */
  private static final class Crc32C implements Checksum {
    private static final int POLYNOMIAL = 0x82f63b78;
    private static final int[][] TABLES = new int[4][256];

    private int state = -1;

    static {
      for (int b = 0; b < 256; b++) {
        int crc = b;
        for (int bit = 0; bit < 8; bit++) {
          crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
        }
        TABLES[0][b] = crc;
      }
      for (int b = 0; b < 256; b++) {
        for (int t = 1; t < TABLES.length; t++) {
          int before = TABLES[t - 1][b];
          TABLES[t][b] = before >>> 8 ^ TABLES[0][before & 255];
        }
      }
    }

    @Override
    public void update(int value) {
      state = state >>> 8 ^ TABLES[0][(state ^ value) & 255];
    }

    @Override
    public void update(byte[] bytes, int offset, int length) {
      if (offset < 0 || length < 0 || offset > bytes.length - length) {
        throw new ArrayIndexOutOfBoundsException(
            length + " bytes from " + offset + " of " + bytes.length);
      }
      int[] one = TABLES[0];
      int[] two = TABLES[1];
      int[] three = TABLES[2];
      int[] four = TABLES[3];
      int crc = state;
      int i = offset;
      int end = offset + length;
      for (; i + 4 <= end; i += 4) {
        crc ^=
            bytes[i] & 255
                | (bytes[i + 1] & 255) << 8
                | (bytes[i + 2] & 255) << 16
                | bytes[i + 3] << 24;
        crc =
            four[crc & 255]
                ^ three[crc >>> 8 & 255]
                ^ two[crc >>> 16 & 255]
                ^ one[crc >>> 24];
      }
      for (; i < end; i++) {
        crc = crc >>> 8 ^ one[(crc ^ bytes[i]) & 255];
      }
      state = crc;
    }

    @Override
    public long getValue() {
      return ~state & 0xffffffffL;
    }

    @Override
    public void reset() {
      state = -1;
    }
  }
}
