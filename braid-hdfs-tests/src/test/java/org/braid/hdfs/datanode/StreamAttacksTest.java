package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.StreamRequestProto;
import org.braid.hdfs.proto.BraidProtos.StreamStatusProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Attacks on the streams of workers, and on the runs whose names ask for them. */
final class StreamAttacksTest extends WorkerAttacks {
  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.peer(0).getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  @Test
  void silentConnectionsKeepNobodyAway() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 1200; i++) {
        silent.add(connect());
      }
      long begun = System.nanoTime();
      copyAsSuperuser();
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
      assertTrue(seconds < 15, seconds + " s");
      assertEquals(-1, silent.get(0).getInputStream().read(), "the oldest is sent away");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void aSilentConnectionIsSoonClosed() throws Exception {
    try (Socket silent = connect()) {
      assertEquals(-1, silent.getInputStream().read());
    }
  }

  @Test
  void aStreamThatIsAnnouncedAsHugeTakesNoMemory() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(new byte[] {-1, -1, -1, -1, 0x07});
      assertEquals(-1, socket.getInputStream().read());
    }
  }

  @Test
  void garbageOnAStreamEndsIt() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      try (Socket socket = connect()) {
        byte[] garbage = WorkerFixture.bytes(new Random(seed), 2000);
        garbage[0] = (byte) ((garbage[0] & 0x7f) | 1);
        try {
          socket.getOutputStream().write(garbage);
          socket.shutdownOutput();
          StreamStatusProto answer = StreamStatusProto.parseDelimitedFrom(socket.getInputStream());
          assertTrue(answer == null || answer.hasError(), "an answer to garbage");
        } catch (IOException e) {
          assertTrue(String.valueOf(e.getMessage()).matches(".*(reset|[Bb]roken).*"), e.toString());
        }
      }
    }
    copyAsSuperuser();
  }

  @Test
  void aStreamIsNotGivenToWhoGuessesItsRun() throws Exception {
    LogCapturer streams = LogCapturer.captureLogs(LoggerFactory.getLogger(StreamServer.class));
    try (Socket socket = connect()) {
      StreamRequestProto.newBuilder()
          .setRun("%032x".formatted(4711))
          .setStream(0)
          .build()
          .writeDelimitedTo(socket.getOutputStream());
      StreamStatusProto answer = StreamStatusProto.parseDelimitedFrom(socket.getInputStream());
      assertTrue(answer.getError().contains("it was not sent within"), answer.toString());
      String said = "refused a stream to /127.0.0.1:" + socket.getLocalPort() + ": it was not sent";
      assertTrue(streams.getOutput().contains(said), streams.getOutput());
    } finally {
      streams.stopCapturing();
    }
  }

  @Test
  void aRunOfOthersIsNotCancelledByWhoGuessesItsName() throws Exception {
    for (int i = 0; i < 2000; i++) {
      CancelRequestProto guess =
          CancelRequestProto.newBuilder().setRun("%032x".formatted(1_000_000 + i)).build();
      Rpc.call(() -> worker.cancel(null, guess));
    }
    copyAsSuperuser();
  }

  /** What was cancelled before its fragments came must not start when they come late. */
  @Test
  void namesOfCancelledRunsArePushedOutByNobodyElse() throws Exception {
    ExecuteRequestProto late = storing(StoreTarget.parity("/late"));
    BraidWorkerPB superusers = fixture.worker(0);
    Rpc.call(
        () ->
            superusers.cancel(null, CancelRequestProto.newBuilder().setRun(late.getRun()).build()));
    for (int i = 0; i < 2000; i++) {
      CancelRequestProto other =
          CancelRequestProto.newBuilder().setRun("%032x".formatted(2_000_000 + i)).build();
      Rpc.call(() -> worker.cancel(null, other));
    }
    IOException e =
        assertThrows(IOException.class, () -> Rpc.call(() -> superusers.execute(null, late)));
    assertEquals("run " + late.getRun() + " was cancelled", e.getMessage());
  }

  /** What names a run or a DataNode is remembered by workers, whoever says it. */
  @Test
  void longNamesTakeNoMemory() throws Exception {
    long before = usedMemory();
    for (int i = 0; i < 16; i++) {
      String name = i + "x".repeat(4 << 20);
      refusedOrNot(() -> worker.cancel(null, CancelRequestProto.newBuilder().setRun(name).build()));
      ExecuteRequestProto named = reading(own, bytes(token)).setRun(name).setSlice(0).build();
      refusedOrNot(() -> worker.execute(null, named));
      PeerProto peer = fixture.peer(1).toBuilder().setUuid(name).build();
      ExecuteRequestProto receiving = receivingFrom(peer);
      refusedOrNot(() -> worker.execute(null, receiving));
      log.clearOutput();
    }
    // Calls that have ended, and what was freed meanwhile, are not all collected at once.
    Await.until(
        "fewer than 32 MiB to be kept of 192 MiB of names",
        () -> (usedMemory() - before) >> 20,
        kept -> kept < 32);
  }

  private static void refusedOrNot(Rpc.Call<?> call) {
    try {
      Rpc.call(call);
    } catch (IOException e) {
      assertTrue(String.valueOf(e.getMessage()).length() < 1000, "a long answer to a long name");
    }
  }

  private static long usedMemory() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void noLineOfTheLogIsForged() throws Exception {
    String run = "4711\n2026-11-26 12:00:00,000 INFO forged: by eve";
    refusedOrNot(() -> worker.cancel(null, CancelRequestProto.newBuilder().setRun(run).build()));
    LogCapturer streams = LogCapturer.captureLogs(LoggerFactory.getLogger(StreamServer.class));
    try (Socket socket = connect()) {
      StreamRequestProto.newBuilder()
          .setRun(run)
          .setStream(0)
          .build()
          .writeDelimitedTo(socket.getOutputStream());
      StreamStatusProto answer = StreamStatusProto.parseDelimitedFrom(socket.getInputStream());
      assertTrue(answer.hasError(), "a stream of a run that never was");
      assertFalse(streams.getOutput().contains("\n2026-11-26 12:00:00,000"), streams.getOutput());
    } finally {
      streams.stopCapturing();
    }
  }
}
