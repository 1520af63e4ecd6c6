package org.braid.lab.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;
import org.braid.lab.Lab;
import org.braid.lab.ProgramResult;
import org.jspecify.annotations.Nullable;

/** A host of a lab with its own Hadoop, whose daemon Hadoop's script starts. */
final class DrillHost {
  private static final String END = "</configuration>";
  private static final long STOP_SECONDS = 30;

  private final Lab lab;
  private final String name;
  private final Role role;
  private final Path home;
  private final Path log;
  private @Nullable Process daemon;

  /** The daemon of a host. */
  enum Role {
    NAMENODE,
    DATANODE,
    CLIENT;

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * A host.
   *
   * @param home its Hadoop
   * @param log the file of what its daemon prints
   */
  DrillHost(Lab lab, String name, Role role, Path home, Path log) {
    this.lab = lab;
    this.name = name;
    this.role = role;
    this.home = home;
    this.log = log;
  }

  String name() {
    return name;
  }

  Role role() {
    return role;
  }

  Path home() {
    return home;
  }

  Path site() {
    return home.resolve("etc/hadoop/hdfs-site.xml");
  }

  /** Runs a program on the host and waits for its end. */
  ProgramResult run(List<String> command) throws ExperimentException, InterruptedException {
    try {
      return ProgramResult.of(builder(command));
    } catch (IOException e) {
      throw ExperimentException.failed("cannot run " + command.get(0) + " on " + name, e);
    }
  }

  /** Runs {@code bin/hdfs}. */
  ProgramResult hdfs(String... words) throws ExperimentException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/hdfs").toString()));
    command.addAll(List.of(words));
    return run(command);
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = lab.exec(name, command);
    builder.environment().remove("HADOOP_HOME");
    builder.environment().remove("HADOOP_CONF_DIR");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home", ""));
    String small = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData";
    builder.environment().put("HDFS_NAMENODE_OPTS", "-Xmx384m " + small);
    builder.environment().put("HDFS_DATANODE_OPTS", "-Xmx160m " + small);
    builder.environment().put("HADOOP_CLIENT_OPTS", "-Xmx256m " + small);
    return builder;
  }

  /** Starts its daemon. */
  void start() throws ExperimentException {
    try {
      daemon =
          builder(List.of(home.resolve("bin/hdfs").toString(), role.word()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw ExperimentException.failed("cannot start the daemon of " + name, e);
    }
  }

  /** Tells its daemon to end. */
  void terminate() {
    Process running = daemon;
    if (running != null) {
      running.descendants().forEach(ProcessHandle::destroy);
    }
  }

  /** Ends its daemon as systemd does. */
  void stop() throws InterruptedException {
    Process running = daemon;
    if (running == null) {
      return;
    }
    terminate();
    daemon = null;
    if (!running.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      running.descendants().forEach(ProcessHandle::destroyForcibly);
      running.destroyForcibly().waitFor();
    }
  }

  /** Sets a property in its {@code hdfs-site.xml}, in place of what is there. */
  void set(String property, String value) throws ExperimentException {
    remove(property);
    String text = text();
    int end = text.lastIndexOf(END);
    write(
        text.substring(0, end)
            + "<property><name>%s</name><value>%s</value></property>\n".formatted(property, value)
            + text.substring(end));
  }

  /** Removes a property. */
  void remove(String property) throws ExperimentException {
    write(
        text()
            .replaceAll(
                "\\s*<property>\\s*<name>"
                    + property.replace(".", "\\.")
                    + "</name>\\s*<value>[^<]*</value>\\s*</property>[ ]*",
                ""));
  }

  /** Its {@code hdfs-site.xml}. */
  String text() throws ExperimentException {
    try {
      return Files.readString(site());
    } catch (IOException e) {
      throw ExperimentException.failed("cannot read " + site(), e);
    }
  }

  /** Writes its {@code hdfs-site.xml}. */
  void write(String text) throws ExperimentException {
    try {
      Files.write(site(), text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw ExperimentException.failed("cannot write to " + site(), e);
    }
  }

  /** All files of its Hadoop by their names, with size and, of configuration, the content. */
  Map<String, String> tree() throws ExperimentException {
    Map<String, String> tree = new TreeMap<>();
    try (Stream<Path> all = Files.walk(home)) {
      for (Path path : all.toList()) {
        String file = home.relativize(path).toString();
        tree.put(
            file,
            Files.isDirectory(path)
                ? "directory"
                : file.startsWith("etc/") ? Files.readString(path) : Files.size(path) + " bytes");
      }
    } catch (IOException e) {
      throw ExperimentException.failed("cannot list " + home, e);
    }
    return tree;
  }
}
