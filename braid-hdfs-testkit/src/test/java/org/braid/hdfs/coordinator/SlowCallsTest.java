package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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
    Map<String, String> groups =
        Map.of("hadoop.security.group.mapping", SlowGroups.class.getName());
    groups(groups);
    fixture = new ClusterFixture(6, 6, groups);
    writer =
        UserGroupInformation.createRemoteUser(USER)
            .doAs(
                (PrivilegedExceptionAction<DistributedFileSystem>) () -> fixture.hdfs.fileSystem());
  }

  @AfterAll
  static void stop() throws Exception {
    writer.close();
    fixture.close();
    groups(Map.of());
  }

  /** HDFS keeps the groups that some other test gave its users. */
  private static void groups(Map<String, String> settings) {
    Configuration conf = new Configuration();
    settings.forEach(conf::set);
    UserGroupInformation.reset();
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    UserGroupInformation.setConfiguration(conf);
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
    return SlowGroups.begin(
        () -> {
          fixture.deleteAll();
          before.run();
        },
        in,
        USER,
        work);
  }

  private static void append() throws Exception {
    try (FSDataOutputStream out = writer.append(new Path(F))) {
      out.write(new byte[100]);
    }
  }

  private static void truncate(long length) throws Exception {
    writer.truncate(new Path(F), length);
  }

  /** The call goes on when conversion has had the time to drop replicas. */
  private static void convertBeside(CompletableFuture<Void> call) throws Exception {
    int before = fixture.stripes().size();
    CompletableFuture<Void> conversion =
        CompletableFuture.runAsync(
            () -> {
              try {
                fixture.convert("rs-3-2", F);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Await.until("a stripe", () -> fixture.stripes().size() > before || conversion.isDone());
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
        begin(() -> write(F, 2 * BLOCK + 500), "appendFile", SlowCallsTest::append);
    convertBeside(call);
    assertSafe();
  }

  @Test
  void whatIsCutWhileItIsConverted() throws Exception {
    CompletableFuture<Void> call =
        begin(() -> write(F, 2 * BLOCK + 500), "truncate", () -> truncate(2 * BLOCK + 100));
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
            "concat",
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
            "truncate",
            () -> truncate(5 * BLOCK + 100));
    convertBeside(call);
    Await.until("closed", () -> fixture.fs.isFileClosed(new Path(F)));
    assertSafe();
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
