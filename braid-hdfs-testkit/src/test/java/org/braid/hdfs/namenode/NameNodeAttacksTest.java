package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.PersistRequestProto;
import org.braid.hdfs.proto.BraidProtos.ProtectRequestProto;
import org.braid.hdfs.proto.BraidProtos.PutStripeRequestProto;
import org.braid.hdfs.proto.BraidProtos.RaiseRequestProto;
import org.braid.hdfs.proto.BraidProtos.ReleaseRequestProto;
import org.braid.hdfs.proto.BraidProtos.RenewRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.SweepRequestProto;
import org.braid.hdfs.proto.BraidProtos.TrimRequestProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks on the NameNode by eve, who owns a directory and is no superuser. Braid's calls are
 * refused to her with the exception with which HDFS refuses its own, and nothing has changed after
 * them.
 */
final class NameNodeAttacksTest {
  private static final long PATIENT_SECONDS = 60;

  @TempDir static Path directory;
  private static NameNodeFixture fixture;
  private static BraidNameNodePB stub;
  private static DistributedFileSystem fs;
  private static FileProto secret;
  private static StripeProto stripe;
  private static String parity;

  @BeforeAll
  static void start() throws Exception {
    fixture =
        NameNodeFixture.start(
            directory,
            4,
            4,
            Map.of(
                "dfs.block.access.token.enable",
                "true",
                "dfs.namenode.audit.loggers",
                RecordedAudit.class.getName()));
    secret = fixture.write("/secret/f", 2, 3);
    stripe = fixture.publish("rs-2-1", secret.getBlocksList(), made -> made);
    parity = BraidPaths.stripePath(stripe.getId());
    fixture.fs.setPermission(path("/secret"), new FsPermission((short) 0700));
    fixture.fs.mkdirs(path("/eve"));
    fixture.fs.setOwner(path("/eve"), "eve", "users");
    UserGroupInformation eve =
        UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
    stub =
        eve.doAs(
            (PrivilegedExceptionAction<BraidNameNodePB>)
                () ->
                    Rpc.nameNode(
                        fixture.cluster.configuration(),
                        fixture.cluster.nameNode().getNameNodeAddress()));
    fs =
        (DistributedFileSystem)
            eve.doAs(
                (PrivilegedExceptionAction<FileSystem>)
                    () -> FileSystem.newInstance(fixture.cluster.configuration()));
  }

