package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.PersistRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.testing.BlockSafety;
import org.braid.hdfs.testing.BlockSafety.Protection;
import org.braid.testing.Await;

/**
 * Two files of two blocks each that share two stripes, what coordinators propose for them, and what
 * users do to the first one. Parity is random, as nothing is decoded here.
 */
final class DecisionWorld implements AutoCloseable {
  /** What a coordinator proposes, by what it knew when the files were written. */
  enum Decision {
    STAGE_0,
    STAGE_1,
    PUBLISH_0,
    PUBLISH_1,
    TRIM_0,
    TRIM_1,
    PERSIST_A,
    PERSIST_B,
    PROTECT_0,
    PROTECT_1,
    RAISE_A,
    RAISE_B,
    SWEEP;

    /** A conversion and a restoration. */
    static final List<Decision> SCRIPT =
        List.of(
            STAGE_0, STAGE_1, PUBLISH_0, PUBLISH_1, TRIM_0, TRIM_1, PERSIST_A, PERSIST_B, RAISE_A,
            RAISE_B, SWEEP);
  }

  /** What a user does. */
  enum UserCall {
    APPEND,
    APPEND_BLOCKS,
    TRUNCATE_BLOCK,
    TRUNCATE_INSIDE,
    TRUNCATE_ALL,
    CONCAT_ONTO,
    CONCAT_AWAY,
    RENAME,
    CHANGE_PLACES,
    DELETE,
    DELETE_PARENT,
    OVERWRITE,
    REPLACE,
    RAISE_REPLICATION,
    LOWER_REPLICATION,
    SNAPSHOT,
    SNAPSHOT_AND_DELETE,
    SNAPSHOT_AND_TRUNCATE,
    SNAPSHOT_AND_OVERWRITE,
    DROP_SNAPSHOTS,
    FILL_QUOTA,
    CLOSE_TO_OTHERS
  }

  private static final int BLOCK = NameNodeFixture.BLOCK;
  private static final int FILE = 2 * BLOCK - 100;
  private static final short THREE = 3;

  private final NameNodeFixture fixture;
  private final DistributedFileSystem fs;
  private final Random random;
  private final String root;
  private final BlockSafety safety;

  /** What stands where. */
  private final Map<String, byte[]> contents = new TreeMap<>();

  private final FileProto seenA;
  private final FileProto seenB;
  private final Map<Integer, StripeProto> stripes = new TreeMap<>();
  private final List<String> ids = new ArrayList<>();

  /** Where the first file is; empty when it is gone. */
  private String a;

  private int made;

  /** Two files. */
  DecisionWorld(NameNodeFixture fixture, int number) throws Exception {
    this.fixture = fixture;
    this.fs = fixture.fs;
    this.random = new Random(number);
    this.root = "/w" + number;
    this.safety = new BlockSafety(fixture.plugin(), root);
    this.a = root + "/d/a";
    begin(a, FILE);
    begin(b(), FILE);
    awaitReplicas(a);
    awaitReplicas(b());
    seenA = fixture.file(a);
    seenB = fixture.file(b());
    assertSafe();
  }

