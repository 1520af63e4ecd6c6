package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BraidWorkerService;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PaceRequestProto;
import org.braid.hdfs.proto.BraidProtos.PinRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.ScrubRequestProto;
import org.braid.hdfs.proto.BraidProtos.StoreOpProto;
import org.braid.hdfs.proto.BraidProtos.SubBlockProto;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A worker that does not answer, or does not go on, keeps nobody waiting for ever. */
final class WorkerStubTest {
  private static final WorkerStub.Timeouts TIMEOUTS = new WorkerStub.Timeouts(300, 200, 200, 50);

  private static final BlockProto BLOCK =
      BlockProto.newBuilder().setId(1).setGeneration(2).setLength(5000).build();

  private static final ExecuteRequestProto FRAGMENT =
      ExecuteRequestProto.newBuilder()
          .setRun("run")
          .setNode(0)
          .setLength(5000)
          .setSlice(512)
          .build();

  /** A request of each call, and of those that take another way by what they ask. */
  private static final List<Message> REQUESTS =
      List.of(
          PingRequestProto.getDefaultInstance(),
          FRAGMENT,
          VerifyRequestProto.newBuilder().setBlock(BLOCK).build(),
          VerifyRequestProto.newBuilder().setBlock(BLOCK).setRun("run").build(),
          ScrubRequestProto.newBuilder().setBlock(BLOCK).setCrc32C(0).setRate(100_000).build(),
          ChecksumRequestProto.newBuilder().setBlock(BLOCK).build(),
          SyncRequestProto.newBuilder().addBlocks(BLOCK).build(),
          PinRequestProto.newBuilder().addBlocks(BLOCK).setPinned(true).build(),
          CancelRequestProto.newBuilder().setRun("run").build(),
          PaceRequestProto.getDefaultInstance());

  static Stream<Arguments> calls() {
    return BraidWorkerService.getDescriptor().getMethods().stream()
        .flatMap(
            method -> {
              List<Message> requests =
                  REQUESTS.stream()
                      .filter(other -> other.getDescriptorForType().equals(method.getInputType()))
                      .toList();
              assertTrue(!requests.isEmpty(), "no request of " + method.getName());
              return requests.stream().map(request -> Arguments.of(method, request));
            });
  }

