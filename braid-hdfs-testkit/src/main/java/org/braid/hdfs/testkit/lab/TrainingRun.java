package org.braid.hdfs.testkit.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;

/**
 * Runs the usual operations of NameNode, DataNodes and clients once, so that the JVM records the
 * classes for an archive. Also formats the directory of a NameNode.
 */
public final class TrainingRun {
  private static final int BYTES = 3 << 20;
  private static final String STRIPED = "XOR-2-1-1024k";

  private TrainingRun() {}

  /** Formats a NameNode in the first directory and runs a cluster in the second, on loopback. */
  public static void main(String[] args) throws IOException {
    format(Path.of(args[0]));
    EmbeddedSettings settings = new EmbeddedSettings(3, 3, 1 << 20, Path.of(args[1]), Map.of());
    try (EmbeddedCluster cluster = EmbeddedCluster.start(settings);
        DistributedFileSystem files = cluster.fileSystem()) {
      play(files, "/replicated");
      files.enableErasureCodingPolicy(STRIPED);
      files.mkdirs(path("/striped"));
      files.setErasureCodingPolicy(path("/striped"), STRIPED);
      play(files, "/striped");
      files.delete(path("/replicated"), true);
    }
    // Hadoop leaves threads behind.
    System.exit(0);
  }

  private static void format(Path directory) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, directory.toAbsolutePath().toUri().toString());
    NameNode.format(conf);
  }

  private static org.apache.hadoop.fs.Path path(String text) {
    return new org.apache.hadoop.fs.Path(text);
  }

  private static void play(DistributedFileSystem files, String directory) throws IOException {
    org.apache.hadoop.fs.Path file = path(directory + "/file");
    try (OutputStream out = files.create(file)) {
      out.write(new byte[BYTES]);
    }
    try (InputStream in = files.open(file)) {
      in.readNBytes(BYTES);
    }
    files.getFileBlockLocations(file, 0, BYTES);
    files.listStatus(path(directory));
  }
}
