package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.code.SubBlock;
import org.braid.engine.SliceSource;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.hdfs.rpc.StreamSecurity;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.kernel.Kernels;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are busy, cancelled, badly asked, left alone or stopped. */
final class WorkerRunsTest {
  private static final int LENGTH = 900_000;

  /** Longer than the buffers of TCP; past a block's end there are zeros. */
  private static final long LONG = 64L << 20;

  private static final long MEMORY = 20 * WorkerFixture.SLICE;

  @TempDir static Path directory;
  static WorkerFixture fixture;
  private static final BlockProto[] BLOCKS = new BlockProto[3];
  private static final byte[][] CONTENTS = new byte[3][];
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  @BeforeAll
  static void start() throws IOException {
    fixture =
        WorkerFixture.start(
            directory,
            4,
            Map.of(
                BraidDataNodePlugin.MEMORY_KEY,
                Long.toString(MEMORY),
                StreamClient.TIMEOUT_KEY,
                "3000"));
    for (int i = 0; i < 3; i++) {
      CONTENTS[i] = WorkerFixture.bytes(new Random(i), LENGTH);
      BLOCKS[i] = fixture.write("/block" + i, i, CONTENTS[i]);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    fixture.close();
  }

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    go.countDown();
    for (int i = 0; i < 4; i++) {
      int node = i;
      if (fixture.cluster.runs(i)) {
        Await.until("node " + i + " to be idle", () -> fixture.ping(node).getRunning() == 0);
        assertEquals(0, fixture.ping(i).getMemoryUsed());
      }
    }
  }

  /** Node 0 sends to 1, that adds its own and sends to 2, that adds its own and sends to a root. */
  private static Plan line(int root) {
    Plan.Builder plan = Plan.builder("line");
    int value = plan.read(0, new SubBlock(0, 0));
    for (int node = 1; node < 3; node++) {
      int own = plan.read(node, new SubBlock(node, 0));
      value =
          plan.combine(
              node, List.of(new Step.Input(plan.send(value, node), 1), new Step.Input(own, 2)));
    }
    plan.store(plan.send(value, root), new SubBlock(3, 0));
    return plan.build();
  }

  private static StoreTarget nothing(SubBlock target) {
    BlockProto block = BLOCKS[0].toBuilder().setId(4711).build();
    return StoreTarget.rebuild(StripeCodec.of(block), 0, "CRC32C", 512);
  }

  private static ExecuteRequestProto.Builder request(int node, String run) {
    return fixture.request(line(3), node, run, LONG, i -> BLOCKS[i], WorkerRunsTest::nothing);
  }

  private static WorkerFixture.Results startLine(String run) throws IOException {
    return fixture.start(line(3), run, LONG, i -> BLOCKS[i], WorkerRunsTest::nothing);
  }

