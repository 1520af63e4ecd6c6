package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.SyncResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.stripe.BlockStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which copies of a replicated block stand for its parity. */
final class DiskCopiesTest {
  private final FakeCluster cluster = new FakeCluster(5, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  private final long block = cluster.block(stripe, 0);

  /** So many nodes fail when they are asked. */
  private final AtomicInteger failing = new AtomicInteger();

  @BeforeEach
  void replicate() {
    cluster.raise(block, 3);
    cluster.copy(block, "r1n1");
  }

  private BlockStatus block() {
    return cluster.status(stripe).member(0).status();
  }

  /** As by a sweep of two stripes that have the block. */
  private DiskCopies forced() throws IOException {
    BraidWorkerPB stub = stub();
    try (Workers workers = new Workers(node -> stub, 1000)) {
      return DiskCopies.force(workers, cluster.look(), List.of(block(), block()));
    }
  }

  private BraidWorkerPB stub() {
    return (BraidWorkerPB)
        Proxy.newProxyInstance(
            DiskCopiesTest.class.getClassLoader(),
            new Class<?>[] {BraidWorkerPB.class, Closeable.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("sync")) {
                return null;
              }
              if (failing.getAndDecrement() > 0) {
                throw new ServiceException(new IOException("no disk"));
              }
              assertEquals(1, ((SyncRequestProto) arguments[1]).getBlocksCount());
              return SyncResponseProto.getDefaultInstance();
            });
  }

  @Test
  void copiesOnDiskCount() throws Exception {
    assertEquals(2, forced().of(block()));
    assertTrue(forced().suffice(block()));
    failing.set(1);
    DiskCopies one = forced();
    assertEquals(1, one.of(block()));
    assertFalse(one.suffice(block()));
  }

  /** Such a node goes soon, and with it the copy. */
  @Test
  void aCopyAtANodeThatIsBeingTakenOutOfServiceDoesNotCount() throws Exception {
    cluster.retire("r0n0");
    assertEquals(1, forced().of(block()));
    assertFalse(forced().suffice(block()));
  }

  @Test
  void aThirdCopyMakesUpForOneThatGoes() throws Exception {
    cluster.retire("r0n0");
    cluster.copy(block, "r2n1");
    assertEquals(2, forced().of(block()));
    assertTrue(forced().suffice(block()));
  }
}
