package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Prepared;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Right;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.testing.Await;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Braid does to converted files for eve's calls: to those alone that HDFS has her change. */
final class PreparedWritesTest {
  private static final UserGroupInformation EVE =
      UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
  private static final short ALL = 0777;
  private static final short NOBODY_ELSE = 0600;

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(4, 4, Map.of());
  private static NameNodeHost host;
  private static ConvertedWrites writes;

  @BeforeAll
  static void prepare() throws Exception {
    BraidNameNodePlugin plugin = fixture.plugin();
    host = plugin.host();
    writes = new ConvertedWrites(host, plugin.index(), new OpenWrites(), thinned -> {});
  }

  private static <T> T asEve(PrivilegedExceptionAction<T> action) throws Exception {
    return EVE.doAs(action);
  }

  /** A converted file of another's in a directory in which all may write. */
  private static void encode(String path, int mode) throws Exception {
    Path parent = new Path(path).getParent();
    fixture.fs.mkdirs(parent);
    fixture.fs.setPermission(parent, new FsPermission(ALL));
    fixture.encode(path);
    fixture.fs.setPermission(new Path(path), new FsPermission((short) mode));
  }

  private static void giveToEve(String path) throws IOException {
    fixture.fs.setOwner(new Path(path), "eve", "users");
  }

  /** Puts another file in the place of one. */
  private static void swap(String path, String another) throws IOException {
    assertTrue(fixture.fs.rename(new Path(path), new Path(path + "-away")));
    assertTrue(fixture.fs.rename(new Path(another), new Path(path)));
  }

  private static int replication(String path) throws IOException {
    return fixture.fs.getFileStatus(new Path(path)).getReplication();
  }

  /** How many replicas each block is to have. */
  private static List<Integer> expected(String path) throws IOException {
    return host.reading(
        "test",
        () ->
            Arrays.stream(host.inode(path).asFile().getBlocks())
                .map(block -> (int) block.getReplication())
                .toList());
  }

  @Test
  void noFileIsPreparedForAWriterThatTakesThePlaceOfOnesOwn() throws Exception {
    encode("/written/own", NOBODY_ELSE);
    encode("/written/secret", NOBODY_ELSE);
    giveToEve("/written/own");
    Prepared begun = asEve(() -> writes.begin("/written/own", Right.WRITE));
    assertNotEquals(0, begun.inode());
    swap("/written/own", "/written/secret");
    Prepared prepared =
        asEve(() -> writes.prepare("/written/own", Long.MAX_VALUE, Right.WRITE, begun));
    assertTrue(prepared.refused());
    assertFalse(prepared.raised());
    assertEquals(1, replication("/written/own"));
    assertEquals(1, replication("/written/own-away"));
    writes.done(prepared);
  }

  /** Of a file that is joined to another one HDFS asks for less, and for more. */
  @Test
  void noFileIsPreparedForBeingJoinedThatTakesThePlaceOfAnother() throws Exception {
    encode("/joined/open", 0644);
    encode("/joined/hidden", 0622);
    Prepared begun = asEve(() -> writes.begin("/joined/open", Right.JOIN));
    assertNotEquals(0, begun.inode());
    swap("/joined/open", "/joined/hidden");
    Prepared prepared =
        asEve(() -> writes.prepare("/joined/open", Long.MAX_VALUE, Right.JOIN, begun));
    assertTrue(prepared.refused());
    assertEquals(1, replication("/joined/open"));
    writes.done(prepared);
  }

  @Test
  void aFileIsPreparedForWhoeverMayJoinIt() throws Exception {
    encode("/sources/read", 0644);
    encode("/sources/write", 0622);
    Prepared read = asEve(() -> writes.prepareSource("/sources/read"));
    assertFalse(read.refused());
    assertTrue(read.raised());
    assertEquals(3, replication("/sources/read"));
    writes.done(read);
    Prepared write = asEve(() -> writes.prepareSource("/sources/write"));
    assertTrue(write.refused());
    assertEquals(1, replication("/sources/write"));
    // Nobody takes it out of a directory that is closed to him.
    encode("/closed/read", 0644);
    fixture.fs.setPermission(new Path("/closed"), new FsPermission((short) 0755));
    assertTrue(asEve(() -> writes.prepareSource("/closed/read")).refused());
    assertEquals(1, replication("/closed/read"));
  }

  /** A file that was written to: it has its replication back, and its blocks have one replica. */
  private static void writeTo(String path) throws IOException {
    try (FSDataOutputStream out = fixture.fs.append(new Path(path))) {
      out.write(new byte[100]);
    }
    assertEquals(3, replication(path));
    assertEquals(List.of(1, 1, 3), expected(path));
  }

  /** HDFS takes what it cuts off a quota times the replicas that each block aims at. */
  @ParameterizedTest
  @CsvSource({"0, false", "100, false", "4096, false", "0, true", "100, true", "4096, true"})
  void whatIsCutOffCountsForNoQuota(long length, boolean written) throws Exception {
    Path file = new Path("/cut-%d-%s/f".formatted(length, written));
    encode(file.toString(), ALL);
    if (written) {
      writeTo(file.toString());
    }
    fixture.fs.setQuota(file.getParent(), HdfsConstants.QUOTA_DONT_SET, 1L << 40);
    fixture.fs.truncate(file, length);
    Await.until(file + " to be closed", () -> fixture.fs.isFileClosed(file));
    assertEquals(
        fixture.fs.getContentSummary(file.getParent()).getSpaceConsumed(),
        fixture.fs.getQuotaUsage(file.getParent()).getSpaceConsumed());
  }

  /** HDFS has set the replication of a file that is somewhere else by now, or was before. */
  @Test
  void whatGetsReplicasIsTheFileWhoseReplicationWasSet() throws Exception {
    for (String name : List.of("/set/own", "/set/secret", "/set/next", "/set/later")) {
      encode(name, NOBODY_ELSE);
      writeTo(name);
    }
    UserReplication set = writes.replication();
    giveToEve("/set/own");
    long own = asEve(() -> set.fileAt("/set/own"));
    assertEquals(fixture.fs.getClient().getFileInfo("/set/own").getFileId(), own);
    swap("/set/own", "/set/secret");
    assertTrue(asEve(() -> set.set(own, "/set/own", 3)));
    assertEquals(List.of(1, 1, 3), expected("/set/own"), "another's");
    assertEquals(List.of(3, 3, 3), expected("/set/own-away"));
    // Before HDFS looked, another's file stood there.
    long others = asEve(() -> set.fileAt("/set/next"));
    assertEquals(0, others);
    giveToEve("/set/later");
    swap("/set/next", "/set/later");
    assertFalse(asEve(() -> set.set(others, "/set/next", 2)), "it has 3");
    assertTrue(asEve(() -> set.set(others, "/set/next", 3)));
    assertEquals(List.of(3, 3, 3), expected("/set/next"));
    assertEquals(List.of(1, 1, 3), expected("/set/next-away"));
    long none = asEve(() -> set.fileAt("/set/none"));
    assertEquals(0, none);
  }
}
