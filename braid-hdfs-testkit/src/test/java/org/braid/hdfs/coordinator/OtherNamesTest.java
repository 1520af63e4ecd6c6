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
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HDFS knows a file by several names: what is guarded by one is guarded by all. */
final class OtherNamesTest {
  private static final Random RANDOM = Seeds.random(OtherNamesTest.class);
  private static final String F = "/d/f";
  private static ClusterFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    fixture = new ClusterFixture(6, 6);
    fixture.write(F, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    assertEquals(List.of(), fixture.convert("rs-3-2", F).skipped());
    fixture.assertConverted(F);
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
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
    fixture.fs.delete(new org.apache.hadoop.fs.Path("/e"), true);
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
    HttpResponse<String> other = web("GET", "/fsck?path=/.braid&delete=1");
    assertTrue(other.body().contains("HEALTHY"), other.body());
  }
}
