package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.datanode.NodeHeartbeats;
import org.braid.hdfs.namenode.calls.PathState;
import org.braid.hdfs.namenode.calls.Removal;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as a change of what a call is about to remove. */
final class PathStateTest {
  private static final Path TREE = new Path("/tree");
  private static final Path DEEP = new Path("/tree/a/b/c");
  private static final Path FILE = new Path("/tree/a/b/c/file");
  private static final Path OTHER = new Path("/other");

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(1, 1, Map.of());
  private static NameNodeHost host;

  @BeforeAll
  static void prepare() throws Exception {
    host = fixture.plugin().host();
  }

  @BeforeEach
  void write() throws Exception {
    fixture.write(FILE.toString(), 2, 1);
    fixture.write(OTHER.toString(), 1, 1);
  }

  @AfterEach
  void clear() throws Exception {
    fixture.fs.delete(TREE, true);
    fixture.fs.delete(OTHER, true);
  }

  private static PathState tree() throws IOException {
    return PathState.of(host, Removal.tree(TREE.toString())).whole();
  }

  private static PathState file() throws IOException {
    return PathState.of(host, Removal.file(FILE.toString())).whole();
  }

  private interface Change {
    void make() throws IOException;
  }

  private static void assertNoticed(PathState state, Change change) throws IOException {
    assertTrue(state.isUnchanged());
    change.make();
    assertFalse(state.isUnchanged());
    assertFalse(state.isUnchanged(), "the same later");
  }

  private static void append(Path path) throws IOException {
    try (FSDataOutputStream out = fixture.fs.append(path)) {
      out.write(1);
    }
  }

  @Test
  void whatIsMadeBelowIsNoticed() throws Exception {
    assertNoticed(tree(), () -> fixture.fs.create(new Path(DEEP, "new")).close());
    assertNoticed(tree(), () -> fixture.fs.mkdirs(new Path(DEEP, "directory")));
  }

  @Test
  void whatIsMovedBelowIsNoticed() throws Exception {
    assertNoticed(tree(), () -> fixture.fs.rename(OTHER, new Path(DEEP, "moved")));
  }

  /** Also beside a file whose time lies in the future, and which counts as newest for ever. */
  @Test
  void appendsAreNoticed() throws Exception {
    Path future = new Path(TREE, "future");
    fixture.fs.create(future).close();
    fixture.fs.setTimes(future, System.currentTimeMillis() + 3_600_000, -1);
    assertNoticed(tree(), () -> append(FILE));
    assertNoticed(file(), () -> append(FILE));
  }

  /** An append that has not written anything yet is going to. */
  @Test
  void filesThatAreOpenedAreNoticed() throws Exception {
    PathState tree = tree();
    PathState file = file();
    try (FSDataOutputStream out = fixture.fs.append(FILE)) {
      assertFalse(tree.isUnchanged());
      assertFalse(file.isUnchanged());
      out.write(1);
    }
  }

  @Test
  void cutsAreNoticed() throws Exception {
    assertNoticed(file(), () -> fixture.fs.truncate(FILE, NameNodeFixture.BLOCK));
    assertNoticed(tree(), () -> fixture.fs.truncate(FILE, 0));
  }

