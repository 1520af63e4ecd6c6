package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClaimRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.PersistRequestProto;
import org.braid.hdfs.proto.BraidProtos.ProtectRequestProto;
import org.braid.hdfs.proto.BraidProtos.PutStripeRequestProto;
import org.braid.hdfs.proto.BraidProtos.RaiseRequestProto;
import org.braid.hdfs.proto.BraidProtos.ReleaseRequestProto;
import org.braid.hdfs.proto.BraidProtos.RenewRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.SweepRequestProto;
import org.braid.hdfs.proto.BraidProtos.TrimRequestProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;

/** Attacks by Braid's own calls. */
final class NameNodeAttacksTest extends NameNodeAttacks {
  private static final long PATIENT_SECONDS = 60;

  /** Nodes send a heartbeat several times in this time. */
  private static final long QUIET_MILLIS = 2000;

  // ---- Braid's calls -------------------------------------------------------------------------

  @Test
  void filesAreNotListed() throws Exception {
    assertDenied(
        "list files",
        () -> stub.files(null, FilesRequestProto.newBuilder().setPath("/secret").build()));
  }

  @Test
  void stripesAreNotListed() throws Exception {
    assertDenied(
        "list stripes", () -> stub.stripes(null, StripesRequestProto.getDefaultInstance()));
  }

  @Test
  void noLeaseIsTaken() throws Exception {
    assertDenied(
        "take the coordinator's lease",
        () -> stub.acquire(null, AcquireRequestProto.newBuilder().setHolder("eve").build()));
  }

  @Test
  void noLeaseIsRenewed() throws Exception {
    assertDenied(
        "renew the coordinator's lease",
        () -> stub.renew(null, RenewRequestProto.newBuilder().setLease(fixture.lease).build()));
  }

  @Test
  void noLeaseIsReleased() throws Exception {
    assertDenied(
        "release the coordinator's lease",
        () -> stub.release(null, ReleaseRequestProto.newBuilder().setLease(fixture.lease).build()));
    fixture.put(parity, stripe);
  }

  /** Else commands would wait for it. */
  @Test
  void noStripeIsClaimed() throws Exception {
    assertDenied(
        "claim a stripe",
        () ->
            stub.claim(
                null,
                ClaimRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .setStripeId(stripe.getId())
                    .build()));
  }

  @Test
  void noStripeIsDescribed() throws Exception {
    assertDenied(
        "describe a stripe",
        () ->
            stub.putStripe(
                null,
                PutStripeRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .setParityPath(parity)
                    .setStripe(stripe.toBuilder().setPerRack(3))
                    .build()));
  }

  @Test
  void nothingIsTrimmed() throws Exception {
    assertDenied(
        "trim a stripe",
        () ->
            stub.trim(
                null,
                TrimRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .setStripeId(stripe.getId())
                    .build()));
  }

  @Test
  void noReplicationIsPersisted() throws Exception {
    assertDenied(
        "persist replication 1",
        () ->
            stub.persist(
                null,
                PersistRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .setInode(secret.getInode())
                    .build()));
  }

  @Test
  void noReplicationIsRaised() throws Exception {
    assertDenied(
        "raise replication",
        () ->
            stub.raise(
                null,
                RaiseRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .setInode(secret.getInode())
                    .setReplication(4)
                    .build()));
  }

  @Test
  void noReplicasAreAskedFor() throws Exception {
    assertDenied(
        "ask for replicas of a stripe",
        () ->
            stub.protect(
                null,
                ProtectRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .setStripeId(stripe.getId())
                    .build()));
  }

  @Test
  void noParityIsSwept() throws Exception {
    assertDenied(
        "sweep parity",
        () ->
            stub.sweep(
                null,
                SweepRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .addReplicatedStripes(stripe.getId())
                    .build()));
  }

  @Test
  void nobodyElsesDemandsAreHeardOrRefused() throws Exception {
    assertDenied(
        "ask for demands of readers",
        () ->
            stub.demands(
                null,
                DemandsRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .addRefused(secret.getBlocks(0).getBlock().getId())
                    .build()));
  }

  // ---- audit ---------------------------------------------------------------------------------

