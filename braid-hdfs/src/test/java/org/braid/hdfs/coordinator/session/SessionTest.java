package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.coordinator.throttle.Background;
import org.braid.hdfs.coordinator.throttle.GaveWayException;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.HdfsEngine;
import org.braid.hdfs.engine.HdfsJob;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.proto.BraidProtos.CancelResponseProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.time.FakeTicker;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.throttle.Throttle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is to blame when a replica cannot be read back. */
final class SessionTest {
  private final FakeCluster cluster = new FakeCluster(5, 2);
  private final FakeTicker ticker = new FakeTicker();

  /** A worker that answers calls with what is told, or fails with it. */
  private static BraidWorkerPB worker(Function<String, @Nullable Object> answers) {
    return (BraidWorkerPB)
        Proxy.newProxyInstance(
            SessionTest.class.getClassLoader(),
            new Class<?>[] {BraidWorkerPB.class, Closeable.class},
            (proxy, method, arguments) -> {
              Object answer = answers.apply(method.getName());
              if (answer instanceof IOException failure) {
                throw new ServiceException(failure);
              }
              return answer;
            });
  }

  /** Reads a replica of node 0, whose worker answers with what is supplied, or fails with it. */
  private Workers.Verified verified(Supplier<Object> answers) throws IOException {
    return verified(Background.CONVERSION, answers);
  }

  private Workers.Verified verified(Background work, Supplier<Object> answers) throws IOException {
    BraidWorkerPB stub = worker(method -> method.equals("close") ? null : answers.get());
    try (Workers workers = new Workers(node -> stub, 1000);
        Throttles throttles =
            new Throttles(() -> Throttle.NONE, (run, held) -> List.of(), 1e9, ticker)) {
      return session(workers, throttles)
          .with(work)
          .verified(cluster.look(), 0, new BlockIdentity(1, 1, 100));
    }
  }

  @SuppressWarnings("NullAway") // what a read does not touch
  private static Session session(Workers workers, Throttles throttles) {
    return new Session(
        null,
        null,
        workers,
        "lease",
        null,
        null,
        1 << 20,
        512,
        Network.Rates.DEFAULT,
        throttles,
        Background.CONVERSION);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNodeThatStopsOrDoesNotAnswerIsBlamed(boolean answers) {
    PlanFailedException e =
        assertThrows(
            PlanFailedException.class,
            () ->
                verified(
                    () ->
                        answers
                            ? new IOException("DataNode r0n0 is stopping")
                            : new ConnectTimeoutException("3000 millis timeout")));
    assertEquals(Set.of(0), e.culprits().keySet());
  }

  @Test
  void whoIsInterruptedBlamesNobody() {
    assertThrows(
        InterruptedIOException.class, () -> verified(() -> new InterruptedIOException("stop")));
  }

  /** It would read the whole replica for nobody, beside the one that is begun anew. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatNobodyWaitsForEndsAtItsWorker(boolean interrupted) throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    BraidWorkerPB stub =
        worker(
            method -> {
              if (method.equals("cancel")) {
                cancelled.countDown();
                return CancelResponseProto.getDefaultInstance();
              }
              return method.equals("close")
                  ? null
                  : interrupted
                      ? new InterruptedIOException("stop")
                      : new SocketTimeoutException("60000 millis timeout");
            });
    try (Workers workers = new Workers(node -> stub, 1000);
        Throttles throttles =
            new Throttles(() -> Throttle.NONE, (run, held) -> List.of(), 1e9, ticker)) {
      Session session = session(workers, throttles);
      assertThrows(
          IOException.class,
          () -> session.verified(cluster.look(), 0, new BlockIdentity(1, 1, 100)));
      assertTrue(cancelled.await(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void aBusyWorkerIsAskedAgainAndNotBlamed() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Workers.Verified read =
        verified(
            () ->
                asked.incrementAndGet() < 3
                    ? new RetriableException("no buffers")
                    : VerifyResponseProto.newBuilder().setCrc32C(7).build());
    assertEquals(7, read.crc());
    PlanFailedException e =
        assertThrows(
            PlanFailedException.class, () -> verified(() -> new RetriableException("no buffers")));
    assertEquals(Set.of(), e.failed());
    assertEquals(Set.of(0), e.busy());
  }

  @Test
  void aPauseEndsWhenTheWorkIsGivenUp() throws Exception {
    try (Workers workers = new Workers(node -> worker(method -> null), 1000);
        Throttles throttles =
            new Throttles(() -> Throttle.NONE, (run, held) -> List.of(), 1e9, ticker)) {
      Session session = session(workers, throttles);
      long since = ticker.millis();
      session.pause(1000);
      assertEquals(1000, ticker.millis() - since);
      Background halted = Background.CONVERSION.until(() -> ticker.millis() >= since + 1250);
      assertThrows(GaveWayException.class, () -> session.with(halted).pause(10_000));
      assertTrue(ticker.millis() - since < 1500, "it looks again soon");
    }
  }

  /** The end of a stripe's repair is awaited when no more are begun: a busy worker ends none. */
  @Test
  void aBusyWorkerIsAskedAgainAlsoWhenNoMoreWorkIsBegun() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Workers.Verified read =
        verified(
            Background.CONVERSION.until(() -> true),
            () ->
                asked.incrementAndGet() < 3
                    ? new RetriableException("no buffers")
                    : VerifyResponseProto.newBuilder().setCrc32C(7).build());
    assertEquals(7, read.crc());
  }

