package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.testing.Await;

/** HDFS's own clients of the cluster's converted files, and the losses that they meet. */
final class PlainClients {
  private final ClusterFixture fixture;
  private final Random random;

  PlainClients(ClusterFixture fixture, Random random) {
    this.fixture = fixture;
    this.random = random;
  }

  /** Writes files of three stripes and a bit, and converts them. */
  List<String> converted(String directory, int files) throws Exception {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      String path = directory + "/f" + i;
      fixture.write(path, 9 * ClusterFixture.BLOCK + 100, 3, random);
      paths.add(path);
    }
    fixture.convertAll("rs-3-2", directory);
    for (String path : paths) {
      fixture.assertConverted(path);
      awaitOneCopyEach(path);
    }
    return paths;
  }

  /** Waits for HDFS to delete the copies that a conversion made surplus: they can be read. */
  void awaitOneCopyEach(String path) throws Exception {
    Await.until(
        "surplus copies to go", () -> blocks(path).stream().allMatch(b -> b.going().size() == 0));
  }

  /** The node of a block's only replica. */
  int holder(BlockStatus block) {
    assertEquals(List.of(), List.copyOf(block.going()), "others that can still be read");
    Replica only = block.replicas().get(0);
    return fixture.hdfs.indexOf(only.node()).orElse(-1);
  }

  List<BlockStatus> blocks(String path) throws IOException {
    return fixture.files(path).get(0).blocks();
  }

  /** The nodes that HDFS knows to have a file's last block. */
  List<String> homesOfLast(String path) throws IOException {
    List<BlockStatus> blocks = blocks(path);
    return blocks.get(blocks.size() - 1).replicas().stream().map(Replica::node).toList();
  }

  /** Stops nodes and waits until they are suspect, long before HDFS calls them dead. */
  void lose(List<Integer> nodes) throws Exception {
    nodes.forEach(fixture.hdfs::stopNode);
    for (int node : nodes) {
      awaitSuspect(fixture.hdfs.uuid(node));
    }
  }

  /** Returns what the NameNode says of it then. */
  Datanode awaitSuspect(String uuid) throws Exception {
    try (NameNodeCalls calls = fixture.calls()) {
      return Await.until(
          uuid + " to be suspect",
          () ->
              calls.cluster().getDatanodesList().stream()
                  .map(StatusCodec::of)
                  .filter(n -> n.uuid().equals(uuid))
                  .findFirst()
                  .orElseThrow(),
          Datanode::suspect);
    }
  }

  /** Waits until a node that registered has reported its blocks: HDFS may have called it dead. */
  void awaitReported(String uuid) {
    var nodes = fixture.hdfs.nameNode().getNamesystem().getBlockManager().getDatanodeManager();
    Await.until(
        uuid + " to report its blocks",
        () ->
            Arrays.stream(nodes.getDatanode(uuid).getStorageInfos())
                .anyMatch(storage -> storage.getBlockReportCount() > 0));
  }

  /** A configuration with a stock client's patience after an error, shortened. */
  Configuration plain() {
    return plain(10);
  }

  /** The same with another patience; the stock client's is 3000. */
  Configuration plain(int windowMillis) {
    Configuration conf = fixture.hdfs.configuration();
    conf.setInt("dfs.client.retry.window.base", windowMillis);
    return conf;
  }

  /** The first bytes of a file, read in one piece. */
  byte[] pread(String path, int length) throws IOException {
    return pread(plain(), path, length);
  }

  byte[] pread(Configuration conf, String path, int length) throws IOException {
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
        FSDataInputStream in = fs.open(new Path(path))) {
      byte[] read = new byte[length];
      in.readFully(0, read);
      return read;
    }
  }

  /** A file, read from front to back. */
  byte[] stream(String path) throws IOException {
    return stream(plain(), path);
  }

  byte[] stream(Configuration conf, String path) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      return ClusterFixture.read(fs, path);
    }
  }
}
