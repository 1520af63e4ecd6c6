package org.braid.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.clients.probe.Probe;
import org.braid.clients.probe.ProbeContent;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.WatchRequest;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Await;

/** An HDFS with Braid in a process of its own, which does what it is told line by line. */
final class MatrixServer {
  private static final int BLOCK = 64 << 10;
  private static final int SLICE = 16 << 10;
  private static final String CODE = "rs-3-2";

  /** Gateways ask in the names of their users. */
  private static final Map<String, String> GATEWAYS =
      Map.of(
          "hadoop.proxyuser." + System.getProperty("user.name") + ".hosts",
          "127.0.0.1",
          "hadoop.proxyuser." + System.getProperty("user.name") + ".users",
          "*");

  private final EmbeddedCluster hdfs;
  private final DistributedFileSystem fs;
  private final Connection connection;

  private MatrixServer(Path directory) throws IOException {
    hdfs = EmbeddedCluster.start(new EmbeddedSettings(6, 8, BLOCK, directory, GATEWAYS));
    fs = hdfs.fileSystem();
    connection = new Connection(Optional.of(hdfs.uri()), List.of(), hdfs.clientProperties());
  }

  /**
   * Starts one in a process of its own, which says its address first.
   *
   * @param complaints the file for what it says beside its answers
   */
  static Program start(String classPath, Path directory, Path complaints) throws IOException {
    return new Program(
        Program.home(),
        List.of("-Xmx1g", "--add-opens=java.base/java.lang=ALL-UNNAMED"),
        classPath,
        complaints,
        List.of(MatrixServer.class.getName(), directory.toString()));
  }

  /**
   * Starts.
   *
   * @param args where the cluster's files are
   */
  public static void main(String[] args) throws Exception {
    MatrixServer server = new MatrixServer(Path.of(args[0]));
    System.out.println("> " + server.hdfs.uri());
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      try {
        System.out.println("> " + server.carryOut(line.split(" ")));
      } catch (Exception | Error e) {
        System.out.println("> failed: " + e);
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private String carryOut(String[] order) throws Exception {
    List<String> directories = List.of(order).subList(1, order.length);
    return switch (order[0]) {
      case "write" -> write(order[1], order[2], order[3], order[4]);
      case "convert" -> convert(directories);
      case "settle" -> settle(directories);
      case "lose" -> lose(directories);
      case "watch" -> watch();
      default -> throw new IllegalArgumentException(order[0]);
    };
  }

  /** Writes the files of a directory, and a copy; gives the checksum of the one of bytes. */
  private String write(String directory, String seed, String length, String lines)
      throws IOException {
    for (String place : List.of(directory, directory + "-copy")) {
      put(
          place + "/" + Probe.BYTES,
          ProbeContent.bytes(Long.parseLong(seed), Integer.parseInt(length)));
      put(
          place + "/" + Probe.TEXT,
          ProbeContent.text(Long.parseLong(seed), Integer.parseInt(lines)));
    }
    var file = new org.apache.hadoop.fs.Path(directory, Probe.BYTES);
    return fs.getFileChecksum(file).toString();
  }

  private void put(String path, byte[] content) throws IOException {
    try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path), (short) 3)) {
      out.write(content);
    }
  }

  private String convert(List<String> directories) throws IOException {
    try (Cluster cluster = Braid.connect(connection)) {
      ConvertReport report =
          cluster.convert(
              new ConvertRequest(
                  directories,
                  CODE,
                  OptionalInt.empty(),
                  OptionalInt.empty(),
                  Optional.empty(),
                  1,
                  ConvertRequest.Method.DEFAULT,
                  2,
                  SLICE,
                  7,
                  Progress.SILENT));
      List<ConvertReport.Skipped> skipped =
          report.skipped().stream().filter(file -> !file.cause().equals("EMPTY")).toList();
      return skipped.isEmpty() ? "converted" : "failed: skipped " + skipped;
    }
  }

  /** Waits until no block has a replica that is about to be deleted. */
  private String settle(List<String> directories) throws IOException {
    for (String directory : directories) {
      RemoteIterator<LocatedFileStatus> files =
          fs.listFiles(new org.apache.hadoop.fs.Path(directory), true);
      while (files.hasNext()) {
        FileStatus file = files.next();
        Await.until(
            "one replica of each block of " + file.getPath(),
            () ->
                Arrays.stream(fs.getFileBlockLocations(file, 0, file.getLen()))
                    .allMatch(block -> hostsOf(block).size() == 1));
      }
    }
    return "settled";
  }

  /** Stops a node that has a block of every large file of some directories. */
  private String lose(List<String> directories) throws IOException {
    Set<String> everywhere = null;
    for (String directory : directories) {
      for (FileStatus file : fs.listStatus(new org.apache.hadoop.fs.Path(directory))) {
        if (file.getLen() > 20L * BLOCK) {
          Set<String> hosts = new HashSet<>();
          Arrays.stream(fs.getFileBlockLocations(file, 0, file.getLen()))
              .forEach(block -> hosts.addAll(hostsOf(block)));
          if (everywhere == null) {
            everywhere = hosts;
          } else {
            everywhere.retainAll(hosts);
          }
        }
      }
    }
    for (int node = 0; node < hdfs.nodes(); node++) {
      if (everywhere != null && everywhere.contains(hdfs.nodeName(node))) {
        hdfs.stopNode(node);
        hdfs.awaitDead(node);
        return "lost " + hdfs.nodeName(node);
      }
    }
    return "failed: no node has a block of every file";
  }

  private static List<String> hostsOf(org.apache.hadoop.fs.BlockLocation block) {
    try {
      return List.of(block.getHosts());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** A daemon that rebuilds nothing but what somebody waits for. */
  private String watch() {
    Thread daemon =
        new Thread(
            () -> {
              try (Cluster cluster = Braid.connect(connection)) {
                cluster.watch(
                    new WatchRequest(
                        "chain",
                        2,
                        SLICE,
                        5,
                        RepairPolicy.CONFIGURED,
                        600_000,
                        new StopSignal(),
                        line -> {}));
              } catch (IOException e) {
                System.out.println("the daemon failed: " + e);
              }
            });
    daemon.setDaemon(true);
    daemon.start();
    return "watching";
  }
}