  /** Other runs have its memory for a moment: no node is left out, and no copy is read again. */
  @Test
  void aPlanWhoseWorkersAreBusyIsRunAgainBeforeAnyIsBlamed() {
    AtomicInteger runs = new AtomicInteger();
    Workers.Stubs stubs =
        node ->
            worker(
                method ->
                    switch (method) {
                      case "ping" ->
                          PingResponseProto.newBuilder()
                              .setUuid(node.uuid())
                              .setStreamPort(1)
                              .setKernel("scalar")
                              .setRunning(0)
                              .setMemoryLimit(1)
                              .setMemoryUsed(1)
                              .build();
                      case "execute" -> {
                        runs.incrementAndGet();
                        yield new RemoteException(RetriableException.class.getName(), "no buffers");
                      }
                      case "cancel" -> CancelResponseProto.getDefaultInstance();
                      default -> null;
                    });
    Plan copy = RelocationPlanner.move(0, 1, 0, 1);
    PlanFailedException once =
        assertThrows(
            PlanFailedException.class,
            () -> {
              try (Workers workers = new Workers(stubs, 1000)) {
                HdfsJob job =
                    new HdfsJob(
                        copy,
                        cluster.look(),
                        CellLayout.whole(100),
                        100,
                        100,
                        source -> new ReadSource(new BlockIdentity(1, 1, 100), 0),
                        stored -> StoreTarget.parity("/p"));
                var unused = new HdfsEngine(workers).prepare(job).run();
              }
            });
    assertTrue(once.isBusy(), once + " " + once.silent() + " " + once.busy());
    runs.set(0);
    long since = ticker.millis();
    PlanFailedException lasting =
        assertThrows(
            PlanFailedException.class,
            () -> {
              try (Workers workers = new Workers(stubs, 1000);
                  Throttles throttles =
                      new Throttles(() -> Throttle.NONE, (run, held) -> List.of(), 1e9, ticker)) {
                var unused =
                    session(workers, throttles)
                        .with(Background.CONVERSION.until(() -> runs.get() >= 1))
                        .run(
                            copy,
                            cluster.look(),
                            Map.of(0, new BlockIdentity(1, 1, 100)),
                            CellLayout.whole(100),
                            stored -> StoreTarget.parity("/p"),
                            new TrafficMeter());
              }
            });
    assertTrue(runs.get() >= 5, "runs of a fragment: " + runs);
    assertEquals(1500, ticker.millis() - since, "pauses of 100, 200, 400 and 800 ms");
    assertEquals(lasting.busy(), lasting.culprits().keySet());
  }
}
