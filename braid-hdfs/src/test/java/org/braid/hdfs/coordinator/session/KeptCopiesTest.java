package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.coordinator.throttle.Background;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.cost.Network;
import org.braid.plan.throttle.Throttle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether the copies that stay were read before others are dropped. */
final class KeptCopiesTest {
  private static final String[] HOMES = {"r0n0", "r1n0", "r2n0", "r3n0", "r4n0"};

  private final FakeCluster cluster = new FakeCluster(5, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, HOMES);

  /** The blocks that were read at their homes. */
  private final List<Long> read = Collections.synchronizedList(new ArrayList<>());

  private final KeptCopies kept = new KeptCopies();

  /** What reading fails with. */
  private @Nullable IOException failure;

  /** Which copies are checked. */
  @FunctionalInterface
  private interface Check {
    void of(Session session) throws IOException;
  }

  /** Checks copies that read back as the stripe says. */
  private void check(Check check) throws IOException {
    BraidWorkerPB stub =
        (BraidWorkerPB)
            Proxy.newProxyInstance(
                KeptCopiesTest.class.getClassLoader(),
                new Class<?>[] {BraidWorkerPB.class, Closeable.class},
                (proxy, method, arguments) -> {
                  if (!method.getName().equals("verify")) {
                    return null;
                  }
                  long block = ((VerifyRequestProto) arguments[1]).getBlock().getId();
                  if (failure != null) {
                    throw new ServiceException(failure);
                  }
                  read.add(block);
                  Stripe encoded = cluster.status(stripe).stripe();
                  return VerifyResponseProto.newBuilder()
                      .setCrc32C(encoded.member(encoded.positionOf(block).orElseThrow()).crc())
                      .build();
                });
    try (Workers workers = new Workers(node -> stub, 1000);
        Throttles throttles =
            new Throttles(() -> Throttle.NONE, (run, held) -> List.of(), 1e9, Ticker.SYSTEM)) {
      check.of(session(workers, throttles));
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

  private void checkSurplus() throws IOException {
    check(session -> kept.checkSurplus(session, cluster.status(stripe), cluster.look()));
  }

  private void checkAll() throws IOException {
    check(session -> kept.checkAll(session, cluster.status(stripe), cluster.look()));
  }

  /** The first block has another copy, which would be dropped. */
  private long surplus() {
    long block = cluster.block(stripe, 0);
    cluster.copy(block, "r0n1");
    return block;
  }

  @Test
  void whatHasOtherCopiesIsReadAtHomeOnce() throws Exception {
    long block = surplus();
    checkSurplus();
    checkSurplus();
    assertEquals(List.of(block), read);
  }

  @Test
  void noCopyIsDroppedForOneWhoseNodeDoesNotAnswer() {
    long block = surplus();
    cluster.silence("r0n0");
    PlanFailedException e = assertThrows(PlanFailedException.class, this::checkSurplus);
    assertTrue(e.getMessage().contains("blk_" + block), e.getMessage());
    assertTrue(e.getMessage().contains("r0n0"), e.getMessage());
    int home = cluster.look().indexOf("r0n0").orElseThrow();
    assertEquals(Set.of(home), e.failed());
    assertFalse(kept.hasFailed(0, "r0n0"), "it was not read");
    assertEquals(List.of(), read);
  }

  /** A stripe that a later attempt is to finish: its home may answer again by then. */
  @Test
  void aCopyThatCouldNotBeReadIsReadNextTime() throws Exception {
    long block = surplus();
    cluster.silence("r0n0");
    assertThrows(PlanFailedException.class, this::checkSurplus);
    cluster.revive("r0n0");
    checkSurplus();
    assertEquals(List.of(block), read);
  }

  @Test
  void noCopyIsDroppedForOneOnANodeWithoutThePlugin() {
    surplus();
    cluster.unplug("r0n0");
    assertThrows(PlanFailedException.class, this::checkSurplus);
  }

  /** The NameNode lists a good copy at another node alone. */
  @Test
  void noCopyIsDroppedForOneThatIsNotThere() {
    long block = cluster.block(stripe, 0);
    cluster.put(block, "r0n1");
    cluster.copyBad(block, "r0n0");
    PlanFailedException e = assertThrows(PlanFailedException.class, this::checkSurplus);
    assertTrue(e.getMessage().contains("r0n0"), e.getMessage());
    assertEquals(Set.of(), e.failed(), "the node answers");
  }

  @Test
  void noCopyIsDroppedForOneOnANodeThatIsUnknown() {
    FakeCluster without = new FakeCluster(5, 1);
    String id = without.stripe("rs-3-2", 1, "gone", "r1n0", "r2n0", "r3n0", "r4n0");
    without.copy(without.block(id, 0), "r0n0");
    PlanFailedException e =
        assertThrows(
            PlanFailedException.class,
            () -> check(session -> kept.checkSurplus(session, without.status(id), without.look())));
    assertTrue(e.getMessage().contains("gone"), e.getMessage());
  }

  /** Only the other copies of a block are dropped, so one without others loses none. */
  @Test
  void aSilentHomeOfABlockWithoutOtherCopiesMattersOnlyWhereAllAreChecked() throws Exception {
    long block = surplus();
    cluster.silence("r1n0");
    checkSurplus();
    assertEquals(List.of(block), read);
    PlanFailedException e = assertThrows(PlanFailedException.class, this::checkAll);
    assertTrue(e.getMessage().contains("r1n0"), e.getMessage());
  }

  @Test
  void aCopyThatWasJustCheckedIsNotReadAgain() throws Exception {
    surplus();
    cluster.silence("r0n0");
    check(
        session ->
            new KeptCopies(Map.of(0, "r0n0"))
                .checkSurplus(session, cluster.status(stripe), cluster.look()));
    assertEquals(List.of(), read);
  }

  /** Such a block would be moved, or rebuilt, for a network that stood still for a while. */
  @Test
  void aCopyThatWasNotReadInTimeHasNotFailed() {
    surplus();
    failure = new SocketTimeoutException("60000 millis timeout");
    PlanFailedException late = assertThrows(PlanFailedException.class, this::checkSurplus);
    assertEquals(Set.of(cluster.look().indexOf("r0n0").orElseThrow()), late.failed());
    assertFalse(kept.hasFailed(0, "r0n0"));
    failure = new RemoteException(IOException.class.getName(), "no replica");
    assertThrows(PlanFailedException.class, this::checkSurplus);
    assertTrue(kept.hasFailed(0, "r0n0"));
  }
}