  @Test
  void whatAnybodyChangesOrSignsIsInHdfssAuditLog() throws Exception {
    RecordedAudit.clear();
    fixture.put(parity, stripe);
    fixture.trim(stripe.getId(), true);
    String superuser = UserGroupInformation.getCurrentUser().getShortUserName();
    RecordedAudit.assertAllowed(superuser, "braid.putStripe", parity, null);
    RecordedAudit.assertAllowed(superuser, "braid.trim", parity, null);
    long own = own();
    Rpc.call(() -> stub.stripes(null, reading("/eve/own", own)));
    RecordedAudit.assertAllowed("eve", "braid.stripes", "/eve/own", "");
    long block = secret.getBlocks(0).getBlock().getId();
    Rpc.call(() -> fixture.stub.stripes(null, reading("/secret/f", block)));
    RecordedAudit.assertAllowed(superuser, "braid.stripes", "/secret/f", stripe.getId());
  }

  /** Braid looks at rights itself: HDFS would log a call that nobody made. */
  @Test
  void aWriteToAConvertedFileIsThereAsHdfsLogsIt() throws Exception {
    fixture.encode("/logged/f");
    fixture.fs.setOwner(path("/logged/f"), "eve", "users");
    RecordedAudit.clear();
    fs.append(path("/logged/f")).close();
    RecordedAudit.assertAllowed("eve", "append", "/logged/f", null);
    RecordedAudit.assertNone("eve", "checkAccess");
  }

  /** A call is held until a block has copies; meanwhile another file takes the path. */
  @Test
  void whatBraidRefusesLaterIsThereToo() throws Exception {
    fixture.encode("/held/f");
    fixture.fs.setOwner(path("/held/f"), "eve", "users");
    RecordedAudit.clear();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    fixture.heartbeats(false);
    try {
      Future<IOException> refusal =
          thread.submit(
              () -> assertThrows(IOException.class, () -> fs.truncate(path("/held/f"), 1)));
      Await.until(
          "the file to be prepared",
          () -> fixture.fs.getFileStatus(path("/held/f")).getReplication() == 3);
      // It is held a moment after that.
      Await.stays("the call is answered", Duration.ofMillis(500), false, refusal::isDone);
      assertTrue(fixture.fs.rename(path("/held/f"), path("/held/away")));
      String message = refusal.get(60, TimeUnit.SECONDS).getMessage();
      assertTrue(message.contains("is not what it was"), message);
      RecordedAudit.assertRefused("eve", "truncate");
    } finally {
      fixture.heartbeats(true);
      thread.shutdown();
    }
  }

  @Test
  void whatBraidRefusesOfHdfssOwnCallsIsThereToo() throws Exception {
    RecordedAudit.clear();
    assertThrows(IOException.class, () -> fixture.fs.delete(path(parity), false));
    RecordedAudit.assertRefused(UserGroupInformation.getCurrentUser().getShortUserName(), "delete");
    assertThrows(
        IOException.class,
        () ->
            fs.setXAttr(
                path("/eve"), BraidPaths.EAR_XATTR, "rs-200-50".getBytes(StandardCharsets.UTF_8)));
    RecordedAudit.assertRefused("eve", "setXAttr");
    assertThrows(
        IOException.class,
        () ->
            Rpc.call(
                () ->
                    fixture.stub.trim(
                        null,
                        TrimRequestProto.newBuilder()
                            .setLease("stolen")
                            .setStripeId(stripe.getId())
                            .build())));
    RecordedAudit.assertRefused(
        UserGroupInformation.getCurrentUser().getShortUserName(), "braid.trim");
  }

  // ---- what a reader is told -----------------------------------------------------------------

  private static StripesRequestProto reading(String file, long... blocks) {
    StripesRequestProto.Builder request =
        StripesRequestProto.newBuilder().setReadingPath(file).setWithTokens(true);
    for (long block : blocks) {
      request.addBlockIds(block);
    }
    return request.build();
  }

  @Test
  void noTokensAreSignedForAFileThatHdfsDoesNotOpen() throws Exception {
    long block = secret.getBlocks(0).getBlock().getId();
    assertDenied(() -> fs.open(path("/secret/f")));
    assertDenied(() -> Rpc.call(() -> stub.stripes(null, reading("/secret/f", block))));
    assertDenied(
        () ->
            Rpc.call(
                () ->
                    stub.stripes(null, reading("/.reserved/.inodes/" + secret.getInode(), block))));
  }

  @Test
  void noTokensAreSignedForBlocksOfOtherFiles() throws Exception {
    long own = own();
    long block = secret.getBlocks(0).getBlock().getId();
    long hidden = stripe.getMembers(2).getBlock().getId();
    RecordedAudit.clear();
    assertDenied(() -> Rpc.call(() -> stub.stripes(null, reading("/eve/own", block))));
    RecordedAudit.assertRefused("eve", "braid.stripes");
    assertDenied(() -> Rpc.call(() -> stub.stripes(null, reading("/eve/own", own, hidden))));
    assertDenied(() -> Rpc.call(() -> stub.stripes(null, reading("/eve/own", -1))));
    assertDenied(() -> Rpc.call(() -> stub.stripes(null, reading("/eve/own"))));
  }

