package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.proto.BraidProtos.ChecksumRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.PinRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testing.HeldStep;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Attacks on workers by calls that eve may not make, or that take more than her share. */
final class WorkerAttacksTest extends WorkerAttacks {
  /** Longer than the buffers of TCP, so that a fragment waits for who takes its stream. */
  private static final long LONG = 64L << 20;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterAll
  void end() {
    threads.shutdownNow();
  }

  private void assertBad(String message, UnaryOperator<ExecuteRequestProto.Builder> change)
      throws Exception {
    ExecuteRequestProto request = change.apply(reading(own, bytes(token))).build();
    IOException e =
        assertThrows(IOException.class, () -> Rpc.call(() -> worker.execute(null, request)));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }

  @Test
  void noParityIsWritten() throws Exception {
    assertDenied("eve is no superuser: may not store blocks", storing(StoreTarget.parity("/bad")));
  }

  @Test
  void noReplicaIsReplaced() throws Exception {
    assertDenied(
        "eve is no superuser: may not store blocks",
        storing(StoreTarget.rebuild(StripeCodec.of(foreign), 4711, "CRC32C", 512)));
  }

  @Test
  void noReplicaIsVerified() {
    assertDenied(
        "may not verify",
        () -> worker.verify(null, VerifyRequestProto.newBuilder().setBlock(own).build()));
  }

  @Test
  void noReplicaIsForcedToDisk() {
    assertDenied(
        "may not force",
        () -> worker.sync(null, SyncRequestProto.newBuilder().addBlocks(own).build()));
    assertDenied(
        "may not verify",
        () ->
            worker.verify(
                null, VerifyRequestProto.newBuilder().setBlock(own).setForced(true).build()));
  }

  @Test
  void noReplicaIsPinned() {
    assertDenied(
        "may not pin",
        () ->
            worker.pin(null, PinRequestProto.newBuilder().addBlocks(own).setPinned(true).build()));
  }

  @Test
  void noChecksumIsToldThatGivesContentAway() {
    assertDenied(
        "may not verify",
        () -> worker.checksum(null, ChecksumRequestProto.newBuilder().setBlock(own).build()));
  }

  @Test
  void nobodyLearnsWhatOthersRead() throws Exception {
    copyAsSuperuser();
    PingRequestProto curious = PingRequestProto.newBuilder().setWithCache(true).build();
    assertEquals(0, Rpc.call(() -> worker.ping(null, curious)).getCachedCount());
    BraidWorkerPB trusted = fixture.worker(0);
    assertTrue(Rpc.call(() -> trusted.ping(null, curious)).getCachedList().contains(own.getId()));
  }

  @Test
  void aFragmentThatOnlyPassesOnIsRefused() throws Exception {
    ExecuteRequestProto passing =
        reading(own, bytes(token)).removeOps(0).addPeers(fixture.peer(1)).build();
    assertDenied("may not run a fragment that reads nothing", passing);
  }

  @Test
  void aWorkerConnectsToNoForeignHost() throws Exception {
    try (ServerSocket inside = new ServerSocket(0)) {
      PeerProto peer =
          fixture.peer(1).toBuilder().setHost("127.0.0.1").setPort(inside.getLocalPort()).build();
      assertDenied("may not have a worker connect to 127.0.0.1:", receivingFrom(peer));
      assertDenied(
          "may not have a worker connect to localhost:",
          receivingFrom(peer.toBuilder().setHost("localhost").build()));
      assertDenied(
          "may not have a worker connect to 127.0.0.1:",
          receivingFrom(peer.toBuilder().clearUuid().build()));
      assertDenied(
          "may not have a worker connect to 127.0.0.1:",
          receivingFrom(peer.toBuilder().setUuid("nobody").build()));
      inside.setSoTimeout(200);
      assertThrows(SocketTimeoutException.class, inside::accept);
    }
  }

  @Test
  void aWorkerConnectsToNoOtherPortOfADataNode() throws Exception {
    PeerProto peer = fixture.peer(1);
    for (int port :
        new int[] {
          fixture.node(1).getXferPort(),
          fixture.node(1).getIpcPort(),
          fixture.node(1).getInfoPort(),
          fixture.peer(2).getPort()
        }) {
      assertDenied(
          "may not have a worker connect to 127.0.0.1:" + port,
          receivingFrom(peer.toBuilder().setPort(port).build()));
    }
  }

  @Test
  void aWorkerAsksNobodyAboutAThousandPeers() throws Exception {
    ExecuteRequestProto.Builder request = reading(own, bytes(token));
    for (int i = 0; i < 1000; i++) {
      request.addPeers(fixture.peer(1).toBuilder().setNode(100 + i).setUuid("u" + i));
    }
    assertDenied("may not run a fragment of 1000 peers, at most 255", request.build());
  }

  @Test
  void oneUserTakesNotAllPlacesForFragments() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    AtomicInteger reads = new AtomicInteger();
    // Those of eve's fragments, not the superuser's: they run for as long as they are needed.
    try (HeldStep held =
        new HeldStep(FaultStep.WORKER_READ, read -> reads.incrementAndGet() <= FRAGMENTS)) {
      for (int i = 0; i < FRAGMENTS; i++) {
        ExecuteRequestProto request = reading(own, bytes(token)).setLength(LONG).build();
        running.add(threads.submit(() -> Rpc.call(() -> worker.execute(null, request))));
      }
      held.await();
      Await.untilEqual("eve's fragments that read", FRAGMENTS, reads::get);
      assertEquals(FRAGMENTS, fixture.ping(0).getRunning());
      ExecuteRequestProto more = reading(own, bytes(token)).setLength(LONG).build();
      log.clearOutput();
      RetriableException busy =
          assertThrows(RetriableException.class, () -> Rpc.call(() -> worker.execute(null, more)));
      String why = "4 fragments of eve run already, at most 4 may";
      assertTrue(String.valueOf(busy.getMessage()).contains(why), busy.getMessage());
      assertLogged(why);
      copyAsSuperuser();
    }
    for (Future<?> future : running) {
      assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void hostileNumbersAreRefused() throws Exception {
    assertBad("a slice has 1 to 16777216 bytes, not 0", r -> r.setSlice(0));
    assertBad("a slice has 1 to 16777216 bytes, not -1", r -> r.setSlice(-1));
    assertBad("a slice has 1 to 16777216", r -> r.setSlice(Integer.MAX_VALUE));
    assertBad("values cannot have", r -> r.setLength(Long.MIN_VALUE));
    assertBad("is of 0 known kinds", r -> r.addOps(OpProto.getDefaultInstance()));
    assertBad("may not run a fragment that reads nothing", ExecuteRequestProto.Builder::clearOps);
    assertBad("may not change the pace of runs", r -> r.setBytesPerSecond(1));
  }

  @Test
  void aReplayedFragmentIsRefusedWhileItRuns() throws Exception {
    ExecuteRequestProto request = reading(own, bytes(token)).setLength(LONG).build();
    Future<?> first;
    try (HeldStep held = new HeldStep(FaultStep.WORKER_READ, read -> true)) {
      first = threads.submit(() -> Rpc.call(() -> worker.execute(null, request)));
      held.await();
      assertEquals(1, fixture.ping(0).getRunning());
      ServiceException replayed =
          assertThrows(ServiceException.class, () -> worker.execute(null, request));
      assertTrue(String.valueOf(replayed.getMessage()).contains("is running already"));
    }
    assertThrows(ExecutionException.class, () -> first.get(20, TimeUnit.SECONDS));
  }
}
