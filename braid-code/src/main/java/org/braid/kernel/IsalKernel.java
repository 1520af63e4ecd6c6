package org.braid.kernel;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.braid.code.Matrix;

/**
 * Intel ISA-L ({@code libisal}). Direct buffers are worked on in place; buffers on the heap pass
 * through a bounded piece of native memory that each thread keeps.
 */
public final class IsalKernel implements Kernel {
  /** Bytes of coefficients' tables that ISA-L needs for each coefficient. */
  private static final int TABLE_BYTES = 32;

  /** Native memory that a thread's copies of heap buffers take together: what a cache holds. */
  private static final int SCRATCH_BYTES = 512 << 10;

  /** The shortest piece, for transforms with very many heap buffers. */
  private static final int MIN_PIECE = 1 << 10;

  private static final int MAX_PIECE = 64 << 10;

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private final String library;

  /**
   * Loads ISA-L.
   *
   * @param library a file name, a path, or a name for the platform to complete
   * @throws LinkageError when it cannot be loaded, or computes something else
   */
  IsalKernel(String library) {
    Isal.bind(library);
    this.library = library;
    verify();
  }

  /** Wrong products would be stored as parity, so a library proves itself before it is used. */
  private void verify() {
    int length = 97; // longer than any vector register, and not a multiple of one
    int[] coefficients = new int[256];
    byte[][] in = new byte[32][length];
    for (int i = 0; i < coefficients.length; i++) {
      coefficients[i] = i;
    }
    for (int i = 0; i < in.length * length; i++) {
      in[i / length][i % length] = (byte) (i * 37 + i / 256);
    }
    Matrix matrix = Matrix.of(8, 32, coefficients);
    ByteBuffer[] inputs = wrap(in);
    byte[][] ours = new byte[8][length];
    byte[][] reference = new byte[8][length];
    transform(matrix).apply(inputs, wrap(ours), length);
    new ScalarKernel().transform(matrix).apply(inputs, wrap(reference), length);
    for (int r = 0; r < ours.length; r++) {
      int at = Arrays.mismatch(ours[r], reference[r]);
      if (at >= 0) {
        throw new UnsatisfiedLinkError(
            library + " computes other products than GF(2^8), row " + r + " byte " + at);
      }
    }
  }

  private static ByteBuffer[] wrap(byte[][] arrays) {
    ByteBuffer[] out = new ByteBuffer[arrays.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = ByteBuffer.wrap(arrays[i]);
    }
    return out;
  }

  @Override
  public String name() {
    return "isal";
  }

  /** The library as it was asked for. */
  String library() {
    return library;
  }

  @Override
  public Transform transform(Matrix coefficients) {
    return new IsalTransform(coefficients);
  }

  private static final class IsalTransform implements Transform {
    private final int inputs;
    private final int outputs;
    private final ByteBuffer tables;
    private final long tablesAddress;

    IsalTransform(Matrix matrix) {
      inputs = matrix.columns();
      outputs = matrix.rows();
      tables = ByteBuffer.allocateDirect(Math.multiplyExact(TABLE_BYTES, inputs * outputs));
      if (inputs * outputs == 0) {
        tablesAddress = 0;
        return;
      }
      tablesAddress = Isal.address(tables);
      ByteBuffer coefficients = ByteBuffer.allocateDirect(inputs * outputs);
      for (int r = 0; r < outputs; r++) {
        for (int c = 0; c < inputs; c++) {
          coefficients.put((byte) matrix.at(r, c));
        }
      }
      try {
        Isal.ec_init_tables(inputs, outputs, Isal.address(coefficients), tablesAddress);
      } finally {
        Reference.reachabilityFence(coefficients);
      }
    }

    @Override
    public int inputs() {
      return inputs;
    }

    @Override
    public int outputs() {
      return outputs;
    }

