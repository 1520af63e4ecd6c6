package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HDFS knows a file by several names: what is guarded by one is guarded by all. */
final class OtherNamesTest {
  private static final Random RANDOM = Seeds.random(OtherNamesTest.class);
  private static final String F = "/d/f";
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(6, 6);

  @BeforeAll
  static void prepare() throws Exception {
    fixture.write(F, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    assertEquals(List.of(), fixture.convert("rs-3-2", F).skipped());
    fixture.assertConverted(F);
  }

  private static HttpResponse<String> web(String method, String request) throws Exception {
    String server = NetUtils.getHostPortString(fixture.hdfs.nameNode().getHttpAddress());
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://" + server + request + "&user.name=" + user + "&ugi=" + user))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static void assertThere() throws IOException {
    assertEquals(1, fixture.stripes().size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//.braid",
        "///.braid//stripes/",
        "/.braid//stripes",
        "/.reserved/.inodes/16385/.braid",
        "//.reserved/raw/.braid",
        "/.reserved/raw//.braid",
        "/.reserved/raw/.braid/"
      })
  void parityStays(String path) throws Exception {
    var client = fixture.fs.getClient();
    assertThrows(IOException.class, () -> client.delete(path, true));
    assertThere();
    assertThrows(IOException.class, () -> client.rename(path, "/elsewhere", Options.Rename.NONE));
    assertThere();
  }

  @ParameterizedTest
  @ValueSource(strings = {"//.braid", "/%2F.braid", "/.reserved/raw//.braid"})
  void parityStaysOverWebHdfs(String path) throws Exception {
    assertEquals(
        403, web("DELETE", "/webhdfs/v1" + path + "?op=DELETE&recursive=true").statusCode());
    assertThere();
  }

  /** As its clients are told by HDFS. */
  @Test
  void clientsOfWebHdfsAreToldWhy() throws Exception {
    URI uri =
        URI.create(
            "webhdfs://" + NetUtils.getHostPortString(fixture.hdfs.nameNode().getHttpAddress()));
    try (FileSystem web = FileSystem.newInstance(uri, fixture.hdfs.configuration())) {
      Path parity = new Path(fixture.stripes().get(0).parityPath());
      for (Executable call :
          List.<Executable>of(
              () -> web.delete(parity, false),
              () -> web.rename(parity, new Path("/elsewhere")),
              () -> web.removeXAttr(parity, BraidPaths.STRIPE_XATTR),
              () -> web.setXAttr(parity, BraidPaths.STRIPE_XATTR, new byte[1]))) {
        String said = String.valueOf(assertThrows(AccessControlException.class, call).getMessage());
        assertTrue(said.contains("run braid restore on the files first"), said);
      }
    }
    assertThere();
  }

  /** HDFS reads where a file is to go as a path of its clients, and so is it guarded. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "/d/..%s",
        "/.%s",
        "/d/.././%s",
        "//host%s",
        "/d/.././%s",
        "%%2Fd%%2F..%s",
        "/d/%%2e%%2e%s",
        "/%%2e%s/"
      })
  void parityIsNotReplacedOverWebHdfs(String form) throws Exception {
    String parity = fixture.stripes().get(0).parityPath();
    String onto = form.formatted(parity);
    for (String options : List.of("&renameoptions=OVERWRITE", "&RenameOptions=overwrite")) {
      fixture.fs.create(new Path("/own")).close();
      HttpResponse<String> answer =
          web("PUT", "/webhdfs/v1/own?op=RENAME&destination=" + onto + options);
      assertEquals(403, answer.statusCode(), answer.body());
      assertTrue(answer.body().contains("run braid restore on the files first"), answer.body());
      assertThere();
    }
    fixture.fs.delete(new Path("/own"), false);
  }

  /** The web server takes {@code ..} and parameters of a name out of a path, HDFS does not. */
  @Test
  void parityStaysWhateverTheWebServerReads() throws Exception {
    long stripes = fixture.fs.getClient().getFileInfo(BraidPaths.STRIPES).getFileId();
    String parent = ".reserved/.inodes/" + stripes + "/..";
    for (String address :
        List.of(
            "/webhdfs/v1/" + parent,
            "/webhdfs/v1/" + parent + "/x",
            "/webhdfs/v1/" + parent.replace("..", "%2e%2e"),
            "/webhdfs/v1;x=" + parent,
            "/web%68dfs/v1/.braid",
            "/12345678901" + parent + "/../../../webhdfs/v1/x",
            "/1234567890/" + parent + "/../../../../webhdfs/v1/x")) {
      HttpResponse<String> answer = web("DELETE", address + "?op=DELETE&recursive=true");
      assertTrue(
          answer.statusCode() == 403 || answer.statusCode() == 400,
          address + ": " + answer.statusCode() + " " + answer.body());
      assertThere();
    }
  }

  /** Versions of HDFS read what stands behind a semicolon differently. */
  @Test
  void aConvertedFileIsGuardedWhateverItsName() throws Exception {
    String named = "/e/f;x=1";
    fixture.write(named, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", named);
    for (String request :
        List.of(
            "/e/f;x=1?op=TRUNCATE&newlength=1",
            "/e/f%3Bx=1?op=TRUNCATE&newlength=1",
            "/e//f;x=1?op=TRUNCATE&newlength=1",
            F + ";x?op=TRUNCATE&newlength=1",
            F + ";x?op=CONCAT&sources=/e/g",
            "/e/g?op=CONCAT&sources=/e/f;x=1",
            "/e/g?op=CONCAT&sources=/e//f%3Bx=1/",
            "/e/g?op=CONCAT&sources=%2Fe%2Fnone,%2Fe%2Ff;x=1")) {
      fixture.fs.create(new Path("/e/g")).close();
      HttpResponse<String> answer = web("POST", "/webhdfs/v1" + request);
      assertEquals(403, answer.statusCode(), request + ": " + answer.body());
      assertTrue(answer.body().contains("is a converted file"), answer.body());
    }
    fixture.assertConverted(named);
    try (Cluster cluster = fixture.braid()) {
      cluster.restore("/e", Progress.SILENT);
    }
    fixture.fs.delete(new Path("/e"), true);
  }

  /** What such a request has begun ends with it. */
  @Test
  void aJoinOfNothingKeepsNoFileFromConversion() throws Exception {
    fixture.write("/e/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    HttpResponse<String> answer =
        web("POST", "/webhdfs/v1/e/f?op=CONCAT&sources=/.reserved/.inodes/abc");
    assertTrue(answer.statusCode() >= 400, answer.body());
    assertEquals(List.of(), fixture.convert("rs-3-2", "/e/f").skipped());
    try (Cluster cluster = fixture.braid()) {
      cluster.restore("/e", Progress.SILENT);
    }
    fixture.fs.delete(new Path("/e"), true);
  }

  @Test
  void fsckDeletesNoConvertedFile() throws Exception {
    long inode = fixture.fs.getClient().getFileInfo("/d").getFileId();
    for (String path :
        List.of(
            "/", "/d", "/d/", "//d", "/d/f", "/.reserved/raw/d", "/.reserved/.inodes/" + inode)) {
      String asked = URLEncoder.encode(path, StandardCharsets.UTF_8);
      for (String how : List.of("delete", "move")) {
        HttpResponse<String> answer = web("GET", "/fsck?path=" + asked + "&" + how + "=1");
        assertTrue(answer.body().startsWith("Braid refuses to have files below "), answer.body());
        assertTrue(answer.body().contains("/d/f and perhaps others are converted"), answer.body());
      }
    }
    fixture.fs.mkdirs(new Path("/other"));
    HttpResponse<String> other = web("GET", "/fsck?path=/other&delete=1");
    assertTrue(other.body().contains("HEALTHY"), other.body());
    fixture.fs.delete(new Path("/other"), true);
  }

  /** Parity is in files of one replica, which fsck takes for lost as soon as a node dies. */
  @Test
  void fsckDeletesNoParity() throws Exception {
    String parity = fixture.stripes().get(0).parityPath();
    long inode = fixture.fs.getClient().getFileInfo("/.braid").getFileId();
    for (String path :
        List.of(
            "/.braid",
            "//.braid/",
            "/.braid/stripes",
            "/.reserved/raw/.braid",
            "/.reserved/.inodes/" + inode,
            parity)) {
      String asked = URLEncoder.encode(path, StandardCharsets.UTF_8);
      for (String how : List.of("delete", "move")) {
        HttpResponse<String> answer = web("GET", "/fsck?path=" + asked + "&" + how + "=1");
        assertTrue(answer.body().startsWith("Braid refuses to have files below "), answer.body());
        assertTrue(answer.body().contains("the parity of 1 stripes is there"), answer.body());
      }
    }
    assertThere();
  }
}
