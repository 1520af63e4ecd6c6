package org.braid.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.braid.code.Gf256;
import org.braid.code.Matrix;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every kernel does, against the field itself. A new kernel adds a subclass. */
abstract class KernelContract {
  private static final byte GUARD = (byte) 0xa5;
  private static final int MARGIN = 70;

  /** The kernel under test. */
  abstract Kernel kernel();

  /** Where a buffer's bytes are. */
  enum Place {
    HEAP,
    HEAP_SLICE,
    DIRECT,
    DIRECT_SLICE;

    ByteBuffer allocate(int size) {
      return switch (this) {
        case HEAP -> ByteBuffer.allocate(size);
        case HEAP_SLICE -> ByteBuffer.allocate(size + 5).slice(3, size);
        case DIRECT -> ByteBuffer.allocateDirect(size);
        case DIRECT_SLICE -> ByteBuffer.allocateDirect(size + 5).slice(3, size);
      };
    }
  }

  private final Random random = Seeds.random(getClass());

  /** A buffer of random bytes whose position is its offset, with room behind the limit. */
  private ByteBuffer buffer(Place place, int offset, int length) {
    ByteBuffer buffer = place.allocate(offset + length + MARGIN);
    byte[] bytes = new byte[buffer.capacity()];
    random.nextBytes(bytes);
    buffer.put(0, bytes);
    return buffer.position(offset).limit(offset + length);
  }

  private ByteBuffer guarded(Place place, int offset, int length) {
    ByteBuffer buffer = place.allocate(offset + length + MARGIN);
    byte[] bytes = new byte[buffer.capacity()];
    Arrays.fill(bytes, GUARD);
    buffer.put(0, bytes);
    return buffer.position(offset).limit(offset + length);
  }

  private Place place() {
    return Place.values()[random.nextInt(Place.values().length)];
  }

  private Matrix matrix(int rows, int columns) {
    return Matrix.of(rows, columns, random.ints((long) rows * columns, 0, 256).toArray());
  }

  private static byte[] bytes(ByteBuffer buffer, int from, int length) {
    byte[] out = new byte[length];
    buffer.get(from, out);
    return out;
  }

  private static byte[] expected(Matrix matrix, int row, ByteBuffer[] inputs, int length) {
    byte[] sum = new byte[length];
    for (int c = 0; c < inputs.length; c++) {
      for (int i = 0; i < length; i++) {
        int value = inputs[c].get(inputs[c].position() + i) & 0xff;
        sum[i] ^= (byte) Gf256.multiply(matrix.at(row, c), value);
      }
    }
    return sum;
  }