  /** Stops node 0's first read until the latch opens. */
  private void hold() {
    String name = fixture.node(0).getDisplayName();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_READ && detail.endsWith(name)) {
            reached.countDown();
            try {
              go.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw new IOException("interrupted while held", e);
            }
          }
        });
  }

  @Test
  void aWorkerTellsWhatItIsDoing() throws Exception {
    hold();
    Future<ExecuteResponseProto> result = fixture.execute(0, request(0, fixture.newRun()).build());
    assertTrue(reached.await(60, TimeUnit.SECONDS));
    PingResponseProto ping = fixture.ping(0);
    assertEquals(fixture.cluster.uuid(0), ping.getUuid());
    assertEquals(Kernels.active().name(), ping.getKernel());
    assertEquals(1, ping.getRunning());
    assertEquals(MEMORY, ping.getMemoryLimit());
    assertEquals(WorkerFixture.SLICE, ping.getMemoryUsed());
    go.countDown();
    assertTrue(
        WorkerFixture.failure(result).contains("nobody came for it within 3000 ms"),
        () -> WorkerFixture.failure(result));
  }

  private static long progress(String run) throws Exception {
    var worker = fixture.worker(0);
    PingResponseProto ping =
        Rpc.call(() -> worker.ping(null, PingRequestProto.newBuilder().setRun(run).build()));
    assertTrue(ping.hasProgress(), "else it passes for an older release's");
    return ping.getProgress();
  }

  /** By which a disk that hangs is told from one that is slow. */
  @Test
  void aWorkerTellsWhetherARunGoesOn() throws Exception {
    hold();
    String run = fixture.newRun();
    Future<ExecuteResponseProto> result = fixture.execute(0, request(0, run).build());
    assertTrue(reached.await(60, TimeUnit.SECONDS));
    long held = progress(run);
    assertTrue(held > 0, "it has begun");
    assertEquals(held, progress(run));
    assertEquals(0, progress(fixture.newRun()));
    go.countDown();
    WorkerFixture.failure(result);
    Await.until("it has ended", () -> progress(run) == 0);
  }

  @Test
  void refusesWhatDoesNotFitIntoMemory() throws Exception {
    hold();
    ExecuteRequestProto big =
        request(0, fixture.newRun()).setSlice(15 * WorkerFixture.SLICE).build();
    Future<ExecuteResponseProto> first = fixture.execute(0, big);
    assertTrue(reached.await(60, TimeUnit.SECONDS));
    Future<ExecuteResponseProto> second =
        fixture.execute(0, big.toBuilder().setRun(fixture.newRun()).build());
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> second.get(20, TimeUnit.SECONDS));
    RetriableException busy = assertInstanceOf(RetriableException.class, e.getCause());
    assertTrue(
        String.valueOf(busy.getMessage())
            .contains(
                " is busy: %d of %d bytes in use, %d more are needed"
                    .formatted(15 * WorkerFixture.SLICE, MEMORY, 15 * WorkerFixture.SLICE)),
        busy.getMessage());
    go.countDown();
    WorkerFixture.failure(first);
    ExecuteRequestProto huge =
        request(0, fixture.newRun()).setSlice(50 * WorkerFixture.SLICE).build();
    assertTrue(
        WorkerFixture.failure(fixture.execute(0, huge))
            .contains("needs buffers of " + 50 * WorkerFixture.SLICE + " bytes, the limit is "));
  }

  /** Its memory is less than the buffer with which others verify. */
  @Test
  void aWorkerWithLittleMemoryVerifiesReplicas() throws Exception {
    assertTrue(MEMORY < LENGTH, "all fits into its memory");
    assertEquals(WorkerFixture.crc(CONTENTS[0]), fixture.verify(0, BLOCKS[0]));
  }

  @Test
  void aCancelledRunEndsEverywhere() throws Exception {
    hold();
    String run = fixture.newRun();
    var results = startLine(run);
    assertTrue(reached.await(60, TimeUnit.SECONDS));
    for (int i = 0; i < 4; i++) {
      var worker = fixture.worker(i);
      Rpc.call(() -> worker.cancel(null, CancelRequestProto.newBuilder().setRun(run).build()));
    }
    for (Future<ExecuteResponseProto> result : results.byNode().values()) {
      assertTrue(WorkerFixture.failure(result).contains("run " + run + " was cancelled"));
    }
    assertTrue(
        WorkerFixture.failure(fixture.execute(0, request(0, run).build()))
            .contains("was cancelled"));
    assertEquals(List.of(), fixture.filesOf(3, BLOCKS[0].toBuilder().setId(4711).build()));
  }

  @Test
  void badRequestsAreRefusedWithTheReason() throws Exception {
    assertRefused("peer", r -> r.clearPeers(), "it receives from node 0 but names only peers []");
    assertRefused("slice", r -> r.setSlice(0), "a slice has 1 to 16777216 bytes, not 0");
    assertRefused("length", r -> r.setLength(-1), "values cannot have -1 bytes");
    assertRefused(
        "coefficients",
        r -> {
          for (int i = 0; i < r.getOpsCount(); i++) {
            if (r.getOps(i).hasCombine()) {
              r.getOpsBuilder(i)
                  .getCombineBuilder()
                  .clearCoefficients()
                  .setCoefficients(
                      org.apache.hadoop.thirdparty.protobuf.ByteString.copyFrom(new byte[3]));
            }
          }
          return r;
        },
        "3 coefficients given for 1 outputs of 2 inputs");
    assertRefused("empty", r -> r.addOps(OpProto.getDefaultInstance()), "of 0 known kinds");
    assertRefused("order", r -> r.addOps(0, r.getOps(r.getOpsCount() - 1)), "before it is made");
    assertRefused("twice", r -> r.addOps(r.getOps(0)), "a second time");
    assertRefused(
        "offset",
        r -> {
          for (int i = 0; i < r.getOpsCount(); i++) {
            if (r.getOps(i).hasRead()) {
              r.getOpsBuilder(i).getReadBuilder().setOffset(-5);
            }
          }
          return r;
        },
        "a read cannot start at offset -5");
  }

  private static void assertRefused(
      String what, UnaryOperator<ExecuteRequestProto.Builder> change, String message)
      throws IOException {
    ExecuteRequestProto bad = change.apply(request(1, fixture.newRun())).build();
    String found = WorkerFixture.failure(fixture.execute(1, bad));
    assertTrue(found.contains("bad request: ") && found.contains(message), what + ": " + found);
    assertFalse(found.contains("\tat "), found);
  }

  @Test
  void aNodeRunsItsPartOnce() throws Exception {
    hold();
    ExecuteRequestProto request = request(0, fixture.newRun()).build();
    Future<ExecuteResponseProto> first = fixture.execute(0, request);
    assertTrue(reached.await(60, TimeUnit.SECONDS));
    String message = WorkerFixture.failure(fixture.execute(0, request));
    assertTrue(message.contains("node 0 of run " + request.getRun() + " is running"), message);
    go.countDown();
    WorkerFixture.failure(first);
  }

  @Test
  void aReceiverLearnsWhyItsSenderFailed() throws Exception {
    BlockProto older = BLOCKS[0].toBuilder().setGeneration(1).build();
    String run = fixture.newRun();
    var results =
        fixture.start(
            line(3), run, LENGTH, i -> i == 0 ? older : BLOCKS[i], WorkerRunsTest::nothing);
    for (int i = 0; i < 4; i++) {
      String message = results.failure(i);
      assertTrue(message.contains("the block was changed"), i + ": " + message);
      assertTrue(message.contains(fixture.node(0).getDisplayName()), i + ": " + message);
    }
    // Even one that comes late.
    Plan plan = line(3);
    int stream =
        plan.fragment(1).ops().stream()
            .filter(op -> op instanceof org.braid.plan.Operation.Receive)
            .map(op -> ((org.braid.plan.Operation.Receive) op).value())
            .findFirst()
            .orElseThrow();
    try (SliceSource late = open(0, run, stream)) {
      IOException e = assertThrows(IOException.class, () -> late.read(0, ByteBuffer.allocate(100)));
      assertTrue(String.valueOf(e.getMessage()).contains("the block was changed"), e.getMessage());
    }
  }

  private static SliceSource open(int node, String run, int stream) throws IOException {
    return StreamClient.open(
        fixture.configuration(),
        "127.0.0.1",
        fixture.ping(node).getStreamPort(),
        run,
        stream,
        LENGTH,
        StreamSecurity.none());
  }

  @Test
  void aStreamThatNobodySendsOrTakesFails() throws Exception {
    try (SliceSource source = open(0, fixture.newRun(), 5)) {
      IOException e =
          assertThrows(IOException.class, () -> source.read(0, ByteBuffer.allocate(100)));
      assertTrue(
          String.valueOf(e.getMessage()).startsWith("stream 5 of 900000 bytes from rack0-node0"),
          e.getMessage());
      assertTrue(
          String.valueOf(e.getMessage()).endsWith("it was not sent within 3000 ms"),
          e.getMessage());
    }
  }

  /** A receiver in this JVM that takes the first slice and then nothing more. */
  @Test
  void aReceiverThatStopsReadingDoesNotHoldTheSender() throws Exception {
    String run = fixture.newRun();
    Plan.Builder plan = Plan.builder("big");
    int sent = plan.send(plan.read(0, new SubBlock(0, 0)), 1);
    plan.store(sent, new SubBlock(0, 0));
    ExecuteRequestProto request =
        fixture
            .request(plan.build(), 0, run, LONG, i -> BLOCKS[i], WorkerRunsTest::nothing)
            .build();
    Future<ExecuteResponseProto> result = fixture.execute(0, request);
    try (SliceSource source =
        StreamClient.open(
            fixture.configuration(),
            "127.0.0.1",
            fixture.ping(0).getStreamPort(),
            run,
            sent,
            LONG,
            StreamSecurity.none())) {
      ByteBuffer first = ByteBuffer.allocate(1000);
      source.read(0, first);
      assertEquals(CONTENTS[0][999], first.get(999));
      String message = WorkerFixture.failure(result);
      assertTrue(message.contains("connection lost after"), message);
    }
  }

  @Test
  void aStoppedWorkerFailsTheRunAtTheOthers() throws Exception {
    hold();
    String run = fixture.newRun();
    var results = startLine(run);
    assertTrue(reached.await(60, TimeUnit.SECONDS));
    // All have started; node 2 goes down while it waits for node 1, which waits for node 0.
    Await.until("node 3 to run", () -> fixture.ping(3).getRunning() == 1);
    Await.until("node 1 to run", () -> fixture.ping(1).getRunning() == 1);
    fixture.cluster.stopNode(2);
    assertTrue(results.failure(3).contains("stream"));
    go.countDown();
    assertTrue(results.failure(1).contains("stream"));
    assertTrue(results.failure(0).contains("stream"));
    results.failure(2);
    assertEquals(List.of(), fixture.filesOf(3, BLOCKS[0].toBuilder().setId(4711).build()));
    fixture.cluster.startNode(2);
    fixture.cluster.awaitNodes();
    fixture.forget(2);
    assertEquals(0, fixture.ping(2).getRunning());
  }
}
