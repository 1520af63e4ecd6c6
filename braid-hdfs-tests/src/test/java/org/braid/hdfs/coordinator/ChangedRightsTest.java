package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Writes that HDFS permits although it would have refused them when Braid asked. */
final class ChangedRightsTest {
  private static final Random RANDOM = Seeds.random(ChangedRightsTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String USER = "writer";
  private static final Path F = new Path("/d/f");
  private static ClusterFixture fixture;
  private static DistributedFileSystem writer;

  @BeforeAll
  static void start() throws Exception {
    fixture = new ClusterFixture(6, 6, SlowGroups.use());
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

  /** What a user does to a file. */
  private interface Write {
    void make() throws IOException;
  }

  /**
   * The writer may write to the file when Braid has looked, and not before; returns what failed.
   */
  private static String permittedMeanwhile(String in, Write write) throws Exception {
    AtomicReference<String> failure = new AtomicReference<>("");
    convert();
    CompletableFuture<Void> call =
        SlowGroups.begin(
            in,
            USER,
            () -> {
              try {
                write.make();
              } catch (IOException e) {
                failure.set(String.valueOf(e.getMessage()));
              }
            });
    fixture.fs.setPermission(F, new FsPermission((short) 0777));
    SlowGroups.end(call);
    return failure.get();
  }

  private static void convert() throws Exception {
    fixture.deleteAll();
    fixture.write(F.toString(), 2 * BLOCK + 500, 3, RANDOM);
    fixture.fs.setPermission(F.getParent(), new FsPermission((short) 0777));
    assertEquals(List.of(), fixture.convert("rs-3-2", F.toString()).skipped());
    fixture.fs.setPermission(F, new FsPermission((short) 0755));
  }

  private static List<BlockIdentity> blocks() throws Exception {
    return fixture.files(F.toString()).get(0).blocks().stream().map(BlockStatus::block).toList();
  }

  @Test
  void anAppendIsTakenBack() throws Exception {
    String failure =
        permittedMeanwhile(
            "FSNamesystem.appendFile",
            () -> {
              try (FSDataOutputStream out = writer.append(F)) {
                out.write(new byte[100]);
              }
            });
    List<BlockIdentity> encoded = blocks();
    assertTrue(failure.contains("is not what it was when this call came"), failure);
    assertEquals(2 * BLOCK + 500, fixture.fs.getFileStatus(F).getLen());
    assertTrue(fixture.fs.isFileClosed(F));
    fixture.assertConverted(F.toString());
    fixture.assertReads(F.toString());
    // Who asks again may.
    try (FSDataOutputStream out = writer.append(F)) {
      out.write(new byte[100]);
    }
    assertEquals(encoded, blocks().subList(0, 3));
    assertEquals(3, fixture.files(F.toString()).get(0).replication());
  }

  /**
   * Where whole blocks go that the stripe may need, nobody waits for rights that come later. Who
   * has them may; what stays is encoded as before and has copies all the same.
   */
  @Test
  void aCutIsRefusedAtOnceAndWhatItLeavesIsSafe() throws Exception {
    convert();
    String refused =
        assertThrows(AccessControlException.class, () -> writer.truncate(F, BLOCK)).getMessage();
    assertTrue(refused.startsWith("Permission denied: user=" + USER), refused);
    fixture.assertConverted(F.toString());
    fixture.fs.setPermission(F, new FsPermission((short) 0777));
    assertTrue(writer.truncate(F, BLOCK));
    Await.until("the file to be closed", () -> fixture.fs.isFileClosed(F));
    assertEquals(BLOCK, fixture.fs.getFileStatus(F).getLen());
    fixture.assertTolerant(F.toString());
    assertArrayEquals(
        Arrays.copyOf(fixture.content(F.toString()), BLOCK),
        ClusterFixture.read(fixture.fs, F.toString()));
  }

  /** What HDFS refuses is as it was. */
  @Test
  void whatStaysForbiddenIsLeftAlone() throws Exception {
    convert();
    List<BlockIdentity> before = blocks();
    for (Write write : List.<Write>of(() -> writer.append(F), () -> writer.truncate(F, BLOCK))) {
      String failure = "";
      try {
        write.make();
      } catch (IOException e) {
        failure = String.valueOf(e.getMessage());
      }
      assertTrue(failure.contains("Permission denied"), failure);
    }
    assertEquals(before, blocks());
    assertFalse(fixture.stripes().isEmpty());
    fixture.assertConverted(F.toString());
  }
}
