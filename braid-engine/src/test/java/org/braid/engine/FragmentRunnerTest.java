package org.braid.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.kernel.Kernel;
import org.braid.kernel.Kernels;
import org.braid.kernel.Pipeline;
import org.braid.kernel.PipelineStage;
import org.braid.kernel.Transform;
import org.braid.plan.Fragment;
import org.braid.plan.Operation;
import org.braid.plan.shape.EncodePlanner;
import org.junit.jupiter.api.Test;

final class FragmentRunnerTest {
  private static final int SLICE = 100;
  private static final SubBlock A = new SubBlock(0, 0);
  private static final SubBlock B = new SubBlock(1, 0);

  /** A chain's middle: 3 times its own block plus what it receives, sent on and stored. */
  private static final Fragment MIDDLE =
      new Fragment(
          4,
          List.of(
              new Operation.Read(0, A),
              new Operation.Receive(1, 3),
              new Operation.Combine(List.of(2), Matrix.of(1, 2, 3, 1), List.of(0, 1)),
              new Operation.Send(2, 5, 6),
              new Operation.Store(2, B)));

  private final BufferPool pool = new BufferPool(10 * SLICE);
  private final byte[] own = random(250, 1);
  private final byte[] received = random(250, 2);

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private FragmentRunner runner() {
    return new FragmentRunner(Kernels.scalar(), SLICE, pool);
  }