  private String b() {
    return root + "/e/b";
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private void write(String path, int length) throws IOException {
    begin(path, length);
    awaitReplicas(path);
  }

  private void begin(String path, int length) throws IOException {
    byte[] content = bytes(length);
    try (FSDataOutputStream out = fs.create(new Path(path), true, 4096, THREE, BLOCK)) {
      out.write(content);
    }
    contents.put(path, content);
  }

  private void awaitReplicas(String path) throws IOException {
    Await.until(
        path + " to have its replicas",
        () ->
            fixture.file(path).getBlocksList().stream()
                .allMatch(block -> block.getComplete() && block.getReplicasCount() == THREE));
  }

  /** Proposes something, which may be refused. */
  void propose(Decision decision) throws Exception {
    try {
      switch (decision) {
        case STAGE_0 -> stage(0);
        case STAGE_1 -> stage(1);
        case PUBLISH_0 -> publish(0);
        case PUBLISH_1 -> publish(1);
        case TRIM_0 -> trim(0);
        case TRIM_1 -> trim(1);
        case PERSIST_A -> persist(seenA.getInode());
        case PERSIST_B -> persist(seenB.getInode());
        case PROTECT_0 -> protect(0);
        case PROTECT_1 -> protect(1);
        case RAISE_A -> fixture.raise(seenA.getInode(), THREE);
        case RAISE_B -> fixture.raise(seenB.getInode(), THREE);
        case SWEEP -> fixture.sweep(ids.toArray(String[]::new));
      }
    } catch (IOException e) {
      // Refused, which is always safe.
    }
  }

  private void stage(int stripe) throws Exception {
    List<BlockStatusProto> blocks = List.of(seenA.getBlocks(stripe), seenB.getBlocks(stripe));
    for (BlockStatusProto block : blocks) {
      var present = fixture.block(block.getBlock().getId());
      if (present == null
          || !present.isComplete()
          || present.getGenerationStamp() != block.getBlock().getGeneration()
          || present.getNumBytes() != block.getBlock().getLength()) {
        return; // nobody could have encoded it
      }
    }
    StripeProto staged = fixture.stage("rs-2-1", blocks, UnaryOperator.identity());
    stripes.put(stripe, staged);
    ids.add(staged.getId());
  }

  private void publish(int stripe) throws IOException {
    StripeProto staged = stripes.get(stripe);
    if (staged != null) {
      Path published = new Path(BraidPaths.stripePath(staged.getId()));
      fs.mkdirs(published.getParent());
      var left = fs.listStatus(new Path(BraidPaths.stagingDirectory(staged.getId())));
      if (left.length > 0) {
        fs.rename(left[0].getPath(), published);
      }
    }
  }

  private void trim(int stripe) throws IOException {
    if (stripes.containsKey(stripe)) {
      fixture.trim(stripes.get(stripe).getId());
    }
  }

  private void protect(int stripe) throws IOException {
    if (stripes.containsKey(stripe)) {
      fixture.protect(stripes.get(stripe).getId());
    }
  }

  private void persist(long inode) throws IOException {
    fixture.renew();
    Rpc.call(
        () ->
            fixture.stub.persist(
                null,
                PersistRequestProto.newBuilder().setLease(fixture.lease).setInode(inode).build()));
  }

  /** Makes a user's call; returns whether HDFS accepted it. */
  boolean make(UserCall call) throws Exception {
    if (a.isEmpty()) {
      return false;
    }
    made++;
    try {
      act(call);
      return true;
    } catch (IOException e) {
      refused(call);
      return false;
    }
  }

  /** What a call that a quota broke off has left: all that was there, but for an overwriting. */
  private void refused(UserCall call) throws IOException {
    boolean overwrites = call == UserCall.OVERWRITE || call == UserCall.SNAPSHOT_AND_OVERWRITE;
    if (overwrites || call == UserCall.APPEND || call == UserCall.APPEND_BLOCKS) {
      byte[] before = contents.remove(a);
      try (FSDataInputStream in = fs.open(new Path(a))) {
        byte[] now = in.readAllBytes();
        if (!overwrites) {
          assertArrayEquals(before, Arrays.copyOf(now, before.length), a);
        }
        contents.put(a, now);
      }
    }
  }

  private void act(UserCall call) throws Exception {
    switch (call) {
      case APPEND -> append(50);
      case APPEND_BLOCKS -> append(BLOCK + 10);
      case TRUNCATE_BLOCK -> truncate(BLOCK);
      case TRUNCATE_INSIDE -> truncate(BLOCK + 500);
      case TRUNCATE_ALL -> truncate(0);
      case CONCAT_ONTO -> concat(a, another());
      case CONCAT_AWAY -> {
        String target = another();
        concat(target, a);
        a = target;
      }
      case RENAME -> move(root + "/x" + made + "/a");
      case CHANGE_PLACES -> changePlaces();
      case DELETE -> delete(a);
      case DELETE_PARENT -> delete(a.substring(0, a.lastIndexOf('/')));
      case OVERWRITE -> write(a, BLOCK + 7);
      case REPLACE -> {
        String other = another();
        fs.rename(new Path(other), new Path(a), Options.Rename.OVERWRITE);
        contents.put(a, contents.remove(other));
      }
      case RAISE_REPLICATION -> fs.setReplication(new Path(a), THREE);
      case LOWER_REPLICATION -> fs.setReplication(new Path(a), (short) 2);
      case SNAPSHOT -> snapshot();
      case SNAPSHOT_AND_DELETE -> {
        snapshot();
        delete(a);
      }
      case SNAPSHOT_AND_TRUNCATE -> {
        snapshot();
        truncate(BLOCK + 500);
      }
      case SNAPSHOT_AND_OVERWRITE -> {
        snapshot();
        write(a, BLOCK + 7);
      }
      case DROP_SNAPSHOTS -> dropSnapshots();
      case FILL_QUOTA -> {
        Path parent = new Path(a).getParent();
        fs.setQuota(
            parent, HdfsConstants.QUOTA_DONT_SET, fs.getContentSummary(parent).getSpaceConsumed());
      }
      case CLOSE_TO_OTHERS -> fs.setPermission(new Path(a), new FsPermission((short) 0600));
    }
  }

  private String another() throws IOException {
    String path = root + "/d/c" + made;
    write(path, BLOCK);
    return path;
  }

  private void append(int length) throws IOException {
    byte[] more = bytes(length);
    try (FSDataOutputStream out = fs.append(new Path(a))) {
      out.write(more);
    }
    byte[] before = contents.get(a);
    byte[] all = Arrays.copyOf(before, before.length + length);
    System.arraycopy(more, 0, all, before.length, length);
    contents.put(a, all);
  }

  private void truncate(int length) throws IOException {
    if (contents.get(a).length > length) {
      boolean done = fs.truncate(new Path(a), length);
      contents.put(a, Arrays.copyOf(contents.get(a), length));
      if (!done) {
        Await.until(a + " to be closed", () -> fs.isFileClosed(new Path(a)));
      }
    }
  }

  private void concat(String target, String source) throws IOException {
    fs.concat(new Path(target), new Path[] {new Path(source)});
    byte[] first = contents.get(target);
    byte[] second = contents.remove(source);
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    contents.put(target, all);
  }

  private void move(String to) throws IOException {
    fs.mkdirs(new Path(to).getParent());
    if (fs.rename(new Path(a), new Path(to))) {
      contents.put(to, contents.remove(a));
      a = to;
    }
  }

  private void changePlaces() throws IOException {
    if (contents.containsKey(b()) && !a.equals(b())) {
      String place = a;
      move(root + "/x" + made + "/t");
      if (!a.equals(place) && fs.rename(new Path(b()), new Path(place))) {
        contents.put(place, contents.remove(b()));
      }
    }
  }

  private void delete(String path) throws IOException {
    fs.delete(new Path(path), true);
    contents.keySet().removeIf(at -> at.equals(path) || at.startsWith(path + "/"));
    a = contents.containsKey(a) ? a : "";
  }

  private void snapshot() throws IOException {
    Path directory = new Path(a).getParent();
    fs.allowSnapshot(directory);
    fs.createSnapshot(directory, "s" + made);
  }

  private void dropSnapshots() throws IOException {
    SnapshottableDirectoryStatus[] directories = fs.getSnapshottableDirListing();
    for (int i = 0; directories != null && i < directories.length; i++) {
      Path path = directories[i].getFullPath();
      for (FileStatus snapshot : fs.listStatus(new Path(path, HdfsConstants.DOT_SNAPSHOT_DIR))) {
        fs.deleteSnapshot(path, snapshot.getPath().getName());
      }
      fs.disallowSnapshot(path);
    }
  }

  /** No block is less safe than it was: at this moment, and after what Braid does by itself. */
  void assertSafe() throws IOException {
    assertNull(safety.look(Protection.THINNED));
    Await.until(
        "what is left of stripes to be protected",
        () -> Optional.ofNullable(safety.look(Protection.WHOLE)),
        Optional::isEmpty);
  }

  /** Everything reads back. */
  void assertReads() throws IOException {
    for (Map.Entry<String, byte[]> file : contents.entrySet()) {
      try (FSDataInputStream in = fs.open(new Path(file.getKey()))) {
        assertArrayEquals(file.getValue(), in.readAllBytes(), file.getKey());
      }
    }
  }

  /** Checks all, and leaves nothing. */
  @Override
  public void close() throws IOException {
    assertReads();
    dropSnapshots();
    fs.delete(new Path(root), true);
    fixture.sweep();
    fixture.sweep();
    assertEquals(List.of(), fixture.stripes(), "parity is left over");
  }
}
