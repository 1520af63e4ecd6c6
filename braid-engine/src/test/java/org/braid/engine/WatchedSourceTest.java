package org.braid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.kernel.Kernels;
import org.braid.plan.Fragment;
import org.braid.plan.Operation;
import org.junit.jupiter.api.Test;

final class WatchedSourceTest {
  private static final SubBlock TARGET = new SubBlock(1, 0);

  /** Receives a stream and stores twice its bytes, as the root of a degraded read does. */
  private static final Fragment ROOT =
      new Fragment(
          4,
          List.of(
              new Operation.Receive(0, 3),
              new Operation.Combine(List.of(1), Matrix.of(1, 1, 2), List.of(0)),
              new Operation.Store(1, TARGET)));

  private final List<String> heard = new ArrayList<>();
  private final RecordingPorts recording = new RecordingPorts().give("receive 0", new byte[250]);

  /** The ports of the root, whose streams are watched. */
  private final Ports watched =
      new Ports() {
        @Override
        public SliceSource read(SubBlock source) throws IOException {
          return recording.read(source);
        }

        @Override
        public SliceSource receive(int stream, int from) throws IOException {
          return watch(recording.receive(stream, from));
        }

        @Override
        public SliceSink send(int stream, int to) throws IOException {
          return recording.send(stream, to);
        }

        @Override
        public SliceSink store(SubBlock target) throws IOException {
          return recording.store(target);
        }
      };

  private WatchedSource watch(SliceSource source) {
    return new WatchedSource(
        source,
        new WatchedSource.Watcher() {
          @Override
          public void waiting() {
            heard.add("waiting");
          }

          @Override
          public void arrived() {
            heard.add("arrived");
          }

          @Override
          public void failed(IOException cause) {
            heard.add("failed: " + cause.getMessage());
          }
        });
  }

  private FragmentResult run() throws IOException {
    return new FragmentRunner(Kernels.scalar(), 200, new BufferPool(1000)).run(ROOT, 250, watched);
  }

  @Test
  void eachSliceAndTheEndAreWaitedFor() throws IOException {
    run();
    assertEquals(List.of("waiting", "arrived", "waiting", "arrived", "waiting", "arrived"), heard);
    assertEquals(
        List.of("finish receive 0", "finish store 1.0", "close receive 0", "close store 1.0"),
        recording.events.subList(recording.events.size() - 4, recording.events.size()));
  }

  /** A sender that gives up after its last byte: nothing of what it sent is published. */
  @Test
  void aLateAbortReachesTheReader() {
    recording.failAt("finish receive 0");
    String message = String.valueOf(assertThrows(IOException.class, this::run).getMessage());
    assertEquals(
        "node 4, Receive[value=0, from=3]: cannot finish 250 bytes: no finish receive 0", message);
    assertEquals(List.of("waiting", "failed: no finish receive 0"), heard.subList(4, 6));
    assertEquals(
        List.of(), recording.events.stream().filter(e -> e.startsWith("finish store")).toList());
  }

  @Test
  void aFailedReadIsHeard() throws IOException {
    recording.failAt("0 receive 0");
    try (WatchedSource source = watch(recording.receive(0, 3))) {
      assertThrows(IOException.class, () -> source.read(0, ByteBuffer.allocate(10)));
    }
    assertEquals(List.of("waiting", "failed: no 0 receive 0"), heard);
  }
}