  private RecordingPorts ports() {
    return new RecordingPorts().give("read 0.0", own).give("receive 1", received);
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private static List<String> ofKind(RecordingPorts ports, String kind) {
    return ports.events.stream().filter(event -> event.startsWith(kind + " ")).toList();
  }

  private String failure(Fragment fragment, Kernel kernel, RecordingPorts ports) {
    FragmentRunner runner = new FragmentRunner(kernel, SLICE, pool);
    String message =
        String.valueOf(
            assertThrows(IOException.class, () -> runner.run(fragment, 250, ports)).getMessage());
    assertEquals(0, pool.leasedBytes(), "all buffers are back");
    assertEquals(
        ports.events.stream().filter(e -> e.startsWith("open ")).count()
            - (message.contains("cannot start") ? 1 : 0),
        ofKind(ports, "close").size(),
        "all that was opened is closed");
    return message;
  }

  @Test
  void computesSendsStoresAndCounts() throws IOException {
    RecordingPorts ports = ports();
    FragmentResult result = runner().run(MIDDLE, 250, ports);
    byte[] expected = new byte[250];
    for (int i = 0; i < 250; i++) {
      expected[i] = (byte) (Gf256.multiply(3, own[i] & 0xff) ^ received[i]);
    }
    for (String port : List.of("send 5", "store 1.0")) {
      assertArrayEquals(
          expected,
          ports.written.getOrDefault(port, new ByteArrayOutputStream()).toByteArray(),
          port);
    }
    assertEquals(
        new FragmentResult(
            Map.of(A, crc(own)),
            Map.of(B, crc(expected)),
            Map.of(6, 250L),
            Map.of(3, 250L),
            result.cpuNanos(),
            result.readNanos(),
            result.waitNanos()),
        result);
    assertTrue(result.cpuNanos() > 0);
    assertTrue(result.waitNanos() > 0 && result.waitNanos() <= result.readNanos());
    assertEquals(0, pool.leasedBytes());
  }

  @Test
  void everythingHappensInTheFragmentsOrder() throws IOException {
    RecordingPorts ports = ports();
    runner().run(MIDDLE, 250, ports);
    List<String> expected = new ArrayList<>();
    List<String> named = List.of("read 0.0", "receive 1", "send 5", "store 1.0");
    named.forEach(port -> expected.add("open " + port));
    for (int offset : new int[] {0, 100, 200}) {
      named.forEach(port -> expected.add(offset + " " + port));
    }
    // A stream's end is known to be good before anything made of it is published.
    named.stream().skip(1).forEach(port -> expected.add("finish " + port));
    named.forEach(port -> expected.add("close " + port));
    assertEquals(expected, ports.events);
  }

  @Test
  void nothingIsAValueToo() throws IOException {
    RecordingPorts ports = ports();
    FragmentResult result = runner().run(MIDDLE, 0, ports);
    assertEquals(Map.of(B, 0), result.storeCrcs());
    assertEquals(3, ofKind(ports, "finish").size());
    assertEquals(
        "values cannot have -1 bytes",
        assertThrows(IllegalArgumentException.class, () -> runner().run(MIDDLE, -1, ports()))
            .getMessage());
  }

  @Test
  void aSumOfNothingIsZero() throws IOException {
    Fragment zero =
        new Fragment(
            0,
            List.of(
                new Operation.Read(0, A), // leaves its bytes in the buffer that comes next
                new Operation.Combine(List.of(1), Matrix.of(1, 0), List.of()),
                new Operation.Store(1, B)));
    RecordingPorts ports = ports();
    runner().run(zero, 250, ports);
    assertArrayEquals(
        new byte[250],
        ports.written.getOrDefault("store 1.0", new ByteArrayOutputStream()).toByteArray());
  }

  @Test
  void aFailureFinishesNothingAndSaysWhere() {
    RecordingPorts ports = ports().failAt("100 receive 1");
    assertEquals(
        "node 4, Receive[value=1, from=3], bytes 100 to 200 of 250: no 100 receive 1",
        failure(MIDDLE, Kernels.scalar(), ports));
    assertEquals(List.of(), ofKind(ports, "finish"));

    ports = ports().failAt("open send 5");
    assertEquals(
        "node 4, Send[value=2, stream=5, to=6]: cannot start: no open send 5",
        failure(MIDDLE, Kernels.scalar(), ports));
    assertEquals(List.of("close read 0.0", "close receive 1"), ofKind(ports, "close"));

    ports = ports().failAt("finish send 5");
    assertEquals(
        "node 4, Send[value=2, stream=5, to=6]: cannot finish 250 bytes: no finish send 5",
        failure(MIDDLE, Kernels.scalar(), ports));
    assertEquals(List.of("finish receive 1", "finish send 5"), ofKind(ports, "finish"));

    ports = ports().failAt("finish receive 1").failAt("close send 5");
    assertEquals(
        "node 4, Receive[value=1, from=3]: cannot finish 250 bytes: no finish receive 1",
        failure(MIDDLE, Kernels.scalar(), ports));
    assertEquals(List.of("finish receive 1"), ofKind(ports, "finish"));
  }

  @Test
  void aSourceMustFillTheSlice() {
    assertEquals(
        "node 4, Read[value=0, source=SubBlock[block=0, index=0]], bytes 200 to 250 of 250:"
            + " the source gave 20 of 50 bytes",
        failure(MIDDLE, Kernels.scalar(), ports().give("read 0.0", random(220, 3))));
  }

  @Test
  void aKernelThatLiesIsCaught() {
    // At the first byte, at the last one, everywhere.
    for (int place : new int[] {0, 99, -1}) {
      RecordingPorts ports = ports();
      String message = failure(MIDDLE, lying(place), ports);
      assertTrue(
          message.contains("the kernel is broken: output 0 of 1 is ")
              && message.endsWith("; run with -Dbraid.kernel=scalar"),
          message);
      assertEquals(List.of(), ofKind(ports, "finish"));
    }
  }

  @Test
  void theCheckMovesThroughTheSlices() {
    // Wrong only from byte 64 on, as a kernel may be whose wide loop is broken but not its start.
    Fragment copy =
        new Fragment(
            0,
            List.of(
                new Operation.Read(0, A),
                new Operation.Combine(List.of(1), Matrix.of(1, 1, 2), List.of(0)),
                new Operation.Store(1, B)));
    int slice = 1 << 12;
    FragmentRunner runner = new FragmentRunner(lying(100), slice, new BufferPool(1 << 20));
    RecordingPorts ports = new RecordingPorts().give("read 0.0", random(10 * slice, 4));
    String message =
        String.valueOf(
            assertThrows(IOException.class, () -> runner.run(copy, 10L * slice, ports))
                .getMessage());
    assertTrue(message.contains("bytes 8192 to 12288 of 40960: the kernel is broken"), message);
  }

  /** A kernel that flips a bit of one byte of each output, or of all when place is negative. */
  private static Kernel lying(int place) {
    return new Kernel() {
      @Override
      public String name() {
        return "lying";
      }

      @Override
      public Pipeline pipeline(int buffers, List<PipelineStage> stages) {
        throw new UnsupportedOperationException();
      }

      @Override
      public Transform transform(Matrix coefficients) {
        Transform honest = Kernels.scalar().transform(coefficients);
        return new Transform() {
          @Override
          public int inputs() {
            return honest.inputs();
          }

          @Override
          public int outputs() {
            return honest.outputs();
          }

          @Override
          public void apply(ByteBuffer[] inputs, ByteBuffer[] outputs, int length) {
            honest.apply(inputs, outputs, length);
            for (ByteBuffer output : outputs) {
              for (int i = 0; i < length; i++) {
                if (i == place || place < 0) {
                  output.put(i, (byte) (output.get(i) ^ 4));
                }
              }
            }
          }
        };
      }
    };
  }

  @Test
  void deadValuesGiveTheirBuffersBack() {
    List<Operation> moves = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      moves.add(new Operation.Read(i, new SubBlock(i, 0)));
      moves.add(new Operation.Send(i, 100 + i, 1));
    }
    assertEquals(SLICE, runner().bufferBytes(new Fragment(0, moves), 1 << 30));
    assertEquals(30, runner().bufferBytes(new Fragment(0, moves), 30));

    ErasureCode code = Codes.named("rs-6-3");
    Fragment encoder =
        EncodePlanner.gather(
                code, IntStream.range(0, 6).toArray(), 0, IntStream.range(6, 9).toArray())
            .fragment(0);
    assertEquals(9 * SLICE, runner().bufferBytes(encoder, 1 << 30), "k inputs and m outputs");
  }

