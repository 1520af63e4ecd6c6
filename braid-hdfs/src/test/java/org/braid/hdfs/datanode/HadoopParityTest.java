package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.Solver;
import org.braid.kernel.Kernels;
import org.braid.testing.Bytes;
import org.braid.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Braid's Reed-Solomon blocks are those of HDFS's own coder, byte for byte. */
final class HadoopParityTest {
  @ParameterizedTest
  @CsvSource({"3,2", "6,3", "10,4", "12,4"})
  void encodesAndDecodesAsHadoopDoes(int k, int m) throws Exception {
    Random random = Seeds.random(HadoopParityTest.class);
    ErasureCode code = Codes.named("rs-" + k + "-" + m);
    ErasureCoderOptions options = new ErasureCoderOptions(k, m);
    for (int trial = 0; trial < 20; trial++) {
      int length = 1 + random.nextInt(5000);
      byte[][] blocks = new byte[k + m][];
      for (int i = 0; i < k; i++) {
        blocks[i] = Bytes.random(random, length);
      }
      byte[][] hadoop = new byte[m][length];
      new RSRawEncoder(options).encode(Arrays.copyOf(blocks, k), hadoop);
      byte[][] ours =
          combine(
              code.generator().select(IntStream.range(k, k + m).toArray()),
              Arrays.copyOf(blocks, k),
              length);
      for (int j = 0; j < m; j++) {
        assertArrayEquals(hadoop[j], ours[j], "parity " + j + " of " + code.name());
        blocks[k + j] = ours[j];
      }
      decode(code, options, blocks, random);
    }
  }

  private static void decode(
      ErasureCode code, ErasureCoderOptions options, byte[][] blocks, Random random)
      throws Exception {
    int length = blocks[0].length;
    List<Integer> order = new java.util.ArrayList<>(IntStream.range(0, code.n()).boxed().toList());
    Collections.shuffle(order, random);
    List<Integer> lost = order.subList(0, 1 + random.nextInt(code.m())).stream().sorted().toList();
    List<Integer> left =
        IntStream.range(0, code.n()).filter(i -> !lost.contains(i)).boxed().toList();
    byte[][] inputs = blocks.clone();
    lost.forEach(i -> inputs[i] = null);
    byte[][] hadoop = new byte[lost.size()][length];
    new RSRawDecoder(options)
        .decode(inputs, lost.stream().mapToInt(Integer::intValue).toArray(), hadoop);
    List<Equation> equations = Solver.solve(code, lost, left).orElseThrow();
    for (int e = 0; e < lost.size(); e++) {
      Equation equation = equations.get(e);
      int[] factors = equation.terms().stream().mapToInt(term -> term.coefficient()).toArray();
      byte[][] sources =
          equation.terms().stream()
              .map(term -> blocks[term.source().block()])
              .toArray(byte[][]::new);
      byte[][] ours = combine(Matrix.of(1, factors.length, factors), sources, length);
      int at = lost.indexOf(equation.target().block());
      assertArrayEquals(hadoop[at], ours[0], code.name() + " without " + lost);
      assertArrayEquals(blocks[lost.get(at)], ours[0]);
    }
  }

  private static byte[][] combine(Matrix matrix, byte[][] inputs, int length) {
    ByteBuffer[] from = Arrays.stream(inputs).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
    ByteBuffer[] to = new ByteBuffer[matrix.rows()];
    Arrays.setAll(to, i -> ByteBuffer.allocate(length));
    Kernels.active().transform(matrix).apply(from, to, length);
    return Arrays.stream(to).map(ByteBuffer::array).toArray(byte[][]::new);
  }
}
