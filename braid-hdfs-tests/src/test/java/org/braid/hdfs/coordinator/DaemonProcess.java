package org.braid.hdfs.coordinator;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.WatchRequest;

/** A daemon in a process of its own, with metrics of its own. */
final class DaemonProcess implements AutoCloseable {
  private final Process process;

  private DaemonProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts a daemon on a cluster.
   *
   * @param configuration a directory with the files of a configuration
   */
  static DaemonProcess start(ClusterFixture fixture, Path configuration) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                new File(System.getProperty("java.home"), "bin/java").getPath(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                configuration
                    + File.pathSeparator
                    + System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                DaemonProcess.class.getName(),
                fixture.hdfs.uri()));
    for (Map.Entry<String, String> property : fixture.hdfs.clientProperties().entrySet()) {
      command.add(property.getKey() + "=" + property.getValue());
    }
    return new DaemonProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File("target/daemon-process.log"))
            .start());
  }

  /** The process; it ends as told by a SIGTERM. */
  public static void main(String[] args) throws Exception {
    Map<String, String> properties = new HashMap<>();
    for (int i = 1; i < args.length; i++) {
      String[] parts = args[i].split("=", 2);
      properties.put(parts[0], parts[1]);
    }
    StopSignal stop = new StopSignal();
    Thread watching = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  stop.stop();
                  try {
                    watching.join(TimeUnit.SECONDS.toMillis(20));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    try (Cluster cluster =
        Braid.connect(new Connection(Optional.of(args[0]), List.of(), properties))) {
      cluster.watch(
          new WatchRequest(
              "chain",
              2,
              ClusterFixture.SLICE,
              5,
              RepairPolicy.CONFIGURED,
              1000,
              300,
              stop,
              line -> {},
              Progress.SILENT));
    }
  }

  /** Has Hadoop's metrics of a daemon written to a file, once a second. */
  static Path metrics(Path configuration) throws Exception {
    Path file = configuration.resolve("braid.prom");
    Files.writeString(
        configuration.resolve("hadoop-metrics2-braid.properties"),
        """
        *.period=1
        braid.sink.node_exporter.class=org.braid.hdfs.metrics.PrometheusFileSink
        braid.sink.node_exporter.filename=%s
        """
            .formatted(file));
    return file;
  }

  /** Tells it to end, and waits until it has. */
  void end() throws Exception {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError("the daemon does not end; target/daemon-process.log");
    }
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly();
    process.waitFor(10, TimeUnit.SECONDS);
  }
}