  @AfterAll
  static void stop() throws Exception {
    Rpc.stop(stub);
    fs.close();
    fixture.close();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static void assertDenied(Executable attack) throws IOException {
    assertThrows(AccessControlException.class, attack);
    assertUnchanged();
  }

  /** What only a superuser may ask of Braid. */
  private static void assertDenied(String what, Rpc.Call<?> call) throws IOException {
    AccessControlException e = assertThrows(AccessControlException.class, () -> Rpc.call(call));
    RecordedAudit.assertRefused("eve", "braid.");
    assertTrue(
        String.valueOf(e.getMessage())
            .startsWith("user eve may not " + what + ": superuser needed"),
        e.getMessage());
    assertUnchanged();
  }

  private static void assertUnchanged() throws IOException {
    long block = secret.getBlocks(0).getBlock().getId();
    assertEquals(stripe, fixture.stripes(block).get(0).getStripe());
    assertEquals(3, fixture.fs.getFileStatus(path("/secret/f")).getReplication());
    assertTrue(fixture.fs.exists(path(parity)));
  }

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

  // ---- over WebHDFS --------------------------------------------------------------------------

  private static HttpResponse<String> web(String user, String method, String request)
      throws Exception {
    String server = NetUtils.getHostPortString(fixture.cluster.nameNode().getHttpAddress());
    HttpRequest asked =
        HttpRequest.newBuilder(URI.create("http://" + server + request + "&user.name=" + user))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(asked, HttpResponse.BodyHandlers.ofString());
  }

  /** What Braid refuses over HTTP, to a user, as the audit log has it. */
  private static void assertRefused(String user, String command, String method, String request)
      throws Exception {
    RecordedAudit.clear();
    web(user, method, request);
    RecordedAudit.assertRefused(user, command);
    assertUnchanged();
  }

  @Test
  void whatBraidRefusesOverHttpIsInTheAuditLog() throws Exception {
    String superuser = UserGroupInformation.getCurrentUser().getShortUserName();
    String secretFile = "/webhdfs/v1/secret/f";
    assertRefused(superuser, "delete", "DELETE", "/webhdfs/v1" + parity + "?op=DELETE");
    assertRefused(superuser, "truncate", "POST", secretFile + "?op=TRUNCATE&newlength=1");
    assertRefused(superuser, "concat", "POST", "/webhdfs/v1/eve/own?op=CONCAT&sources=/secret/f");
    assertRefused(
        "eve",
        "setXAttr",
        "PUT",
        "/webhdfs/v1/eve?op=SETXATTR&flag=CREATE&xattr.name=user.braid.ear&xattr.value=rs-200-50");
  }

  /** HDFS's answer names the user and the directory that keeps it out, and no more. */
  @Test
  void overWebHdfsNobodyLearnsWhatIsConverted() throws Exception {
    own();
    for (String attack :
        List.of(
            "/secret/f?op=TRUNCATE&newlength=1",
            "/secret/none?op=TRUNCATE&newlength=1",
            "/eve/own?op=CONCAT&sources=/secret/f",
            "/eve/own?op=CONCAT&sources=/secret/none")) {
      HttpResponse<String> answer = web("eve", "POST", "/webhdfs/v1" + attack);
      assertEquals(403, answer.statusCode(), attack + ": " + answer.body());
      assertTrue(answer.body().contains("Permission denied: user=eve"), answer.body());
    }
    HttpResponse<String> answer = web("eve", "DELETE", "/webhdfs/v1" + parity + "?op=DELETE");
    assertEquals(403, answer.statusCode());
    assertTrue(answer.body().contains("Permission denied: user=eve"), answer.body());
    assertUnchanged();
  }

  /** HDFS reads one of two parameters, a filter might read the other one. */
  @Test
  void noRequestIsReadAsTwo() throws Exception {
    String superuser = UserGroupInformation.getCurrentUser().getShortUserName();
    for (String twice :
        List.of(
            "?OP=MKDIRS&op=DELETE",
            "?op=MKDIRS&OP=DELETE",
            "?op=DELETE&OP=MKDIRS",
            "?OP=DELETE&op=MKDIRS",
            "?op=MKDIRS&op=DELETE",
            "?op=DELETE&op=MKDIRS")) {
      web(superuser, "DELETE", "/webhdfs/v1" + parity + twice);
      assertTrue(fixture.fs.exists(path(parity)), twice);
    }
    assertUnchanged();
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

  private static long own() throws Exception {
    if (!fixture.fs.exists(path("/eve/own"))) {
      fixture.write("/eve/own", 1, 3);
      fixture.fs.setOwner(path("/eve/own"), "eve", "users");
    }
    return fixture.file("/eve/own").getBlocks(0).getBlock().getId();
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
        assertThrows(
            IOException.class,
            () -> Rpc.call(() -> stub.stripes(null, reading("/eve/own", new long[1001]))));
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
                    answered += isAnswered(reading("/eve/own", own)) ? 1 : 0;
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

  private static boolean isAnswered(StripesRequestProto request) throws IOException {
    try {
      Rpc.call(() -> stub.stripes(null, request));
      return true;
    } catch (RetriableException e) {
      return false;
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

  // ---- Braid's directories -------------------------------------------------------------------

  @Test
  void parityIsNotRead() throws Exception {
    assertDenied(() -> fs.open(path(parity)));
    assertDenied(() -> fs.getFileStatus(path(parity)));
    assertDenied(() -> fs.listStatus(path(BraidPaths.STRIPES)));
    assertDenied(() -> fs.getXAttrs(path(parity)));
    assertDenied(() -> fs.getContentSummary(path(BraidPaths.ROOT)));
  }

  @Test
  void parityIsNotRemoved() throws Exception {
    assertDenied(() -> fs.delete(path(parity), false));
    assertDenied(() -> fs.delete(path(BraidPaths.ROOT), true));
    assertDenied(() -> fs.delete(path("/.reserved/.inodes/" + inodeOf(parity)), false));
    assertDenied(() -> fs.rename(path(parity), path("/eve/parity")));
    assertDenied(() -> fs.truncate(path(parity), 0));
    assertDenied(() -> fs.create(path(parity), true));
    assertDenied(() -> fs.append(path(parity)));
    assertDenied(() -> fs.setReplication(path(parity), (short) 2));
    assertDenied(() -> fs.setPermission(path(parity), new FsPermission((short) 0777)));
    assertDenied(() -> fs.setOwner(path(parity), "eve", "users"));
  }

  private static long inodeOf(String file) throws IOException {
    return fixture.fs.getClient().getFileInfo(file).getFileId();
  }

  @Test
  void nothingIsPutAmongParity() throws Exception {
    own();
    String uuid = fixture.cluster.uuid(0);
    String staged = BraidPaths.stagingPath("%032x".formatted(7), 0, uuid);
    assertDenied(() -> fs.create(path(staged)));
    assertDenied(() -> fs.mkdirs(path(BraidPaths.STAGING + "/eve")));
    assertDenied(
        () -> fs.rename(path("/eve/own"), path(BraidPaths.stripePath("%032x".formatted(7)))));
    assertTrue(fs.exists(path("/eve/own")));
  }

  @Test
  void nothingIsSaidOfStripesInAttributes() throws Exception {
    own();
    byte[] forged = stripe.toBuilder().setPerRack(3).build().toByteArray();
    for (String file : List.of(parity, "/secret/f")) {
      assertDenied(() -> fs.setXAttr(path(file), BraidPaths.STRIPE_XATTR, forged));
      assertDenied(() -> fs.removeXAttr(path(file), BraidPaths.STRIPE_XATTR));
    }
    // HDFS keeps the whole name space for superusers, on one's own files, too.
    assertDenied(() -> fs.setXAttr(path("/eve/own"), BraidPaths.STRIPE_XATTR, forged));
    assertDenied(() -> fs.getXAttr(path("/.reserved/raw" + parity), BraidPaths.STRIPE_XATTR));
    fs.setXAttr(path("/eve/own"), "user.braid.stripe", forged);
    assertUnchanged();
  }

  @Test
  void aHugeCodeIsRefusedInAMoment() throws Exception {
    for (String code : List.of("rs-200-50", "clay-16-16-31", "stair-n31-r32-m1-e1-l0,across")) {
      long begun = System.nanoTime();
      IOException e =
          assertThrows(
              IOException.class,
              () ->
                  fs.setXAttr(
                      path("/eve"), BraidPaths.EAR_XATTR, code.getBytes(StandardCharsets.UTF_8)));
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(String.valueOf(e.getMessage()).contains("blocks and"), e.getMessage());
      assertTrue(millis < 5000, millis + " ms");
    }
    assertEquals(Map.of(), fs.getXAttrs(path("/eve")));
  }

  @Test
  void anAttributeOfOthersIsNotSet() throws Exception {
    assertDenied(
        () ->
            fs.setXAttr(
                path("/secret"), BraidPaths.EAR_XATTR, "rs-2-1".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void replicationOfOthersIsNotSet() throws Exception {
    for (short replication : new short[] {1, 2, 4}) {
      assertDenied(() -> fs.setReplication(path("/secret/f"), replication));
    }
    assertEquals(
        fixture.holders(secret.getBlocks(0).getBlock().getId()).size(),
        secret.getBlocks(0).getReplicasCount());
  }

  @Test
  void filesOfOthersAreNotWritten() throws Exception {
    assertDenied(() -> fs.append(path("/secret/f")));
    assertDenied(() -> fs.truncate(path("/secret/f"), 1));
    own();
    assertDenied(
        () -> fs.concat(path("/eve/own"), new org.apache.hadoop.fs.Path[] {path("/secret/f")}));
  }
}
