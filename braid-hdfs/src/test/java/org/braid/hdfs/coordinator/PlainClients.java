package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.ReplicaProto;

/** HDFS's own clients of a lab's converted files, and the losses that they meet. */
final class PlainClients {
  private final Lab lab;
  private final Random random;

  PlainClients(Lab lab, Random random) {
    this.lab = lab;
    this.random = random;
  }

  /** Writes files of three stripes and a bit, and converts them. */
  List<String> converted(String directory, int files) throws Exception {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      String path = directory + "/f" + i;
      lab.write(path, 9 * Lab.BLOCK + 100, 3, random);
      paths.add(path);
    }
    lab.convertAll("rs-3-2", directory);
    for (String path : paths) {
      lab.assertConverted(path);
      // Copies that HDFS has still to delete can still be read.
      assertTrue(
          Waiting.until(20_000, () -> blocks(path).stream().allMatch(b -> b.getGoingCount() == 0)));
    }
    return paths;
  }

  /** The node of a block's only replica. */
  int holder(BlockStatusProto block) {
    ReplicaProto only = block.getReplicas(0);
    return lab.hdfs.indexOf(only.getNode()).orElse(-1);
  }

  List<BlockStatusProto> blocks(String path) throws IOException {
    return lab.files(path).get(0).getBlocksList();
  }

  /** Stops nodes and waits until they are suspect, long before HDFS calls them dead. */
  void lose(List<Integer> nodes) throws Exception {
    nodes.forEach(lab.hdfs::stopNode);
    for (int node : nodes) {
      awaitSuspect(lab.hdfs.uuid(node));
    }
  }

  /** Returns how many seconds it took. */
  double awaitSuspect(String uuid) throws Exception {
    long since = System.nanoTime();
    try (NameNodeCalls calls = lab.calls()) {
      while (calls.cluster().getDatanodesList().stream()
          .noneMatch(n -> n.getUuid().equals(uuid) && n.getSuspect())) {
        assertTrue((System.nanoTime() - since) / 1e9 < 10, "never suspect");
        Thread.sleep(10);
      }
    }
    return (System.nanoTime() - since) / 1e9;
  }

  /** A configuration with a stock client's patience after an error, shortened. */
  Configuration plain() {
    return plain(10);
  }

  /** The same with another patience; the stock client's is 3000. */
  Configuration plain(int windowMillis) {
    Configuration conf = lab.hdfs.configuration();
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
    try (FileSystem fs = FileSystem.newInstance(FileSystem.getDefaultUri(plain()), plain())) {
      return Lab.read(fs, path);
    }
  }
}
