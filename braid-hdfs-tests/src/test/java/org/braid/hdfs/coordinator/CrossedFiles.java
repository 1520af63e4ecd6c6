package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;

/** Files below a directory, what users do to them, and what they must hold afterwards. */
final class CrossedFiles {
  private static final String SNAPSHOT = "before";

  final String root;
  private final ClusterFixture fixture;
  private final Random random;
  private final Map<String, byte[]> contents = new ConcurrentHashMap<>();
  private boolean snapshot;

  /** None yet. */
  CrossedFiles(ClusterFixture fixture, String root, Random random) {
    this.fixture = fixture;
    this.root = root;
    this.random = random;
  }

  private Path path(String name) {
    return new Path(root, name);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  void write(String name, int length) throws IOException {
    byte[] content = bytes(length);
    try (FSDataOutputStream out = fixture.fs.create(path(name), (short) 3)) {
      out.write(content);
    }
    contents.put(name, content);
    fixture.awaitReplicas(path(name).toString(), 3);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  private void append(String name, int length) throws IOException {
    byte[] more = bytes(length);
    try (FSDataOutputStream out = fixture.fs.append(path(name))) {
      out.write(more);
    }
    contents.merge(name, more, CrossedFiles::joined);
  }

  private void appendAndDie(String name, int length) throws IOException {
    byte[] more = bytes(length);
    Configuration conf = fixture.hdfs.configuration();
    try (FileSystem own = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      FSDataOutputStream out = own.append(path(name));
      out.write(more);
      out.hflush();
      ((DistributedFileSystem) own).getClient().closeAllFilesBeingWritten(true);
    }
    contents.merge(name, more, CrossedFiles::joined);
  }

  /** Closes what dead clients left open, as the NameNode does after an hour. */
  void close() throws IOException {
    for (String name : contents.keySet()) {
      if (!name.startsWith(".snapshot/")) {
        Await.until(name + " to be closed", () -> fixture.fs.recoverLease(path(name)));
      }
    }
  }

  private void truncate(String name, int length) throws IOException {
    fixture.fs.truncate(path(name), length);
    contents.computeIfPresent(name, (file, content) -> Arrays.copyOf(content, length));
    Await.until(name + " to be truncated", () -> fixture.fs.isFileClosed(path(name)));
  }

  private void concat(String target, String... sources) throws IOException {
    fixture.fs.concat(path(target), Arrays.stream(sources).map(this::path).toArray(Path[]::new));
    for (String source : sources) {
      contents.merge(target, contents.remove(source), CrossedFiles::joined);
    }
  }

  private void move(String from, String to) {
    contents.put(to, contents.remove(from));
  }

  private void delete(String name) throws IOException {
    fixture.fs.delete(path(name), false);
    contents.remove(name);
  }

  /** Takes a block from a stripe of {@code d/f}: deletes a file that shares it, if there is one. */
  void thin() throws IOException {
    String f = path("d/f").toString();
    for (StripeStatus status : fixture.stripes()) {
      List<String> paths =
          status.members().subList(0, status.stripe().code().k()).stream()
              .filter(member -> !member.gone())
              .map(MemberStatus::path)
              .toList();
      Optional<String> other = paths.stream().filter(path -> !path.equals(f)).findFirst();
      if (paths.contains(f) && other.isPresent()) {
        delete(other.get().substring(root.length() + 1));
        return;
      }
    }
    // Its last stripe has blocks of it alone.
    truncate("d/f", 7 * ClusterFixture.BLOCK);
  }

  /** Does what users may do. */
  void run(Crossing.Operation operation) throws IOException {
    switch (operation) {
      case APPEND -> append("d/f", 1);
      case APPEND_BLOCKS -> append("d/f", 2 * ClusterFixture.BLOCK);
      case APPEND_AND_DIE -> appendAndDie("d/f", 2 * ClusterFixture.BLOCK + 1);
      case TRUNCATE_BLOCK -> truncate("d/f", 5 * ClusterFixture.BLOCK);
      case TRUNCATE_INSIDE -> truncate("d/f", 4 * ClusterFixture.BLOCK + 100);
      case TRUNCATE_ALL -> {
        truncate("d/f", 0);
        append("d/f", ClusterFixture.BLOCK);
      }
      case CONCAT_ONTO -> {
        write("d/new", ClusterFixture.BLOCK);
        concat("d/f", "d/new");
      }
      case CONCAT_AWAY -> {
        if (!contents.containsKey("d/onto")) {
          write("d/onto", ClusterFixture.BLOCK);
        }
        concat("d/onto", "d/f");
      }
      case RENAME -> {
        fixture.fs.mkdirs(path("e"));
        fixture.fs.rename(path("d/f"), path("e/f"));
        move("d/f", "e/f");
      }
      case DELETE -> delete("d/f");
      case DELETE_SHARING -> {
        for (String name : Set.of("d/g", "d/h")) {
          if (contents.containsKey(name)) {
            delete(name);
          }
        }
      }
      case DELETE_PARENT -> {
        fixture.fs.delete(path("d"), true);
        contents.keySet().removeIf(name -> name.startsWith("d/"));
      }
      case OVERWRITE -> write("d/f", 3 * ClusterFixture.BLOCK);
      case RAISE_REPLICATION -> fixture.fs.setReplication(path("d/f"), (short) 4);
      case LOWER_REPLICATION -> fixture.fs.setReplication(path("d/f"), (short) 2);
      case SNAPSHOT_AND_DELETE -> {
        fixture.fs.allowSnapshot(new Path(root));
        fixture.fs.createSnapshot(new Path(root), SNAPSHOT);
        snapshot = true;
        fixture.fs.delete(path("d/f"), false);
        move("d/f", ".snapshot/" + SNAPSHOT + "/d/f");
      }
      case FILL_QUOTA ->
          fixture.fs.setQuota(
              new Path(root),
              HdfsConstants.QUOTA_DONT_SET,
              fixture.fs.getContentSummary(new Path(root)).getSpaceConsumed());
      case CLOSE_TO_OTHERS -> fixture.fs.setPermission(path("d/f"), new FsPermission((short) 0600));
      default -> throw new IllegalArgumentException(operation + " is not for users");
    }
  }

  /** Takes quotas away. */
  void lift() throws IOException {
    if (fixture.fs.exists(new Path(root))) {
      fixture.fs.setQuota(new Path(root), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    }
  }

  /** Deletes all, in snapshots, too. */
  void deleteAll() throws IOException {
    if (snapshot) {
      snapshot = false;
      fixture.fs.deleteSnapshot(new Path(root), SNAPSHOT);
      fixture.fs.disallowSnapshot(new Path(root));
    }
    fixture.fs.delete(new Path(root), true);
  }

  /** HDFS's own client reads what was written. */
  void assertReads() throws IOException {
    assertReads(fixture.fs);
  }

  /** Braid's client does, also of what is lost. */
  void assertReadsDegraded() throws IOException {
    Configuration conf = fixture.hdfs.configuration();
    conf.set("fs.hdfs.impl", "org.braid.hdfs.client.BraidFileSystem");
    try (FileSystem braid = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      assertReads(braid);
    }
  }

  private void assertReads(FileSystem fs) throws IOException {
    for (Map.Entry<String, byte[]> file : new TreeMap<>(contents).entrySet()) {
      assertArrayEquals(
          file.getValue(), ClusterFixture.read(fs, path(file.getKey()).toString()), file.getKey());
    }
  }

  /** Each block gets two copies, or has a whole stripe. */
  void assertSafe() throws IOException {
    Await.until("blocks that are neither replicated nor encoded", this::unsafe, String::isEmpty);
  }

  private String unsafe() throws IOException {
    Set<Long> encoded = new HashSet<>();
    for (StripeStatus status : fixture.stripes()) {
      if (status.stripe().verified() && fixture.safety.whole(status)) {
        encoded.addAll(status.stripe().blockIds());
      }
    }
    StringBuilder text = new StringBuilder();
    for (StoredFile file : fixture.files(root)) {
      // The NameNode counts no copies of the block that a writer writes.
      boolean open = file.obstacles().contains("UNDER_CONSTRUCTION");
      for (BlockStatus block : file.blocks().subList(0, file.blocks().size() - (open ? 1 : 0))) {
        long live = block.replicas().stream().filter(r -> r.live()).count();
        if (live < 2 && !encoded.contains(block.block().id())) {
          text.append(
              "%s (replication %d): %s has %d copies%s; "
                  .formatted(
                      file.path(),
                      file.replication(),
                      block.block().name(),
                      live,
                      fixture.safety.story(block)));
        }
      }
    }
    for (String name : contents.keySet()) {
      if (name.startsWith(".snapshot/")) {
        String path = path(name).toString();
        for (LocatedBlock block :
            fixture.fs.getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
          long id = block.getBlock().getBlockId();
          if (block.getLocations().length < 2 && !encoded.contains(id)) {
            text.append("%s: blk_%d has one copy; ".formatted(path, id));
          }
        }
      }
    }
    return text.toString();
  }

  /** Waits until HDFS has made the copies that it was asked for. */
  void awaitCopies() throws IOException {
    Await.until(
        "as many copies of each block as are wanted",
        () ->
            fixture.files(root).stream()
                .flatMap(file -> file.blocks().stream())
                .allMatch(
                    block ->
                        block.replicas().stream().filter(Replica::live).count()
                            >= block.expected()));
  }

  /** Each block has the replicas that users asked for. */
  void assertReplicated(int least) throws IOException {
    fixture.awaitReplicas(root, least);
    for (StoredFile file : fixture.files(root)) {
      assertTrue(file.replication() >= least, file.path() + ": " + file.replication());
    }
  }
}