  /**
   * HDFS has a cut carried out by a DataNode, after it has answered: no other write. Also where a
   * snapshot keeps the block that is cut.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCutThatEndsIsNoChange(boolean snapshot) throws Exception {
    if (snapshot) {
      fixture.fs.allowSnapshot(TREE);
      fixture.fs.createSnapshot(TREE, "before");
    }
    NodeHeartbeats.set(fixture.cluster.dataNode(0), false);
    assertFalse(fixture.fs.truncate(FILE, NameNodeFixture.BLOCK / 2));
    PathState tree = tree();
    PathState file = file();
    assertTrue(file.isUnchanged());
    NodeHeartbeats.set(fixture.cluster.dataNode(0), true);
    Await.until("the cut", () -> fixture.fs.getClient().isFileClosed(FILE.toString()));
    assertEquals(NameNodeFixture.BLOCK / 2, fixture.fs.getFileStatus(FILE).getLen());
    assertTrue(tree.isUnchanged());
    assertTrue(file.isUnchanged());
    try (FSDataOutputStream out = fixture.fs.append(FILE)) {
      assertFalse(tree.isUnchanged());
      assertFalse(file.isUnchanged());
      out.write(1);
    }
    assertFalse(tree.isUnchanged());
    assertFalse(file.isUnchanged());
    if (snapshot) {
      fixture.fs.deleteSnapshot(TREE, "before");
      fixture.fs.disallowSnapshot(TREE);
    }
  }

  @Test
  void anotherFileOfThePathIsNoticed() throws Exception {
    fixture.fs.setTimes(FILE, 17, -1);
    fixture.fs.setTimes(OTHER, 17, -1);
    assertNoticed(
        file(),
        () -> {
          fixture.fs.delete(FILE, false);
          fixture.fs.rename(OTHER, FILE);
        });
  }

  @Test
  void anotherFileThatIsToTakeThePlaceIsNoticed() throws Exception {
    Removal replaced = Removal.replaced(FILE.toString(), OTHER.toString());
    assertNoticed(
        PathState.of(host, replaced),
        () -> {
          fixture.fs.delete(OTHER, false);
          fixture.fs.create(OTHER).close();
        });
  }

  /** To refuse what came between the call and the first look, nobody needs the state before. */
  @Test
  void whatIsNewerThanTheCallIsNotHeld() throws Exception {
    PathState came = PathState.of(host, Removal.tree(TREE.toString()));
    fixture.fs.create(new Path(DEEP, "new")).close();
    String said = String.valueOf(assertThrows(IOException.class, came::whole).getMessage());
    assertTrue(said.contains("/tree is not what it was when this call came"), said);
    assertTrue(tree().isUnchanged());
  }

  /** What leaves contents alone is no change; more than one hold of the lock looks at all. */
  @Test
  void whatChangesNoContentIsNoChange() throws Exception {
    for (int i = 0; i < 2500; i++) {
      assertTrue(fixture.fs.mkdirs(new Path(DEEP, "d" + i)));
    }
    PathState tree = tree();
    PathState file = file();
    fixture.fs.setReplication(FILE, (short) 3);
    fixture.fs.setPermission(FILE, new FsPermission((short) 0700));
    append(OTHER);
    assertTrue(tree.isUnchanged());
    assertTrue(file.isUnchanged());
    assertNoticed(tree, () -> fixture.fs.mkdirs(new Path(DEEP, "d2499/new")));
  }

  /** A snapshot is its number: names are given anew. */
  @Test
  void anotherSnapshotOfTheNameIsNoticed() throws Exception {
    fixture.fs.allowSnapshot(TREE);
    fixture.fs.createSnapshot(TREE, "s");
    PathState state = snapshot("s");
    append(FILE);
    fixture.fs.createSnapshot(TREE, "t");
    assertTrue(state.isUnchanged(), "what happens beside the snapshot");
    fixture.fs.deleteSnapshot(TREE, "s");
    assertFalse(state.isUnchanged());
    fixture.fs.createSnapshot(TREE, "s");
    assertFalse(state.isUnchanged());
    assertNoticed(
        snapshot("s"),
        () -> {
          fixture.fs.renameSnapshot(TREE, "s", "kept");
          fixture.fs.createSnapshot(TREE, "s");
        });
    for (String name : List.of("s", "t", "kept")) {
      fixture.fs.deleteSnapshot(TREE, name);
    }
    fixture.fs.disallowSnapshot(TREE);
  }

  private static PathState snapshot(String name) throws IOException {
    return PathState.of(host, Removal.snapshot(TREE.toString(), name)).whole();
  }
}