  @Test
  void noTokensAreSignedForParity() throws Exception {
    long hidden = stripe.getMembers(2).getBlock().getId();
    assertDenied(() -> fs.open(path(parity)));
    assertDenied(() -> Rpc.call(() -> stub.stripes(null, reading(parity, hidden))));
  }

  @Test
  void aQuestionOfManyBlocksIsRefusedWithNumbers() {
    IOException e =
        times.measure(
            () ->
                assertThrows(
                    IOException.class,
                    () -> Rpc.call(() -> stub.stripes(null, reading("/eve/own", new long[1001])))));
    assertTrue(
        String.valueOf(e.getMessage()).contains("1001 blocks are named, at most 1000"),
        e.getMessage());
  }

  /** A million of them would be as this: others are answered meanwhile. */
  @Test
  void manyQuestionsOfOneUserDelayNobody() throws Exception {
    long own = own();
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      List<Future<Integer>> flood = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        flood.add(
            threads.submit(
                () -> {
                  int answered = 0;
                  for (int asked = 0; asked < 300; asked++) {
                    StripesRequestProto question = reading("/eve/own", own);
                    answered += isAnswered(() -> stub.stripes(null, question)) ? 1 : 0;
                  }
                  return answered;
                }));
      }
      for (int i = 0; i < 20; i++) {
        assertTrue(fixture.fs.exists(path("/secret/f")));
        assertUnchanged();
      }
      int answered = 0;
      for (Future<Integer> part : flood) {
        answered += part.get(PATIENT_SECONDS, TimeUnit.SECONDS);
      }
      assertTrue(answered > 0, "nothing is answered");
    } finally {
      threads.shutdownNow();
    }
  }

  private static boolean isAnswered(Rpc.Call<?> question) throws IOException {
    try {
      var unused = Rpc.call(question);
      return true;
    } catch (RetriableException e) {
      return false;
    }
  }

  /** Each names all DataNodes; here they take as long as the NameNode's table of these is busy. */
  @Test
  void manyQuestionsOfOneUserForTheClusterLeaveHandlersToOthers() throws Exception {
    int handlers =
        fixture
            .cluster
            .configuration()
            .getInt(
                DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY,
                DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_DEFAULT);
    ExecutorService threads = Executors.newFixedThreadPool(handlers);
    List<Future<Boolean>> asked = new ArrayList<>();
    fixture.heartbeats(false); // they wait for the table with the namesystem's lock
    try {
      Await.until(
          "the last heartbeats to be over",
          () ->
              fixture.blocks().getDatanodeManager().getDatanodes().stream()
                  .allMatch(node -> ReplicaView.silence(node) > QUIET_MILLIS));
      synchronized (fixture.blocks().getDatanodeManager()) {
        for (int i = 0; i < handlers; i++) {
          asked.add(
              threads.submit(
                  () ->
                      isAnswered(
                          () -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()))));
        }
        int refused = handlers - Math.max(1, handlers / 3);
        Await.until(
            refused + " questions to be refused",
            () -> asked.stream().filter(Future::isDone).count() == refused);
        assertTrue(fixture.fs.exists(path("/secret/f")), "others are answered meanwhile");
      }
      int answered = 0;
      for (Future<Boolean> one : asked) {
        answered += one.get(PATIENT_SECONDS, TimeUnit.SECONDS) ? 1 : 0;
      }
      assertEquals(Math.max(1, handlers / 3), answered);
      assertTrue(isAnswered(() -> stub.cluster(null, ClusterRequestProto.getDefaultInstance())));
    } finally {
      fixture.heartbeats(true);
      threads.shutdownNow();
    }
  }

  @Test
  void whatTheClusterIsMadeOfIsAllThatAnybodyLearns() throws Exception {
    var all = Rpc.call(() -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()));
    assertEquals(4, all.getDatanodesCount());
    assertFalse(all.toString().contains(fixture.lease), "the lease is a secret");
    ClusterRequestProto.Builder strange = ClusterRequestProto.newBuilder();
    for (int i = 0; i < 100_000; i++) {
      strange.addUuids("nobody" + i % 7);
    }
    var none = Rpc.call(() -> stub.cluster(null, strange.build()));
    assertEquals(0, none.getDatanodesCount());
  }
}
