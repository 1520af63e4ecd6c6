package org.braid.hdfs.secure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.view.CheckReport;

/** Commands in a process of their own, as an operator gives them: their user is its login. */
final class CommandsProcess {
  /** What is said when all went well. */
  static final String DONE = "done";

  /** What comes before it is what Hadoop logs. */
  private static final String SEPARATOR = "---- commands ----";

  private CommandsProcess() {}

  /**
   * Looks at the cluster; converts, checks, repairs and restores a file.
   *
   * @param properties beside those of the cluster's clients
   * @param kerberos the configuration of Kerberos
   * @param tickets a cache of tickets; empty for none
   * @return what is said at the end: nothing but that it is done, or why it failed
   */
  static String run(
      SecureCluster cluster,
      Map<String, String> properties,
      Path kerberos,
      Optional<Path> tickets,
      String file)
      throws Exception {
    return said(
        CoordinatorProcess.ofOperator(
            kerberos,
            tickets,
            CommandsProcess.class,
            cluster.clientFile("commands", properties).toString(),
            file));
  }

  /** What {@code braid check} says of how it cannot look: {@link #DONE} when it can. */
  static String check(
      SecureCluster cluster, Map<String, String> properties, Path kerberos, Optional<Path> tickets)
      throws Exception {
    return said(
        CoordinatorProcess.ofOperator(
            kerberos, tickets, Check.class, cluster.clientFile("check", properties).toString()));
  }

  private static String said(ProcessBuilder builder) throws Exception {
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.substring(said.indexOf(SEPARATOR) + SEPARATOR.length()).strip();
  }

  /** Works on a file: the properties of a cluster, and the file's path. */
  public static void main(String[] args) {
    String end = DONE;
    Connection connection = new Connection(Optional.empty(), List.of(Path.of(args[0])), Map.of());
    try (Cluster cluster = Braid.connect(connection)) {
      check(connection);
      cluster.convert(SecureCluster.request(args[1]));
      for (FsckReport.FileState file : cluster.fsck(args[1]).files()) {
        if (!file.findings().isEmpty()) {
          throw new IOException(file.path() + ": " + file.findings());
        }
      }
      cluster.repair(
          new RepairRequest(args[1], "chain", 2, SecureCluster.SLICE, 3, Progress.SILENT));
      cluster.restore(args[1], Progress.SILENT);
    } catch (IOException e) {
      end = e.getMessage();
    }
    System.out.println(SEPARATOR);
    System.out.println(end);
    System.exit(0);
  }

  /** Reads the configurations of all daemons over HTTPS. */
  private static void check(Connection connection) throws IOException {
    for (CheckReport.Finding finding : Braid.check(connection, List.of()).findings()) {
      if (finding.problem().contains("cannot be read")) {
        throw new IOException(finding.host() + ": " + finding.problem());
      }
    }
  }

  /** Looks at the cluster alone: the same as {@link #main}, by the daemons' pages. */
  static final class Check {
    private Check() {}

    /** Checks: the properties of a cluster. */
    public static void main(String[] args) {
      String end = DONE;
      try {
        check(new Connection(Optional.empty(), List.of(Path.of(args[0])), Map.of()));
      } catch (IOException e) {
        end = e.getMessage();
      }
      System.out.println(SEPARATOR);
      System.out.println(end);
      System.exit(0);
    }
  }
}
