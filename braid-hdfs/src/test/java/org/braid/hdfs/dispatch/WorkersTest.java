package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.stripe.Datanode;
import org.junit.jupiter.api.Test;

/** Connections to workers. */
final class WorkersTest {
  private static Datanode node(String blockPool) {
    return Datanode.builder("u")
        .host("h")
        .ip("127.0.0.1")
        .ipcPort(1)
        .transferPort(2)
        .rack("/r")
        .blockPool(blockPool)
        .build();
  }

  private static Datanode numbered(int i) {
    return Datanode.builder("u" + i)
        .host("h" + i)
        .ip("127.0.0.1")
        .ipcPort(i)
        .transferPort(2)
        .rack("/r")
        .blockPool("")
        .build();
  }

  /** Of a cluster of thousands of nodes not all are asked at once: each call has its threads. */
  @Test
  void manyNodesAreAskedSomeAtATime() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Workers.Stubs stubs =
        node ->
            stub(
                () -> {
                  most.accumulateAndGet(now.incrementAndGet(), Math::max);
                  Thread.sleep(1);
                  now.decrementAndGet();
                  return node.ipcPort() % 100 == 7 ? "another" : node.uuid();
                });
    try (Workers workers = new Workers(stubs, 60_000)) {
      Workers.Answers answers =
          workers.ping(IntStream.range(0, 1000).mapToObj(i -> numbered(i)).toList());
      assertEquals(990, answers.reached().size());
      assertEquals(10, answers.unreached().size());
      assertTrue(most.get() <= Workers.AT_ONCE, most.get() + " at once");
    }
  }

  /** Those that are asked later do not lose their time to those that were silent before. */
  @Test
  void eachNodeHasItsOwnTimeToAnswer() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    Workers.Stubs stubs =
        node ->
            stub(
                () -> {
                  if (node.ipcPort() < 2 * Workers.AT_ONCE) {
                    over.await();
                  }
                  return node.uuid();
                });
    try (Workers workers = new Workers(stubs, 300)) {
      List<Datanode> nodes =
          IntStream.range(0, 3 * Workers.AT_ONCE).mapToObj(i -> numbered(i)).toList();
      Workers.Answers answers = workers.ping(nodes);
      assertEquals(2 * Workers.AT_ONCE, answers.unreached().size());
      assertEquals(Workers.AT_ONCE, answers.reached().size());
    } finally {
      over.countDown();
    }
  }

  /** One that is busy answers later; one that refuses the connection is gone. */
  @Test
  void whoDoesNotAnswerInTimeIsToldFromWhoRefuses() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    Workers.Stubs stubs =
        node ->
            switch (node.ipcPort()) {
              case 0 ->
                  stub(
                      () -> {
                        over.await();
                        return node.uuid();
                      });
              case 1 -> throw new ConnectException("Connection refused");
              case 2 -> throw new SocketTimeoutException("2000 millis timeout");
              default -> stub(node::uuid);
            };
    try (Workers workers = new Workers(stubs, 2000)) {
      Workers.Answers answers =
          workers.ping(IntStream.range(0, 4).mapToObj(i -> numbered(i)).toList());
      assertEquals(Set.of("u3"), answers.reached().keySet());
      assertEquals(Set.of("u0", "u1", "u2"), answers.unreached().keySet());
      assertEquals(Set.of("u0", "u2"), answers.late());
    } finally {
      over.countDown();
    }
  }

  private static BraidWorkerPB stub(Callable<String> uuid) {
    return (BraidWorkerPB)
        Proxy.newProxyInstance(
            WorkersTest.class.getClassLoader(),
            new Class<?>[] {BraidWorkerPB.class, Closeable.class},
            (proxy, method, arguments) ->
                method.getName().equals("close")
                    ? null
                    : PingResponseProto.newBuilder()
                        .setUuid(uuid.call())
                        .setStreamPort(1)
                        .buildPartial());
  }

  /** A client of a router reads blocks of several pools from the same DataNodes. */
  @Test
  void aNodeHasAWorkerForEachOfItsBlockPools() throws Exception {
    BraidWorkerPB answers = stub(() -> "u");
    try (Workers workers = new Workers(any -> answers, 10_000)) {
      for (String pool : List.of("BP-1", "BP-2", "BP-1")) {
        Worker reached = workers.reach(List.of(node(pool))).reached().get("u");
        assertEquals(pool, reached.node().blockPool());
      }
    }
  }
}
