package org.braid.hdfs.namenode.deferral;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.rpc.BraidPaths;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which block a WebHDFS request needs, as HDFS chooses a node to redirect it to. */
final class NeededBlockTest {
  private static final Path DIRECTORY = new Path("/snapped");
  private static final Path FILE = new Path(DIRECTORY, "f");
  private static final Path IN_SNAPSHOT = new Path(DIRECTORY, ".snapshot/before/f");
  private static final OptionalLong LAST = OptionalLong.empty();

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.wiped(1, 1, Map.of());

  private List<Long> before = List.of();
  private long block;
  private long length;

  @BeforeEach
  void writeAndSnapshot() throws Exception {
    fixture.write(FILE.toString(), 3, 1);
    before = ids();
    block = fixture.fs.getFileStatus(FILE).getBlockSize();
    length = fixture.fs.getFileStatus(FILE).getLen();
    fixture.fs.allowSnapshot(DIRECTORY);
    fixture.fs.createSnapshot(DIRECTORY, "before");
  }

  /** The blocks of the file as it is now. */
  private static List<Long> ids() throws IOException {
    return fixture.fs.getClient().getLocatedBlocks(FILE.toString(), 0).getLocatedBlocks().stream()
        .map(located -> located.getBlock().getBlockId())
        .toList();
  }

  private static long at(Path path, OptionalLong offset) throws IOException {
    return NeededBlock.at(fixture.plugin().host(), path.toString(), offset);
  }

  @Test
  void isTheOneOfTheByte() throws Exception {
    assertEquals(before.get(0), at(FILE, OptionalLong.of(block - 1)));
    assertEquals(before.get(1), at(FILE, OptionalLong.of(block)));
    assertEquals(before.get(2), at(FILE, LAST));
    assertEquals(-1, at(FILE, OptionalLong.of(length)));
    assertEquals(-1, at(new Path(DIRECTORY, "none"), LAST));
    assertEquals(-1, at(DIRECTORY, LAST));
    long number = fixture.fs.getClient().getFileInfo(FILE.toString()).getFileId();
    assertEquals(before.get(2), at(new Path(BraidPaths.inode(number)), LAST));
  }

  @Test
  void ofASnapshotIsOneThatTheFileHadThoughItWasCutSince() throws Exception {
    assertTrue(fixture.fs.truncate(FILE, block));
    assertEquals(before.get(0), at(FILE, LAST));
    assertEquals(-1, at(FILE, OptionalLong.of(2 * block)));
    assertEquals(before.get(2), at(IN_SNAPSHOT, LAST));
    assertEquals(before.get(2), at(IN_SNAPSHOT, OptionalLong.of(2 * block)));
  }

  /** HDFS redirects to any node then, or refuses the request. */
  @Test
  void ofAnEmptyFileAndBeforeItsBeginningThereIsNone() throws Exception {
    assertEquals(-1, at(FILE, OptionalLong.of(-1)));
    Path file = new Path(DIRECTORY, "g");
    fixture.fs.create(file).close();
    assertEquals(-1, at(file, LAST));
    fixture.fs.createSnapshot(DIRECTORY, "empty");
    try (FSDataOutputStream out = fixture.fs.append(file)) {
      out.write(new byte[100]);
    }
    assertEquals(-1, at(new Path(DIRECTORY, ".snapshot/empty/g"), LAST));
  }

  @Test
  void ofASnapshotIsNoneThatTheFileGotSince() throws Exception {
    EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK);
    try (FSDataOutputStream out = fixture.fs.append(FILE, flags, 4096, null)) {
      out.write(new byte[100]);
    }
    assertEquals(ids().get(3), at(FILE, LAST));
    assertEquals(before.get(2), at(IN_SNAPSHOT, LAST));
    assertEquals(-1, at(IN_SNAPSHOT, OptionalLong.of(length)));
  }
}