  @Test
  void aPoolThatIsTooSmallRefusesBeforeAnythingIsOpened() {
    BufferPool small = new BufferPool(2 * SLICE);
    RecordingPorts ports = ports();
    BusyException refused =
        assertThrows(
            BusyException.class,
            () -> new FragmentRunner(Kernels.scalar(), SLICE, small).run(MIDDLE, 250, ports));
    assertEquals(3 * SLICE, refused.needed());
    assertEquals(List.of(), ports.events);
  }

  @Test
  void theKernelIsLoadedForFragmentsThatComputeOnly() {
    List<String> loaded = new ArrayList<>();
    FragmentRunner runner = new FragmentRunner(loading(() -> loaded.add("once")), SLICE, pool);
    runner.loadKernel(
        new Fragment(
            0,
            List.of(
                new Operation.Receive(0, 3),
                new Operation.Combine(List.of(1), Matrix.of(1, 0), List.of()),
                new Operation.Store(0, A),
                new Operation.Store(1, B))));
    assertEquals(List.of(), loaded);
    runner.loadKernel(MIDDLE);
    assertEquals(List.of("once"), loaded);
  }

  /** A kernel that can be loaded only. */
  private static Kernel loading(Runnable load) {
    return new Kernel() {
      @Override
      public String name() {
        return "loading";
      }

      @Override
      public void load() {
        load.run();
      }

      @Override
      public Pipeline pipeline(int buffers, List<PipelineStage> stages) {
        throw new UnsupportedOperationException();
      }

      @Override
      public Transform transform(Matrix coefficients) {
        throw new UnsupportedOperationException();
      }
    };
  }

  @Test
  void refusesFragmentsThatAreNotWellFormed() {
    assertEquals(
        "fragment of node 7, operation 0 Send[value=3, stream=4, to=1]:"
            + " value 3 is not made by an earlier operation",
        refusal(new Operation.Send(3, 4, 1)));
    assertEquals(
        "fragment of node 7, operation 1 Receive[value=0, from=2]: value 0 is made twice",
        refusal(new Operation.Read(0, A), new Operation.Receive(0, 2)));
    String misfit =
        refusal(
            new Operation.Read(0, A),
            new Operation.Combine(List.of(1), Matrix.of(1, 2, 1, 1), List.of(0)));
    assertTrue(misfit.endsWith(": the matrix does not fit the values"), misfit);
  }

  private String refusal(Operation... ops) {
    return String.valueOf(
        assertThrows(
                IllegalArgumentException.class,
                () -> runner().run(new Fragment(7, List.of(ops)), 10, ports()))
            .getMessage());
  }
}
