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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.braid.hdfs.namenode.deferral.WebHdfsFilter;
import org.braid.hdfs.rpc.BraidPaths;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Attacks by HDFS's own calls and over WebHDFS, on converted files, on parity and on attributes.
 */
final class FileAttacksTest extends NameNodeAttacks {
  // ---- over WebHDFS --------------------------------------------------------------------------

  private HttpResponse<String> web(String user, String method, String request) throws Exception {
    String server = NetUtils.getHostPortString(fixture.cluster.nameNode().getHttpAddress());
    HttpRequest asked =
        HttpRequest.newBuilder(URI.create("http://" + server + request + "&user.name=" + user))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(asked, HttpResponse.BodyHandlers.ofString());
  }

  /** What Braid refuses over HTTP, to a user, as the audit log has it. */
  private void assertRefused(String user, String command, String method, String request)
      throws Exception {
    RecordedAudit.clear();
    web(user, method, request);
    RecordedAudit.assertRefused(user, command);
    RecordedAudit.assertPort(user, command);
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
    assertRefused("eve", "delete", "DELETE", secretFile + "?op=DELETE&recursive=true&RECURSIVE=x");
    assertRefused("eve", "mkdirs", "PUT", secretFile + "?op=MKDIRS&permission=1&Permission=2");
    assertRefused("eve", "webhdfs", "DELETE", secretFile + "?op=DELETE&OP=MKDIRS");
    assertRefused("eve", "webhdfs", "PUT", secretFile + "?op=a%0Ab&x=1&x=2");
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

  /** HDFS's own check lists directories as who asks for it. */
  @Test
  void fsckTellsNobodyWhatIsInDirectoriesThatHeMayNotList() throws Exception {
    for (String hidden :
        List.of(
            "/secret", "/secret/f", "/secret/none", "/.reserved/.inodes/" + secret.getInode())) {
      HttpResponse<String> answer = web("eve", "GET", "/fsck?ugi=eve&delete=1&path=" + hidden);
      assertTrue(answer.body().contains("Permission denied: user=eve"), answer.body());
      assertFalse(answer.body().contains("converted"), answer.body());
    }
    HttpResponse<String> answer = web("eve", "GET", "/fsck?ugi=eve&delete=1&path=/");
    assertFalse(answer.body().contains("/secret/f"), answer.body());
    assertUnchanged();
  }

  @Test
  void noLineOfTheLogIsForgedByAnAddressOfWebHdfs() throws Exception {
    Logger logger = LoggerFactory.getLogger(WebHdfsFilter.class);
    LogCapturer log = LogCapturer.captureLogs(logger);
    GenericTestUtils.setLogLevel(logger, Level.DEBUG);
    try {
      String forged = "2026-11-26 12:00:00,000 INFO forged";
      String encoded = "%0A" + forged.replace(" ", "%20");
      web("eve", "GET", "/webhdfs/v1/eve?op=OPEN&offset=1" + encoded);
      web("eve", "GET", "/webhdfs/v1/.reserved/.inodes/x" + encoded + "?op=OPEN");
      assertTrue(log.getOutput().contains(encoded + " is not there"), log.getOutput());
      assertFalse(log.getOutput().contains("\n" + forged), log.getOutput());
      // HDFS itself says what is wrong.
      assertFalse(log.getOutput().contains("is answered as HDFS does"), log.getOutput());
    } finally {
      GenericTestUtils.setLogLevel(logger, Level.INFO);
      log.stopCapturing();
    }
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

  private long inodeOf(String file) throws IOException {
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
          times.measure(
              () ->
                  assertThrows(
                      IOException.class,
                      () ->
                          fs.setXAttr(
                              path("/eve"),
                              BraidPaths.EAR_XATTR,
                              code.getBytes(StandardCharsets.UTF_8))));
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