  /** Applies once to the first bytes of guarded outputs and looks at every byte around. */
  private static void check(
      Transform transform, Matrix matrix, ByteBuffer[] inputs, ByteBuffer[] outputs, int length) {
    byte[][] before = new byte[inputs.length][];
    for (int c = 0; c < inputs.length; c++) {
      before[c] = bytes(inputs[c].duplicate().clear(), 0, inputs[c].capacity());
    }
    int[] positions = Arrays.stream(outputs).mapToInt(ByteBuffer::position).toArray();
    int[] limits = Arrays.stream(outputs).mapToInt(ByteBuffer::limit).toArray();
    int[] inPositions = Arrays.stream(inputs).mapToInt(ByteBuffer::position).toArray();

    transform.apply(inputs, outputs, length);

    for (int r = 0; r < outputs.length; r++) {
      String what = matrix.rows() + "x" + matrix.columns() + " row " + r + " length " + length;
      assertEquals(positions[r], outputs[r].position(), what);
      assertEquals(limits[r], outputs[r].limit(), what);
      ByteBuffer all = outputs[r].duplicate().clear();
      byte[] whole = new byte[all.capacity()];
      Arrays.fill(whole, GUARD);
      System.arraycopy(expected(matrix, r, inputs, length), 0, whole, positions[r], length);
      assertArrayEquals(whole, bytes(all, 0, whole.length), what);
    }
    for (int c = 0; c < inputs.length; c++) {
      assertEquals(inPositions[c], inputs[c].position());
      assertArrayEquals(
          before[c], bytes(inputs[c].duplicate().clear(), 0, inputs[c].capacity()), "input " + c);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 32, 64, 300})
  void allCoefficientsTimesAllBytes(int length) {
    ByteBuffer input = ByteBuffer.allocateDirect(256 + length);
    for (int coefficient = 0; coefficient < 256; coefficient++) {
      Matrix matrix = Matrix.of(1, 1, coefficient);
      Transform transform = kernel().transform(matrix);
      for (int from = 0; from < 256; from += length) {
        for (int i = 0; i < length; i++) {
          input.put(i, (byte) (from + i));
        }
        ByteBuffer[] outputs = {guarded(Place.DIRECT, 0, length)};
        check(transform, matrix, new ByteBuffer[] {input}, outputs, length);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 1000, 8192, 4096 + 7, 200_003})
  void awkwardLengthsOffsetsAndPlaces(int length) {
    for (int[] shape : new int[][] {{1, 1}, {1, 2}, {2, 1}, {3, 6}, {4, 10}, {7, 5}, {13, 3}}) {
      Matrix matrix = matrix(shape[0], shape[1]);
      Transform transform = kernel().transform(matrix);
      ByteBuffer[] inputs = new ByteBuffer[shape[1]];
      for (int c = 0; c < inputs.length; c++) {
        ByteBuffer buffer = buffer(place(), random.nextInt(MARGIN), length);
        inputs[c] = random.nextBoolean() ? buffer.asReadOnlyBuffer() : buffer;
      }
      ByteBuffer[] outputs = new ByteBuffer[shape[0]];
      for (int r = 0; r < outputs.length; r++) {
        outputs[r] = guarded(place(), random.nextInt(MARGIN), length);
      }
      check(transform, matrix, inputs, outputs, length);
    }
  }

  @Test
  void everyPairOfPlaces() {
    Matrix matrix = matrix(2, 3);
    Transform transform = kernel().transform(matrix);
    int length = 70_001; // longer than one piece of every kernel
    for (Place from : Place.values()) {
      for (Place to : Place.values()) {
        ByteBuffer[] inputs = {
          buffer(from, 1, length), buffer(from, 0, length), buffer(from, 9, length)
        };
        inputs[1] = inputs[1].asReadOnlyBuffer();
        ByteBuffer[] outputs = {guarded(to, 5, length), guarded(to, 0, length)};
        check(transform, matrix, inputs, outputs, length);
      }
    }
  }

  @Test
  void onlyTheLengthAskedForIsWritten() {
    Matrix matrix = matrix(2, 2);
    ByteBuffer[] inputs = {buffer(Place.DIRECT, 3, 500), buffer(Place.HEAP, 4, 400)};
    ByteBuffer[] outputs = {guarded(Place.HEAP, 2, 300), guarded(Place.DIRECT, 1, 301)};
    check(kernel().transform(matrix), matrix, inputs, outputs, 123);
  }

  @Test
  void manyInputsAndOutputs() {
    for (int[] shape : new int[][] {{55, 200}, {1, 255}, {255, 1}, {600, 40}}) {
      Matrix matrix = matrix(shape[0], shape[1]);
      int length = 1500;
      ByteBuffer[] inputs = new ByteBuffer[shape[1]];
      Arrays.setAll(inputs, c -> buffer(place(), c % 8, length));
      ByteBuffer[] outputs = new ByteBuffer[shape[0]];
      Arrays.setAll(outputs, r -> guarded(place(), r % 8, length));
      check(kernel().transform(matrix), matrix, inputs, outputs, length);
    }
  }

  @Test
  void withoutInputsTheSumIsZero() {
    Matrix matrix = Matrix.of(2, 0);
    ByteBuffer[] outputs = {guarded(Place.HEAP, 2, 99), guarded(Place.DIRECT, 1, 99)};
    check(kernel().transform(matrix), matrix, new ByteBuffer[0], outputs, 99);
    kernel()
        .transform(Matrix.of(0, 1))
        .apply(new ByteBuffer[] {buffer(Place.HEAP, 0, 8)}, new ByteBuffer[0], 8);
  }

  @Test
  void oneTransformServesManyThreads() throws Exception {
    Matrix matrix = matrix(4, 10);
    Transform transform = kernel().transform(matrix);
    int length = 20_011;
    ByteBuffer[] inputs = new ByteBuffer[10];
    Arrays.setAll(inputs, c -> buffer(c % 2 == 0 ? Place.HEAP : Place.DIRECT, 0, length));
    byte[][] want = new byte[4][];
    Arrays.setAll(want, r -> expected(matrix, r, inputs, length));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Future<?>[] runs = new Future<?>[40];
      Arrays.setAll(
          runs,
          run ->
              threads.submit(
                  () -> {
                    Place place = run % 2 == 0 ? Place.HEAP : Place.DIRECT;
                    ByteBuffer[] outputs =
                        IntStream.range(0, 4)
                            .mapToObj(r -> guarded(place, 0, length))
                            .toArray(ByteBuffer[]::new);
                    transform.apply(inputs, outputs, length);
                    for (int r = 0; r < 4; r++) {
                      assertArrayEquals(want[r], bytes(outputs[r], 0, length));
                    }
                  }));
      for (Future<?> run : runs) {
        run.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void buffersThatDoNotFitAreRefused() {
    Transform transform = kernel().transform(matrix(1, 2));
    ByteBuffer ten = ByteBuffer.allocate(10);
    ByteBuffer[] two = {ten, ten};
    ByteBuffer[] one = {ByteBuffer.allocateDirect(12).position(1)};
    assertEquals(2, transform.inputs());
    assertEquals(1, transform.outputs());
    refused("length is -1", transform, two, one, -1);
    refused("1 inputs given, the matrix has 2", transform, one, one, 4);
    refused("2 outputs given, the matrix has 1", transform, two, two, 4);
    refused("input 0 has 10 bytes left, not 11", transform, two, one, 11);
    ByteBuffer[] large = {ByteBuffer.allocate(20), ByteBuffer.allocate(20)};
    refused("output 0 has 11 bytes left, not 12", transform, large, one, 12);
    ByteBuffer[] readOnly = {one[0].asReadOnlyBuffer()};
    refused("output 0 is read-only", transform, two, readOnly, 4);
  }

  private static void refused(
      String message, Transform transform, ByteBuffer[] in, ByteBuffer[] out, int length) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> transform.apply(in, out, length))
            .getMessage());
  }
}