    @Override
    public void apply(ByteBuffer[] in, ByteBuffer[] out, int length) {
      Buffers.check(this, in, out, length);
      if (length == 0 || outputs == 0) {
        return;
      }
      if (inputs == 0) {
        zero(out, length);
        return;
      }
      try {
        encode(in, out, length);
      } finally {
        // The native code knows addresses only: keep what owns the memory alive until here.
        Reference.reachabilityFence(in);
        Reference.reachabilityFence(out);
        Reference.reachabilityFence(this);
      }
    }

    private void encode(ByteBuffer[] in, ByteBuffer[] out, int length) {
      int copies = heapBuffers(in) + heapBuffers(out);
      int piece = copies == 0 ? length : Math.min(length, piece(copies));
      Scratch scratch = SCRATCH.get();
      scratch.reserve(inputs + outputs, (long) copies * piece);
      int slots = scratch.point(in, 0, 0, piece);
      scratch.point(out, inputs, slots, piece);
      for (int done = 0; done < length; done += piece) {
        int count = Math.min(piece, length - done);
        scratch.copyIn(in, done, count, piece);
        Isal.ec_encode_data(
            count,
            inputs,
            outputs,
            tablesAddress,
            scratch.pointersAddress,
            scratch.pointersAddress + (long) inputs * Long.BYTES);
        scratch.copyOut(out, slots, done, count, piece);
        scratch.advance(in, 0, count);
        scratch.advance(out, inputs, count);
      }
    }

    private static void zero(ByteBuffer[] out, int length) {
      byte[] zeros = new byte[length];
      for (ByteBuffer buffer : out) {
        buffer.put(buffer.position(), zeros);
      }
    }

    private static int piece(int copies) {
      int even = SCRATCH_BYTES / copies & -64;
      return Math.max(MIN_PIECE, Math.min(MAX_PIECE, even));
    }

    private static int heapBuffers(ByteBuffer[] buffers) {
      int count = 0;
      for (ByteBuffer buffer : buffers) {
        count += buffer.isDirect() ? 0 : 1;
      }
      return count;
    }
  }

  /** A thread's native memory: the addresses for one call, and copies of heap buffers. */
  private static final class Scratch {
    private ByteBuffer pointers = ByteBuffer.allocateDirect(0);
    private ByteBuffer copies = ByteBuffer.allocateDirect(0);
    private long pointersAddress;
    private long copiesAddress;

    void reserve(int buffers, long bytes) {
      if (pointers.capacity() < buffers * Long.BYTES) {
        pointers = ByteBuffer.allocateDirect(buffers * Long.BYTES).order(ByteOrder.nativeOrder());
        pointersAddress = Isal.address(pointers);
      }
      if (copies.capacity() < bytes) {
        copies = ByteBuffer.allocateDirect(Math.toIntExact(bytes));
        copiesAddress = Isal.address(copies);
      }
    }

    /** Writes the buffers' addresses from an index on; heap buffers take the next slots. */
    int point(ByteBuffer[] buffers, int index, int firstSlot, int piece) {
      int slot = firstSlot;
      for (int i = 0; i < buffers.length; i++) {
        long address =
            buffers[i].isDirect()
                ? Isal.address(buffers[i]) + buffers[i].position()
                : copiesAddress + (long) slot++ * piece;
        pointers.putLong((index + i) * Long.BYTES, address);
      }
      return slot;
    }

    void copyIn(ByteBuffer[] in, int done, int count, int piece) {
      int slot = 0;
      for (ByteBuffer buffer : in) {
        if (!buffer.isDirect()) {
          copies.put(slot++ * piece, buffer, buffer.position() + done, count);
        }
      }
    }

    void copyOut(ByteBuffer[] out, int firstSlot, int done, int count, int piece) {
      int slot = firstSlot;
      for (ByteBuffer buffer : out) {
        if (!buffer.isDirect()) {
          buffer.put(buffer.position() + done, copies, slot++ * piece, count);
        }
      }
    }

    void advance(ByteBuffer[] buffers, int index, int count) {
      for (int i = 0; i < buffers.length; i++) {
        if (buffers[i].isDirect()) {
          int at = (index + i) * Long.BYTES;
          pointers.putLong(at, pointers.getLong(at) + count);
        }
      }
    }
  }
}
