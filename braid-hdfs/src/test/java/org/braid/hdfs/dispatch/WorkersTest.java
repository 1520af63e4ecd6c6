package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Datanode;
import org.junit.jupiter.api.Test;

/** A disk that hangs ends no caller's work. */
final class WorkersTest {
  private static final BlockIdentity BLOCK = new BlockIdentity(1, 2, 5000);

  @Test
  void aDiskThatHangsIsNotWaitedForForEver() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(2);
    BraidWorkerPB hangs =
        (BraidWorkerPB)
            Proxy.newProxyInstance(
                WorkersTest.class.getClassLoader(),
                new Class<?>[] {BraidWorkerPB.class, Closeable.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    return null;
                  }
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                  }
                  throw new IllegalStateException("interrupted");
                });
    Datanode node = node("");
    try (Workers workers = new Workers(any -> hangs, 1000, 20)) {
      IOException late = assertThrows(IOException.class, () -> workers.verify(node, BLOCK));
      assertEquals("the disk of h did not answer for 5000 bytes in 22 ms", late.getMessage());
      assertThrows(IOException.class, () -> workers.sync(node, List.of(BLOCK, BLOCK)));
      // Its thread is free again.
      assertTrue(interrupted.await(10, TimeUnit.SECONDS));
    }
  }

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

  /** A client of a router reads blocks of several pools from the same DataNodes. */
  @Test
  void aNodeHasAWorkerForEachOfItsBlockPools() throws Exception {
    BraidWorkerPB answers =
        (BraidWorkerPB)
            Proxy.newProxyInstance(
                WorkersTest.class.getClassLoader(),
                new Class<?>[] {BraidWorkerPB.class, Closeable.class},
                (proxy, method, arguments) ->
                    method.getName().equals("close")
                        ? null
                        : PingResponseProto.newBuilder()
                            .setUuid("u")
                            .setStreamPort(1)
                            .buildPartial());
    try (Workers workers = new Workers(any -> answers, 10_000)) {
      for (String pool : List.of("BP-1", "BP-2", "BP-1")) {
        Worker reached = workers.reach(List.of(node(pool))).reached().get("u");
        assertEquals(pool, reached.node().blockPool());
      }
    }
  }
}
