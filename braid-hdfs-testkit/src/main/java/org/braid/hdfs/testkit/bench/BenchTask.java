package org.braid.hdfs.testkit.bench;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.Solver;
import org.braid.code.Term;
import org.braid.kernel.Kernels;

/** A task of the coding benchmark: input bytes and what to compute, the same for all coders. */
public final class BenchTask {
  /** The kinds of tasks. */
  public enum Kind {
    /** Compute all parity of a stripe from its data. */
    ENCODE,

    /** Compute lost data blocks of a stripe from the remaining blocks. */
    DECODE,

    /** One hop of a repair: add a coefficient times a local block to a received value. */
    HOP
  }

  /** Neither 0 nor 1, for which coders have short cuts. */
  private static final int HOP_COEFFICIENT = 0x8e;

  private final Kind kind;
  private final Optional<ErasureCode> code;
  private final List<Integer> lost;
  private final int length;
  private final long bytes;
  private final ByteBuffer[] buffers;
  private final Matrix matrix;
  private final int[] inputs;
  private final int[] outputs;
  private final ByteBuffer[] expected;

  private BenchTask(
      Kind kind,
      Optional<ErasureCode> code,
      List<Integer> lost,
      ByteBuffer[] buffers,
      Matrix matrix,
      int[] inputs,
      int[] outputs,
      long bytes) {
    this.kind = kind;
    this.code = code;
    this.lost = lost;
    this.length = buffers[0].capacity();
    this.bytes = bytes;
    this.buffers = buffers;
    this.matrix = matrix;
    this.inputs = inputs;
    this.outputs = outputs;
    this.expected = new ByteBuffer[outputs.length];
    if (kind != Kind.DECODE) { // Decoding: the outputs still hold the encoded data.
      Kernels.scalar().transform(matrix).apply(inputs(), outputs(), length);
    }
    for (int i = 0; i < expected.length; i++) {
      expected[i] = ByteBuffer.allocate(length).put(0, buffers[outputs[i]], 0, length);
    }
  }

  /**
   * Encoding of a stripe of random data.
   *
   * @param blockBytes bytes of a block, at least alpha; rounded down to equal sub-blocks
   */
  public static BenchTask encode(ErasureCode code, int blockBytes, Random random) {
    int width = code.k() * code.alpha();
    int rows = code.n() * code.alpha();
    int[] inputs = IntStream.range(0, width).toArray();
    int[] outputs = IntStream.range(width, rows).toArray();
    ByteBuffer[] buffers = buffers(rows, blockBytes / code.alpha(), inputs, random);
    return new BenchTask(
        Kind.ENCODE,
        Optional.of(code),
        List.of(),
        buffers,
        code.generator().select(outputs),
        inputs,
        outputs,
        (long) width * buffers[0].capacity());
  }

  /**
   * Decoding of lost blocks of a stripe of random data from the remaining blocks, data before
   * parity.
   *
   * @param lost positions of the lost blocks
   * @param blockBytes as for encoding
   * @throws IllegalArgumentException when the code cannot decode them
   */
  public static BenchTask decode(
      ErasureCode code, List<Integer> lost, int blockBytes, Random random) {
    List<Integer> left = left(code, lost);
    List<Equation> equations =
        Solver.solve(code, lost, left)
            .orElseThrow(
                () -> new IllegalArgumentException(code.name() + " does not survive " + lost));
    TreeSet<Integer> sources = new TreeSet<>();
    for (Equation equation : equations) {
      equation.terms().forEach(term -> sources.add(code.row(term.source())));
    }
    List<Integer> columns = List.copyOf(sources);
    int[] values = new int[equations.size() * columns.size()];
    for (int r = 0; r < equations.size(); r++) {
      for (Term term : equations.get(r).terms()) {
        int column = columns.indexOf(code.row(term.source()));
        values[r * columns.size() + column] = term.coefficient();
      }
    }
    BenchTask stripe = encode(code, blockBytes, random);
    return new BenchTask(
        Kind.DECODE,
        Optional.of(code),
        List.copyOf(lost),
        stripe.buffers,
        Matrix.of(equations.size(), columns.size(), values),
        columns.stream().mapToInt(c -> c).toArray(),
        equations.stream().mapToInt(e -> code.row(e.target())).toArray(),
        stripe.bytes);
  }

  /**
   * One hop of a repair.
   *
   * @param blockBytes bytes of each of the two inputs and of the output
   */
  public static BenchTask hop(int blockBytes, Random random) {
    int[] inputs = {0, 1};
    return new BenchTask(
        Kind.HOP,
        Optional.empty(),
        List.of(),
        buffers(3, blockBytes, inputs, random),
        Matrix.of(1, 2, 1, HOP_COEFFICIENT),
        inputs,
        new int[] {2},
        blockBytes);
  }

  /**
   * The largest set of data blocks, taken greedily from the first, that the code can lose at once.
   */
  public static List<Integer> mostLost(ErasureCode code) {
    List<Integer> lost = new ArrayList<>();
    for (int block = 0; block < code.k() && lost.size() < code.m(); block++) {
      lost.add(block);
      if (!Solver.decodable(code, lost)) {
        lost.remove(lost.size() - 1);
      }
    }
    return List.copyOf(lost);
  }

  private static ByteBuffer[] buffers(int count, int length, int[] filled, Random random) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      buffers[i] = Kernels.allocate(length);
    }
    byte[] bytes = new byte[length];
    for (int i : filled) {
      random.nextBytes(bytes);
      buffers[i].put(0, bytes);
    }
    return buffers;
  }

  private static List<Integer> left(ErasureCode code, List<Integer> lost) {
    return IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
  }

  public Kind kind() {
    return kind;
  }

  /** The code; empty for a hop. */
  public Optional<ErasureCode> code() {
    return code;
  }

  /** Positions of the lost blocks, for decoding. */
  public List<Integer> lost() {
    return lost;
  }

  /** Positions of the remaining blocks, most preferred first. */
  public List<Integer> left() {
    return code.map(c -> left(c, lost)).orElse(List.of());
  }

  /** Bytes of each buffer. */
  public int length() {
    return length;
  }

  /**
   * The bytes that count for the speed of a run: all data of the stripe for encoding and decoding,
   * one block for a hop.
   */
  public long bytes() {
    return bytes;
  }

  /** The buffers: n*alpha sub-blocks, or the hop's inputs and output. */
  public ByteBuffer[] buffers() {
    return buffers.clone();
  }

  /** The task as a matrix: a row for each output, a column for each input. */
  public Matrix matrix() {
    return matrix;
  }

  /** The buffers of the matrix's columns. */
  public ByteBuffer[] inputs() {
    return pick(inputs);
  }

  /** The buffers of the matrix's rows. */
  public ByteBuffer[] outputs() {
    return pick(outputs);
  }

  private ByteBuffer[] pick(int[] numbers) {
    return IntStream.of(numbers).mapToObj(i -> buffers[i]).toArray(ByteBuffer[]::new);
  }

  /**
   * Runs work once and compares its outputs with the scalar kernel's parity or the encoded data.
   *
   * @throws IllegalStateException when a byte differs
   */
  public void verify(String coder, BenchCoder.Work work) {
    for (ByteBuffer output : outputs()) {
      output.put(0, new byte[length]);
    }
    work.run();
    for (int i = 0; i < expected.length; i++) {
      int at = expected[i].mismatch(work.output(i).duplicate().clear().limit(length));
      if (at >= 0) {
        throw new IllegalStateException(
            coder + " computes a wrong result: output " + i + ", byte " + at);
      }
    }
  }
}
