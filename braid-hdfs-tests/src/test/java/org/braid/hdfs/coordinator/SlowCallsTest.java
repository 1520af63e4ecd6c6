package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of users that wait in HDFS after Braid has looked at them, while much happens. */
final class SlowCallsTest {
  private static final Random RANDOM = Seeds.random(SlowCallsTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String USER = "writer";
  private static final String F = "/d/f";
  private static ClusterFixture fixture;
  private static DistributedFileSystem writer;

  @BeforeAll
  static void start() throws Exception {
    Map<String, String> settings = new HashMap<>(SlowGroups.use());
    // Else clients wait for ten seconds before they repeat what safe mode refused.
    settings.put("dfs.client.retry.policy.spec", "500,6");
    fixture = new ClusterFixture(6, 6, settings);
    writer =
        UserGroupInformation.createRemoteUser(USER)
            .doAs(
                (PrivilegedExceptionAction<DistributedFileSystem>) () -> fixture.hdfs.fileSystem());
  }

  @AfterAll
  static void stop() throws Exception {
    writer.close();
    fixture.close();
    SlowGroups.useNoMore();
  }

  @AfterEach
  void clear() throws Exception {
    SlowGroups.goOn();
    fixture.deleteAll();
  }

  private static void write(String path, int bytes) throws Exception {
    fixture.write(path, bytes, 3, RANDOM);
    fixture.fs.setPermission(new Path(path).getParent(), new FsPermission((short) 0777));
    fixture.fs.setPermission(new Path(path), new FsPermission((short) 0777));
  }

  private static CompletableFuture<Void> begin(
      SlowGroups.Work before, String in, SlowGroups.Work work) throws Exception {
    fixture.deleteAll();
    before.run();
    return SlowGroups.begin(in, USER, work);
  }

  private static void append() throws Exception {
    try (FSDataOutputStream out = writer.append(new Path(F))) {
      out.write(new byte[100]);
    }
    awaitReports(F);
  }

  /** HDFS closes a file when one DataNode has reported its last block: others do so later. */
  private static void awaitReports(String path) throws Exception {
    Await.until(
        "reports of " + path,
        () -> fixture.files(path).get(0).blocks(),
        blocks -> {
          BlockStatus last = blocks.get(blocks.size() - 1);
          return last.replicas().size() >= last.expected();
        });
  }

  private static void truncate(long length) throws Exception {
    writer.truncate(new Path(F), length);
  }

  private static Set<String> stripes() throws IOException {
    return fixture.stripes().stream()
        .map(status -> status.stripe().id())
        .collect(Collectors.toSet());
  }

  /** The call goes on when conversion has had the time to drop replicas. */
  private static void convertBeside(CompletableFuture<Void> call) throws Exception {
    Set<String> before = stripes();
    CompletableFuture<Void> conversion =
        CompletableFuture.runAsync(
            () -> {
              try {
                fixture.convert("rs-3-2", F);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Await.until("a stripe", () -> !before.containsAll(stripes()) || conversion.isDone());
    TimeUnit.SECONDS.sleep(2);
    SlowGroups.end(call);
    conversion.get(120, TimeUnit.SECONDS);
  }

  /** Every block in no stripe is to have as many replicas as it had. */
  private static void assertSafe() throws Exception {
    try (NameNodeCalls calls = fixture.calls()) {
      for (StoredFile file : fixture.files("/d")) {
        for (BlockStatus block : file.blocks()) {
          if (calls.stripesOf(List.of(block.block().id())).isEmpty()) {
            assertEquals(3, block.expected(), file.toString());
          }
        }
      }
    }
    fixture.assertTolerant("/d");
  }

  @Test
  void whatIsAppendedToWhileItIsConverted() throws Exception {
    CompletableFuture<Void> call =
        begin(() -> write(F, 2 * BLOCK + 500), "FSNamesystem.appendFile", SlowCallsTest::append);
    convertBeside(call);
    assertSafe();
  }

  @Test
  void whatIsCutWhileItIsConverted() throws Exception {
    CompletableFuture<Void> call =
        begin(
            () -> write(F, 2 * BLOCK + 500),
            "FSNamesystem.truncate",
            () -> truncate(2 * BLOCK + 100));
    convertBeside(call);
    Await.until("closed", () -> fixture.fs.isFileClosed(new Path(F)));
    assertSafe();
  }

  @Test
  void whatIsJoinedWhileItIsConverted() throws Exception {
    CompletableFuture<Void> call =
        begin(
            () -> {
              write(F, 3 * BLOCK);
              write("/d/g", 3 * BLOCK);
            },
            "FSNamesystem.concat",
            () -> writer.concat(new Path(F), new Path[] {new Path("/d/g")}));
    convertBeside(call);
    assertSafe();
  }

  /** As a stream that recovers does: it appends, then cuts. */
  @Test
  void whatWasAppendedIsCutWhileItIsConverted() throws Exception {
    CompletableFuture<Void> call =
        begin(
            () -> {
              write(F, 3 * BLOCK);
              assertEquals(List.of(), fixture.convert("rs-3-2", F).skipped());
              try (FSDataOutputStream out = fixture.fs.append(new Path(F))) {
                out.write(new byte[3 * BLOCK]);
              }
            },
            "FSNamesystem.truncate",
            () -> truncate(5 * BLOCK + 100));
    convertBeside(call);
    Await.until("closed", () -> fixture.fs.isFileClosed(new Path(F)));
    assertSafe();
  }

  /** A converted file at another path than that of the calls. */
  private static final String OTHER = "/d/other";

  private static void convertedOther(int bytes) throws Exception {
    write(OTHER, bytes);
    assertEquals(List.of(), fixture.convert("rs-3-2", OTHER).skipped());
    fixture.assertConverted(OTHER);
  }

  /** The other file takes the place of that which a call was begun with. */
  private static void takePlace(String path) throws Exception {
    assertTrue(fixture.fs.rename(new Path(path), new Path("/d/away")));
    assertTrue(fixture.fs.rename(new Path(OTHER), new Path(path)));
  }

  private static List<BlockIdentity> identities(String path) throws Exception {
    return fixture.files(path).get(0).blocks().stream().map(BlockStatus::block).toList();
  }

  private static List<Integer> replication(String path) throws Exception {
    return fixture.files(path).get(0).blocks().stream().map(BlockStatus::expected).toList();
  }

  private static void awaitClosed(String path) throws Exception {
    Await.until(path + " to be closed", () -> fixture.fs.isFileClosed(new Path(path)));
  }

  private static void assertRefused(CompletableFuture<Void> call) {
    String said =
        String.valueOf(
            assertThrows(ExecutionException.class, () -> SlowGroups.end(call)).getMessage());
    assertTrue(
        said.contains(
            "is not what it was when this call came: nothing is written to it; call again"),
        said);
  }

  /** Groups are asked for before anything is looked at, as long as that takes. */
  @Test
  void whatStandsThereWhenTheCallerIsKnownIsPrepared() throws Exception {
    CompletableFuture<Void> call =
        begin(
            () -> {
              write(F, 100);
              convertedOther(2 * BLOCK + 500);
            },
            "GuardedCalls.appendPrepared",
            SlowCallsTest::append);
    List<BlockIdentity> encoded = identities(OTHER);
    takePlace(F);
    SlowGroups.end(call);
    assertEquals(encoded, identities(F).subList(0, 3));
    assertEquals(List.of(1, 1, 1, 3), replication(F));
    fixture.assertTolerant("/d");
    call =
        begin(
            () -> {
              write(F, 100);
              convertedOther(3 * BLOCK);
            },
            "GuardedCalls.truncate",
            () -> truncate(2 * BLOCK + 100));
    takePlace(F);
    SlowGroups.end(call);
    awaitClosed(F);
    assertEquals(3, replication(F).get(2));
    Await.until("replicas of what is left of the stripe", () -> isTolerant("/d"));
  }

  /** Also while HDFS has the call already: what it opened is closed as it was. */
  @ParameterizedTest
  @ValueSource(ints = {2 * BLOCK + 500, 3 * BLOCK})
  void anAppendToWhatTookThePathIsTakenBack(int bytes) throws Exception {
    CompletableFuture<Void> call =
        begin(
            () -> {
              write(F, 2 * BLOCK + 500);
              convertedOther(bytes);
            },
            "FSNamesystem.appendFile",
            SlowCallsTest::append);
    List<BlockIdentity> encoded = identities(OTHER);
    takePlace(F);
    assertRefused(call);
    assertTrue(fixture.fs.isFileClosed(new Path(F)));
    assertEquals(encoded, identities(F));
    fixture.assertConverted(F);
    assertEquals(List.of(1, 1, 1), replication(F));
    assertArrayEquals(fixture.content(OTHER), ClusterFixture.read(fixture.fs, F));
    append();
    assertEquals(encoded, identities(F).subList(0, 3));
    assertEquals(List.of(1, 1, 1, 3), replication(F));
    fixture.assertTolerant("/d");
    assertEquals(List.of(3, 3, 3), replication("/d/away"));
  }

  /** What was prepared is as it was, and what HDFS opened otherwise than asked for is closed. */
  @Test
  void anAppendThatWasPreparedForAnotherFileIsTakenBack() throws Exception {
    CompletableFuture<Void> call =
        begin(
            () -> {
              convertedOther(2 * BLOCK + 500);
              assertTrue(fixture.fs.rename(new Path(OTHER), new Path(F)));
              write(OTHER, 500);
            },
            "FSNamesystem.appendFile",
            SlowCallsTest::append);
    takePlace(F);
    assertRefused(call);
    assertTrue(fixture.fs.isFileClosed(new Path(F)));
    fixture.assertConverted("/d/away");
    append();
    assertEquals(600, fixture.fs.getFileStatus(new Path(F)).getLen());
    assertEquals(List.of(3), replication(F));
    fixture.assertTolerant("/d");
  }

  /** HDFS itself knows no such thing. */
  @Test
  void anAppendToAnotherFileThatIsNotConvertedGoesOn() throws Exception {
    CompletableFuture<Void> call =
        begin(
            () -> {
              write(F, 500);
              write(OTHER, 600);
            },
            "FSNamesystem.appendFile",
            SlowCallsTest::append);
    takePlace(F);
    SlowGroups.end(call);
    assertEquals(700, fixture.fs.getFileStatus(new Path(F)).getLen());
    assertEquals(500, fixture.fs.getFileStatus(new Path("/d/away")).getLen());
  }

  /** What was judged is what is cut: no other file takes its place meanwhile. */
  @Test
  void noFileTakesThePlaceOfOneThatIsBeingCut() throws Exception {
    int cut = BLOCK + 100;
    CompletableFuture<Void> call =
        begin(
            () -> {
              write(F, 3 * BLOCK);
              convertedOther(3 * BLOCK);
            },
            "FSNamesystem.truncate",
            () -> truncate(cut));
    Configuration conf = new Configuration(fixture.hdfs.configuration());
    conf.setBoolean(HdfsClientConfigKeys.Retry.POLICY_ENABLED_KEY, false);
    try (FileSystem once = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      Path away = new Path("/d/away");
      String refused =
          assertThrows(IOException.class, () -> once.rename(new Path(F), away)).getMessage();
      assertTrue(refused.contains("something is being removed there; try again"), refused);
    }
    SlowGroups.end(call);
    awaitClosed(F);
    assertEquals(cut, fixture.fs.getFileStatus(new Path(F)).getLen());
    takePlace(F);
    fixture.assertConverted(F);
    fixture.assertTolerant("/d");
  }

  /** Joined are a converted file and one that is not, in the place of the target or the source. */
  @ParameterizedTest
  @ValueSource(strings = {F, "/d/g"})
  void whatIsJoinedInThePlaceOfAnotherFileIsReplicated(String taken) throws Exception {
    CompletableFuture<Void> call =
        begin(
            () -> {
              write(F, 3 * BLOCK);
              write("/d/g", 3 * BLOCK);
              convertedOther(3 * BLOCK);
            },
            "FSNamesystem.concat",
            () -> writer.concat(new Path(F), new Path[] {new Path("/d/g")}));
    takePlace(taken);
    SlowGroups.end(call);
    List<Integer> expected = replication(F);
    assertEquals(
        List.of(3, 3, 3), taken.equals(F) ? expected.subList(3, 6) : expected.subList(0, 3));
    assertEquals(3, fixture.fs.getFileStatus(new Path(F)).getReplication());
    Await.until("replicas", () -> isTolerant("/d"));
  }

  private static void cutOverWeb(int length, int status) throws Exception {
    cutOverWeb(F, length, status);
  }

  private static void cutOverWeb(String path, int length, int status) throws Exception {
    URI uri =
        URI.create(
            "http://%s/webhdfs/v1%s?op=TRUNCATE&newlength=%d&user.name=%s"
                .formatted(
                    NetUtils.getHostPortString(fixture.hdfs.nameNode().getHttpAddress()),
                    path,
                    length,
                    USER));
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()).build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(status, answer.statusCode(), answer.body());
  }

  /**
   * A file that took the path is cut, where nobody knew before which one that would be: Hadoop 3.5
   * leaves out what stands behind the semicolon.
   *
   * @param cut at which length: inside a block, between blocks, to nothing
   */
  @ParameterizedTest
  @ValueSource(ints = {2 * BLOCK + 100, BLOCK + 100, BLOCK, 0})
  void whatWebHdfsCutsInThePlaceOfAnotherFileIsReplicated(int cut) throws Exception {
    assumeTrue(VersionInfo.getVersion().startsWith("3.5"), VersionInfo.getVersion());
    CompletableFuture<Void> call =
        begin(
            () -> {
              write(F, 3 * BLOCK);
              convertedOther(3 * BLOCK);
            },
            "FSNamesystem.truncate",
            () -> cutOverWeb(F + ";x", cut, 200));
    takePlace(F);
    SlowGroups.end(call);
    awaitClosed(F);
    assertEquals(cut, fixture.fs.getFileStatus(new Path(F)).getLen());
    Await.until(
        "blocks that are cut, or whose stripe lost others, to have replicas",
        () -> replication(F),
        expected -> expected.stream().skip(cut / BLOCK).allMatch(r -> r == 3));
    Await.until("replicas", () -> isTolerant("/d"));
    append();
    List<Integer> now = replication(F);
    assertEquals(3, now.get(now.size() - 1), now.toString());
  }

  @Test
  void whatStandsThereWhenWebHdfsKnowsTheCallerIsGuarded() throws Exception {
    CompletableFuture<Void> call =
        begin(
            () -> {
              write(F, 3 * BLOCK);
              convertedOther(3 * BLOCK);
            },
            "ToolFilter.begin",
            () -> cutOverWeb(2 * BLOCK + 100, 403));
    takePlace(F);
    SlowGroups.end(call);
    fixture.assertConverted(F);
    fixture.assertTolerant("/d");
  }

  private static boolean isTolerant(String path) throws Exception {
    try {
      fixture.assertTolerant(path);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  private interface Call {
    void make() throws Exception;
  }

  /** HDFS looks at safe mode after it has asked for groups; Braid does before. */
  private static void assertRefusedInSafeMode(Call call) throws Exception {
    fixture.fs.setSafeMode(SafeModeAction.ENTER);
    try {
      IOException refused = assertThrows(IOException.class, call::make);
      assertTrue(refused.getMessage().contains("Name node is in safe mode"), refused.toString());
    } finally {
      fixture.fs.setSafeMode(SafeModeAction.LEAVE);
    }
    fixture.assertConverted(F);
    fixture.assertReads(F);
  }

  @Test
  void safeModeThatEndsDuringACallIsNoWayRound() throws Exception {
    write(F, 2 * BLOCK + 500);
    assertEquals(List.of(), fixture.convert("rs-3-2", F).skipped());
    var client = writer.getClient();
    assertRefusedInSafeMode(SlowCallsTest::append);
    assertRefusedInSafeMode(() -> client.truncate(F, 10));
    assertRefusedInSafeMode(() -> client.delete(F, false));
    assertRefusedInSafeMode(() -> writer.create(new Path(F), true));
  }
}
