package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.coordinator.throttle.Background;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.proto.BraidProtos.VerifyResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.cost.Network;
import org.braid.plan.throttle.Throttle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is to blame when a replica cannot be read back. */
final class SessionTest {
  private final FakeCluster cluster = new FakeCluster(5, 2);

  /** Reads a replica of node 0, whose worker answers with what is supplied, or fails with it. */
  private Workers.Verified verified(Supplier<Object> answers) throws IOException {
    BraidWorkerPB stub =
        (BraidWorkerPB)
            Proxy.newProxyInstance(
                SessionTest.class.getClassLoader(),
                new Class<?>[] {BraidWorkerPB.class, Closeable.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    return null;
                  }
                  Object answer = answers.get();
                  if (answer instanceof IOException failure) {
                    throw new ServiceException(failure);
                  }
                  return answer;
                });
    try (Workers workers = new Workers(node -> stub, 1000);
        Throttles throttles =
            new Throttles(() -> Throttle.NONE, (run, held) -> List.of(), 1e9, Ticker.SYSTEM)) {
      return session(workers, throttles).verified(cluster.look(), 0, new BlockIdentity(1, 1, 100));
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
}