  /** A coordinator has a stub for each of thousands of DataNodes. */
  @Test
  void allWorkersShareOneConfiguration() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Configuration conf = new Configuration();
    IntStream.range(0, 10_000).forEach(i -> conf.set("test.property." + i, "a value"));
    long before = threads.getCurrentThreadAllocatedBytes();
    var unused = new Configuration(conf);
    long copy = threads.getCurrentThreadAllocatedBytes() - before;
    before = threads.getCurrentThreadAllocatedBytes();
    Rpc.WorkerStubs workers = Rpc.workers(conf, TIMEOUTS);
    long none = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(none < copy / 4, none + " bytes before there is a stub");
    Rpc.stop(workers.at("127.0.0.1", 1, "BP-1"));
    before = threads.getCurrentThreadAllocatedBytes();
    Rpc.stop(workers.at("127.0.0.1", 2, "BP-1"));
    long stub = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(stub < copy / 4, stub + " bytes for a stub, " + copy + " for a configuration");
  }

  /** As one that is stopped: the kernel takes its connections. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void noCallOfASilentProcessWaitsForEver(MethodDescriptor method, Message request)
      throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      BraidWorkerPB stub =
          Rpc.workers(new Configuration(), TIMEOUTS).at("127.0.0.1", silent.getLocalPort(), "BP-1");
      try {
        ServiceException late =
            assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () ->
                    assertThrows(
                        ServiceException.class,
                        () ->
                            BraidWorkerService.newReflectiveBlockingService(stub)
                                .callBlockingMethod(method, null, request)));
        assertInstanceOf(SocketTimeoutException.class, late.getCause());
        String worker = "worker 127.0.0.1:" + silent.getLocalPort() + ": ";
        assertTrue(late.getCause().getMessage().startsWith(worker), late.getCause().getMessage());
      } finally {
        Rpc.stop(stub);
      }
    }
  }

  /** A worker that answers pings, and whose other calls wait for it. */
  private static final class Hanging {
    final AtomicInteger pings = new AtomicInteger();
    final CountDownLatch interrupted = new CountDownLatch(1);
    final BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();

    WorkerStub stub(int ends, IntFunction<PingResponseProto> answers) {
      CountDownLatch left = new CountDownLatch(ends);
      BraidWorkerPB worker =
          (BraidWorkerPB)
              Proxy.newProxyInstance(
                  WorkerStubTest.class.getClassLoader(),
                  new Class<?>[] {BraidWorkerPB.class},
                  (proxy, method, arguments) -> {
                    if (arguments[1] instanceof PingRequestProto ping) {
                      assertEquals("run", ping.getRun());
                      left.countDown();
                      return answers.apply(pings.incrementAndGet());
                    }
                    if (arguments[1] instanceof CancelRequestProto cancel) {
                      cancelled.add(cancel.getRun());
                      return null;
                    }
                    try {
                      left.await();
                      return ExecuteResponseProto.getDefaultInstance();
                    } catch (InterruptedException e) {
                      interrupted.countDown();
                      throw new IllegalStateException(e);
                    }
                  });
      return new WorkerStub(worker, "w", "", TIMEOUTS);
    }
  }

  private static PingResponseProto.Builder ping() {
    return PingResponseProto.newBuilder();
  }

  @Test
  void aFragmentWhoseDiskHangsIsGivenUpAndCancelled() throws Exception {
    Hanging worker = new Hanging();
    WorkerStub stub = worker.stub(1000, n -> ping().setProgress(7).buildPartial());
    ServiceException late =
        assertThrows(ServiceException.class, () -> stub.execute(null, FRAGMENT));
    assertEquals("worker w: a fragment has not gone on for 202 ms", late.getCause().getMessage());
    assertEquals("run", worker.cancelled.poll(10, TimeUnit.SECONDS));
    assertTrue(worker.interrupted.await(10, TimeUnit.SECONDS), "its thread is free again");
  }

  /** Several parities of a stripe, one after the other. */
  @Test
  void aFragmentHasTimeForAllThatItForcesToDisk() {
    StoreOpProto.Builder store =
        StoreOpProto.newBuilder()
            .setValue(0)
            .setTarget(SubBlockProto.newBuilder().setBlock(4).setIndex(0));
    ExecuteRequestProto stores =
        FRAGMENT.toBuilder()
            .addOps(OpProto.newBuilder().setStore(store))
            .addOps(OpProto.newBuilder().setStore(store))
            .build();
    WorkerStub stub = new Hanging().stub(1000, n -> ping().setProgress(7).buildPartial());
    ServiceException late = assertThrows(ServiceException.class, () -> stub.execute(null, stores));
    assertEquals("worker w: a fragment has not gone on for 207 ms", late.getCause().getMessage());
  }

  static List<IntFunction<PingResponseProto>> signs() {
    return List.of(
        n -> ping().setProgress(n).buildPartial(),
        n -> ping().setProgress(7).setWaitsFor(3).buildPartial(),
        n -> ping().buildPartial());
  }

  /** Also one that waits for another, or of a worker that does not tell progress yet. */
  @ParameterizedTest
  @MethodSource("signs")
  void aFragmentThatGoesOnMayTakeAsLongAsItDoes(IntFunction<PingResponseProto> answers)
      throws Exception {
    Hanging worker = new Hanging();
    // Twice as many looks as one that stands still has.
    int looks = 2 * (int) (TIMEOUTS.stall() / TIMEOUTS.look()) + 2;
    assertEquals(
        ExecuteResponseProto.getDefaultInstance(),
        worker.stub(looks, answers).execute(null, FRAGMENT));
    assertTrue(worker.pings.get() >= looks);
    assertTrue(worker.cancelled.isEmpty());
  }
}
