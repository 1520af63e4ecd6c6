package org.braid.hdfs.coordinator;

import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A DataNode in a process of its own, so that it can be made silent as by a loss of power: its
 * ports accept connections and nothing ever answers.
 */
final class DataNodeProcess implements AutoCloseable {
  private final Process process;

  private DataNodeProcess(Process process) {
    this.process = process;
  }

  /** Starts a DataNode of the fixture's cluster. */
  static DataNodeProcess start(ClusterFixture fixture, String name, Path directory)
      throws Exception {
    Configuration conf = fixture.hdfs.configuration();
    conf.set(DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY, name);
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, directory.resolve("data").toUri().toString());
    Path file = directory.resolve("datanode.xml");
    try (OutputStream out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
    return new DataNodeProcess(
        new ProcessBuilder(
                new File(System.getProperty("java.home"), "bin/java").getPath(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                DataNodeProcess.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(new File("target/datanode-process.log"))
            .start());
  }

  /** The process. */
  public static void main(String[] args) throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of(args[0]).toUri()));
    DefaultMetricsSystem.setMiniClusterMode(true);
    DataNode node = DataNode.instantiateDataNode(new String[0], conf);
    node.runDatanodeDaemon();
    Thread.currentThread().join();
  }

  /** From now on nothing answers. */
  void fallSilent() throws Exception {
    signal("-STOP");
  }

  /** It goes on as if nothing had been. */
  void wakeUp() throws Exception {
    signal("-CONT");
  }

  private void signal(String signal) throws Exception {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
    if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new IllegalStateException("kill " + signal + " " + process.pid() + " failed");
    }
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly();
    process.waitFor(10, TimeUnit.SECONDS);
  }
}
