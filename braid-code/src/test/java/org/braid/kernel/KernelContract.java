package org.braid.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.braid.code.Gf256;
import org.braid.code.Matrix;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
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

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 63, 64, 65, 96, 127, 128, 1000, 4096 + 7, 150_001})
  void plainSumsWhereverTheBuffersBegin(int length) {
    for (int sources : new int[] {2, 3, 4, 7, 20}) {
      int[] values = random.ints(3L * sources, 0, 2).toArray();
      Arrays.fill(values, 0, sources, 1);
      values[2 * sources] = 2; // not a sum
      Matrix matrix = Matrix.of(3, sources, values);
      Transform transform = kernel().transform(matrix);
      for (int step : new int[] {0, 1, 16}) {
        // Equally far from an aligned address, each elsewhere, and sometimes aligned by luck.
        int first = random.nextInt(32);
        ByteBuffer[] inputs = new ByteBuffer[sources];
        Arrays.setAll(inputs, c -> aligned(buffer(Place.HEAP, first + c * step, length)));
        ByteBuffer[] outputs = new ByteBuffer[3];
        Arrays.setAll(outputs, r -> aligned(guarded(Place.HEAP, first + r * step, length)));
        check(transform, matrix, inputs, outputs, length);
      }
    }
  }

  /** The same bytes in a direct buffer that begins a cache line. */
  private static ByteBuffer aligned(ByteBuffer heap) {
    ByteBuffer direct = Kernels.allocate(heap.capacity());
    assertEquals(0, direct.alignmentOffset(0, 64));
    direct.put(0, bytes(heap.duplicate().clear(), 0, heap.capacity()));
    return direct.position(heap.position()).limit(heap.limit());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 1000, 70_001})
  void pipelinesHandResultsOn(int length) {
    // Places 0-3 are given, 4-6 are made, 8 and 9 are scratch; nobody uses 7.
    Matrix one = matrix(2, 3);
    Matrix sum = Matrix.of(1, 3, 1, 1, 1);
    Matrix two = matrix(2, 4);
    Pipeline pipeline =
        kernel()
            .pipeline(
                8,
                List.of(
                    new PipelineStage(one, List.of(2, 0, 1), List.of(8, 4)),
                    new PipelineStage(sum, List.of(8, 3, 4), List.of(9)),
                    new PipelineStage(two, List.of(9, 4, 0, 8), List.of(6, 5))));
    for (int trial = 0; trial < 8; trial++) {
      ByteBuffer[] given = new ByteBuffer[4];
      Arrays.setAll(given, c -> buffer(place(), random.nextInt(MARGIN), length));
      ByteBuffer[] made = new ByteBuffer[3];
      Arrays.setAll(made, r -> guarded(place(), random.nextInt(MARGIN), length));
      ByteBuffer[] all = {
        given[0], given[1], given[2], given[3], made[0], made[1], made[2], ByteBuffer.allocate(0)
      };
      int[] positions = Arrays.stream(all).mapToInt(ByteBuffer::position).toArray();
      ByteBuffer[] firstInputs = {given[2], given[0], given[1]};
      byte[] eight = expected(one, 0, firstInputs, length);
      byte[] four = expected(one, 1, firstInputs, length);
      byte[] nine = expected(sum, 0, wrap(eight, bytesOf(given[3], length), four), length);
      ByteBuffer[] lastInputs = wrap(nine, four, bytesOf(given[0], length), eight);
      byte[][] want = {
        four, expected(two, 1, lastInputs, length), expected(two, 0, lastInputs, length)
      };

      pipeline.run(all, length);

      assertArrayEquals(positions, Arrays.stream(all).mapToInt(ByteBuffer::position).toArray());
      for (int r = 0; r < 3; r++) {
        byte[] whole = new byte[made[r].capacity()];
        Arrays.fill(whole, GUARD);
        System.arraycopy(want[r], 0, whole, made[r].position(), length);
        assertArrayEquals(whole, bytes(made[r].duplicate().clear(), 0, whole.length), "made " + r);
      }
    }
  }

  private static byte[] bytesOf(ByteBuffer buffer, int length) {
    return bytes(buffer, buffer.position(), length);
  }

  private static ByteBuffer[] wrap(byte[]... arrays) {
    return Arrays.stream(arrays).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
  }

  @Test
  void pipelinesThatMakeNoSenseAreRefused() {
    Matrix copy = Matrix.of(1, 1, 1);
    PipelineStage first = new PipelineStage(copy, List.of(0), List.of(1));
    assertEquals(
        "scratch place 2 is read but not made",
        refused(
            () -> kernel().pipeline(2, List.of(new PipelineStage(copy, List.of(2), List.of(1))))));
    assertEquals(
        "place 1 is made after it was read or made",
        refused(() -> kernel().pipeline(2, List.of(first, first))));
    assertEquals(
        "place 0 is made after it was read or made",
        refused(
            () ->
                kernel()
                    .pipeline(2, List.of(first, new PipelineStage(copy, List.of(1), List.of(0))))));
    assertEquals(
        "a matrix of 1 x 1 for 2 targets and 1 sources",
        refused(() -> new PipelineStage(copy, List.of(0), List.of(1, 2))));
    assertEquals(
        "place 0 is written, and read or written again, in one stage",
        refused(() -> new PipelineStage(copy, List.of(0), List.of(0))));
    Pipeline pipeline = kernel().pipeline(3, List.of(first));
    ByteBuffer ten = ByteBuffer.allocate(10);
    ByteBuffer[] buffers = {ten, ByteBuffer.allocate(9), ByteBuffer.allocate(0)};
    assertEquals(
        "1 buffers given, the stages work on 3",
        refused(() -> pipeline.run(new ByteBuffer[] {ten}, 1)));
    assertEquals("length is -1", refused(() -> pipeline.run(buffers, -1)));
    assertEquals("buffer 0 has 10 bytes left, not 11", refused(() -> pipeline.run(buffers, 11)));
    assertEquals("buffer 1 has 9 bytes left, not 10", refused(() -> pipeline.run(buffers, 10)));
    buffers[1] = buffers[1].asReadOnlyBuffer();
    assertEquals("buffer 1 is read-only", refused(() -> pipeline.run(buffers, 9)));
  }

  private static String refused(Executable wrong) {
    return String.valueOf(assertThrows(IllegalArgumentException.class, wrong).getMessage());
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
