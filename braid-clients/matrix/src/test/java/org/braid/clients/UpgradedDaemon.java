package org.braid.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.BootstrapStandby;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.WatchRequest;

/**
 * One daemon in a process of its own, with the Hadoop of its class path, until it is told to stop.
 */
final class UpgradedDaemon {
  private static final String SHUTDOWN = "Async datanode shutdown thread";
  private static final long PAUSE_MILLIS = 20;

  private UpgradedDaemon() {}

  /** Stops what was started. */
  private interface Running {
    void stop() throws Exception;
  }

  /**
   * Starts.
   *
   * @param args which daemon, its configuration, and options of its command line
   */
  public static void main(String[] args) throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of(args[1]).toUri()));
    String[] options = List.of(args).subList(2, args.length).toArray(String[]::new);
    DefaultMetricsSystem.setMiniClusterMode(true);
    ExitUtil.disableSystemExit();
    Running running =
        switch (args[0]) {
          case "format" -> format(conf);
          case "bootstrap" -> bootstrap(conf);
          case "namenode" -> nameNode(conf, options);
          case "datanode" -> dataNode(conf, options);
          case "daemon" -> daemon(args[1]);
          default -> throw new IllegalArgumentException(args[0]);
        };
    System.out.println("> " + VersionInfo.getVersion());
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    if ("stop".equals(orders.readLine())) {
      running.stop();
      System.out.println("> stopped");
    }
    Runtime.getRuntime().halt(0);
  }

  private static Running format(Configuration conf) throws IOException {
    NameNode.format(conf);
    return () -> {};
  }

  /** Copies the active NameNode's image to a standby one. */
  private static Running bootstrap(Configuration conf) throws Exception {
    int status = BootstrapStandby.run(new String[] {"-force"}, conf);
    if (status != 0) {
      throw new IOException("-bootstrapStandby ended with status " + status);
    }
    return () -> {};
  }

  private static Running nameNode(Configuration conf, String[] options) throws IOException {
    NameNode node = NameNode.createNameNode(options, conf);
    return () -> {
      node.stop();
      node.join();
    };
  }

  /** A DataNode that ends the process when it was told to shut down. */
  private static Running dataNode(Configuration conf, String[] options) throws IOException {
    DataNode node = DataNode.instantiateDataNode(options, conf);
    node.runDatanodeDaemon();
    Thread end =
        new Thread(
            () -> {
              try {
                while (!isShuttingDown()) {
                  Thread.sleep(PAUSE_MILLIS);
                }
                while (isShuttingDown()) {
                  Thread.sleep(PAUSE_MILLIS);
                }
                System.out.println("> stopped");
              } catch (InterruptedException e) {
                System.out.println("> failed: " + e);
              }
              Runtime.getRuntime().halt(0);
            });
    end.setDaemon(true);
    end.start();
    return node::shutdown;
  }

  private static boolean isShuttingDown() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(SHUTDOWN));
  }

  /** What {@code braid daemon} does. */
  private static Running daemon(String conf) {
    StopSignal stop = new StopSignal();
    Connection connection = new Connection(Optional.empty(), List.of(Path.of(conf)), Map.of());
    Thread watch =
        new Thread(
            () -> {
              try (Cluster cluster = Braid.connect(connection)) {
                cluster.watch(
                    new WatchRequest(
                        "chain",
                        2,
                        UpgradedCluster.SLICE,
                        5,
                        RepairPolicy.CONFIGURED,
                        1_000,
                        stop,
                        System.err::println));
              } catch (IOException e) {
                System.err.println("the daemon failed: " + e);
              }
            });
    watch.setDaemon(true);
    watch.start();
    return () -> {
      stop.stop();
      watch.join(10_000);
    };
  }
}
