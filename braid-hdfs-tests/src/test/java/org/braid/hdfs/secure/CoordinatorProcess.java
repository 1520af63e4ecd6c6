package org.braid.hdfs.secure;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.WatchRequest;
import org.braid.testing.Await;

/** A coordinator in a process of its own, as an operator starts it: its user is its login. */
final class CoordinatorProcess implements AutoCloseable {
  private final Process process;
  private final Path journal;

  private CoordinatorProcess(Process process, Path journal) {
    this.process = process;
    this.journal = journal;
  }

  /**
   * Starts a coordinator and waits until it watches.
   *
   * @param properties beside those of the cluster's clients
   * @param kerberos the configuration of Kerberos
   * @param tickets a cache of tickets; empty for none
   */
  static CoordinatorProcess start(
      SecureCluster cluster,
      String name,
      Map<String, String> properties,
      Path kerberos,
      Optional<Path> tickets)
      throws Exception {
    Path journal = Path.of("target", name + ".log").toAbsolutePath();
    Files.deleteIfExists(journal);
    ProcessBuilder builder =
        ofOperator(
            kerberos,
            tickets,
            CoordinatorProcess.class,
            cluster.clientFile(name, properties).toString());
    builder.redirectOutput(journal.toFile());
    CoordinatorProcess started = new CoordinatorProcess(builder.start(), journal);
    try {
      started.await("all stripes are looked at");
      return started;
    } catch (Exception | Error e) {
      started.close();
      throw e;
    }
  }

  /**
   * A process of an operator, who has a cache of tickets or none.
   *
   * @param kerberos the configuration of Kerberos
   */
  static ProcessBuilder ofOperator(
      Path kerberos, Optional<Path> tickets, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(new File(System.getProperty("java.home"), "bin/java").getPath());
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Djava.security.krb5.conf=" + kerberos);
    command.add("-cp");
    command.add(
        SecureCluster.trust()
            + File.pathSeparator
            + System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("KRB5CCNAME");
    tickets.ifPresent(file -> builder.environment().put("KRB5CCNAME", file.toString()));
    return builder;
  }

  /** Waits for a line of its journal. */
  void await(String entry) throws IOException {
    Await.until(
        entry,
        () -> {
          String all = Files.exists(journal) ? Files.readString(journal) : "";
          if (!process.isAlive()) {
            throw new IOException("the coordinator has ended: " + all);
          }
          return all;
        },
        all -> all.contains(entry));
  }

  /** All lines of its journal. */
  List<String> journal() throws IOException {
    return Files.readAllLines(journal);
  }

  @Override
  public void close() throws Exception {
    process.getOutputStream().close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Watches a cluster until the standard input ends: the file with its properties. */
  public static void main(String[] args) throws Exception {
    StopSignal stop = new StopSignal();
    Thread end =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {}
              } catch (IOException e) {
                throw new IllegalStateException(e);
              } finally {
                stop.stop();
              }
            });
    end.setDaemon(true);
    end.start();
    try (Cluster cluster =
        Braid.connect(new Connection(Optional.empty(), List.of(Path.of(args[0])), Map.of()))) {
      cluster.watch(
          new WatchRequest(
              "chain",
              2,
              SecureCluster.SLICE,
              5,
              RepairPolicy.CONFIGURED,
              600_000,
              stop,
              System.out::println));
    }
  }
}
