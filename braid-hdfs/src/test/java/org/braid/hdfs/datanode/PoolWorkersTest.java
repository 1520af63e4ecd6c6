package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.rpc.Rpc;
import org.junit.jupiter.api.Test;

/** Which pool's worker a call goes to. */
final class PoolWorkersTest {
  private final Set<String> served = new TreeSet<>();
  private final PoolWorkers workers =
      new PoolWorkers(
          "node",
          () -> served,
          pool -> {
            throw new IOException("the worker of " + pool);
          });

  private String cancel(String pool) {
    CancelRequestProto.Builder request = CancelRequestProto.newBuilder().setRun("run");
    if (!pool.isEmpty()) {
      request.setBlockPool(pool);
    }
    return message(
        assertThrows(ServiceException.class, () -> workers.cancel(null, request.build())));
  }

  private String ping() {
    return message(
        assertThrows(
            ServiceException.class,
            () -> workers.ping(null, PingRequestProto.getDefaultInstance())));
  }

  private void assertNotServing(String reason) {
    CancelRequestProto request =
        CancelRequestProto.newBuilder().setRun("run").setBlockPool("BP-1").build();
    ServiceException e = assertThrows(ServiceException.class, () -> workers.cancel(null, request));
    Throwable told = assertInstanceOf(Rpc.NotServingException.class, e.getCause());
    assertTrue(String.valueOf(told.getMessage()).contains(reason), told.getMessage());
  }

  private static String message(ServiceException e) {
    return String.valueOf(e.getCause().getMessage());
  }

  @Test
  void aCallGoesToTheWorkerOfThePoolThatItNames() {
    served.addAll(Set.of("BP-1", "BP-2"));
    assertEquals("the worker of BP-2", cancel("BP-2"));
    assertEquals("the worker of BP-1", cancel("BP-1"));
    String other = cancel("BP-3");
    assertTrue(other.contains("does not serve block pool BP-3"), other);
  }

  /** Who asks about a replica must not take it for an answer about that. */
  @Test
  void aNodeThatStopsOrDoesNotServeThePoolYetSaysThat() {
    assertNotServing("does not serve block pool BP-1");
    served.add("BP-1");
    assertEquals("the worker of BP-1", cancel("BP-1"));
    workers.stop();
    assertNotServing("is stopping");
  }

  @Test
  void aCallWithoutAPoolIsAnsweredWhereThereIsOne() {
    String none = cancel("");
    assertTrue(none.contains("has not registered"), none);
    assertTrue(ping().contains("has not registered"));
    served.add("BP-1");
    assertEquals("the worker of BP-1", cancel(""));
    served.add("BP-2");
    String several = cancel("");
    assertTrue(several.contains("serves 2 block pools"), several);
    assertEquals("the worker of BP-1", ping());
  }
}
