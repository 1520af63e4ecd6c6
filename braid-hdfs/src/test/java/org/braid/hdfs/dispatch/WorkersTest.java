package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.lang.reflect.Proxy;
import java.util.List;
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
