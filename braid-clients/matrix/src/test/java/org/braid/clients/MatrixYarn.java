package org.braid.clients;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.testkit.embedded.ServerPorts;

/**
 * A ResourceManager and a NodeManager, each in a process of its own, with the Hadoop of this JVM.
 * Containers are processes of the NodeManager's. No configuration of theirs names Braid.
 */
final class MatrixYarn implements Closeable {
  private static final String HOST = "127.0.0.1";
  private static final String SERVER = "org.apache.hadoop.yarn.server.";

  private final Path directory;
  private final Path configuration;
  private final List<Process> processes = new ArrayList<>();
  private final Set<Path> read = new HashSet<>();

  /**
   * None yet.
   *
   * @param directory of its configuration, and of what containers write
   */
  MatrixYarn(Path directory) {
    this.directory = directory;
    this.configuration = directory.resolve("conf");
  }

  /**
   * Starts the daemons. What is submitted waits until they serve.
   *
   * @param hdfs the file system in which jobs keep what their containers need
   * @param logs the directory of the daemons' logs
   */
  void start(String hdfs, Path logs) throws IOException {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> started().forEach(ProcessHandle::destroyForcibly)));
    Files.createDirectories(configuration);
    write(configuration.resolve("core-site.xml"), Map.of("fs.defaultFS", hdfs));
    write(configuration.resolve("yarn-site.xml"), properties());
    daemon(SERVER + "resourcemanager.ResourceManager", logs);
    daemon(SERVER + "nodemanager.NodeManager", logs);
  }

  /** The directory of the configuration of who submits jobs. */
  String configuration() {
    return configuration.toString();
  }

  /**
   * What containers have printed since this was asked last.
   *
   * @param complaints takes what they said beside that
   */
  List<String> said(Path complaints) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : ended("stdout")) {
      lines.addAll(Files.readAllLines(file));
    }
    for (Path file : ended("stderr")) {
      Files.write(complaints, Files.readAllBytes(file), StandardOpenOption.APPEND);
    }
    return lines;
  }

  /** Files of this name that were not read before. */
  private List<Path> ended(String name) throws IOException {
    Path logs = directory.resolve("logs");
    if (!Files.isDirectory(logs)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(logs)) {
      return files
          .filter(file -> file.getFileName().toString().equals(name) && read.add(file))
          .sorted()
          .toList();
    }
  }

  private Map<String, String> properties() throws IOException {
    Map<String, String> all = new TreeMap<>();
    List<Integer> ports = ServerPorts.free(4);
    String manager = "yarn.resourcemanager.";
    String node = "yarn.nodemanager.";
    String any = HOST + ":0";
    all.put(manager + "hostname", HOST);
    all.put(manager + "address", HOST + ":" + ports.get(0));
    all.put(manager + "scheduler.address", HOST + ":" + ports.get(1));
    all.put(manager + "resource-tracker.address", HOST + ":" + ports.get(2));
    all.put(manager + "admin.address", HOST + ":" + ports.get(3));
    all.put(manager + "webapp.address", any);
    all.put(
        manager + "scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler");
    all.put(manager + "nodemanagers.heartbeat-interval-ms", "200");
    all.put(node + "hostname", HOST);
    all.put(node + "address", any);
    all.put(node + "localizer.address", any);
    all.put(node + "webapp.address", any);
    all.put(node + "local-dirs", directory.resolve("local").toString());
    all.put(node + "log-dirs", directory.resolve("logs").toString());
    all.put(node + "disk-health-checker.enable", "false");
    all.put(node + "container-monitor.enabled", "false");
    all.put(node + "resource.memory-mb", "6144");
    all.put("yarn.scheduler.minimum-allocation-mb", "128");
    all.put("hadoop.tmp.dir", directory.resolve("tmp").toString());
    return all;
  }

  private static void write(Path file, Map<String, String> properties) throws IOException {
    Configuration conf = new Configuration(false);
    properties.forEach(conf::set);
    try (var out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
  }

  private void daemon(String main, Path logs) throws IOException {
    String name = main.substring(main.lastIndexOf('.') + 1);
    Path jars = Path.of("../../braid-yarn/target/jars").toRealPath();
    List<String> classPath =
        List.of(configuration(), ClassPaths.servers().get(ClassPaths.OWN_VERSION), jars + "/*");
    ProcessBuilder builder =
        new ProcessBuilder(
            Program.home().resolve("bin/java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.net.preferIPv4Stack=true",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp",
            String.join(File.pathSeparator, classPath),
            main);
    builder.environment().put("JAVA_HOME", Program.home().toString());
    builder.redirectErrorStream(true).redirectOutput(logs.resolve(name + ".log").toFile());
    processes.add(builder.directory(directory.toFile()).start());
  }

  /** The daemons, and what they have started. */
  private List<ProcessHandle> started() {
    return processes.stream()
        .map(Process::toHandle)
        .flatMap(handle -> Stream.concat(handle.descendants(), Stream.of(handle)))
        .toList();
  }

  @Override
  public void close() {
    started().forEach(ProcessHandle::destroyForcibly);
  }
}
