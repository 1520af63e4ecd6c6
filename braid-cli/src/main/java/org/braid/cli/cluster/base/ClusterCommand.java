package org.braid.cli.cluster.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.Termination;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RefusedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command on a cluster, which takes the options of Hadoop's own tools. */
public abstract class ClusterCommand extends BaseCommand {
  private final ClusterConnector connector;
  private final Map<String, String> located = new HashMap<>();
  private volatile Supplier<String> reached = () -> "";

  @Option(
      names = "-fs",
      paramLabel = "URI",
      description =
          "The file system, as in hdfs://namenode:8020; default: fs.defaultFS of the"
              + " configuration.")
  private @Nullable String fileSystem;

  @Option(
      names = "-conf",
      paramLabel = "FILE",
      description =
          "A configuration file in Hadoop's format, beside those in HADOOP_CONF_DIR; may be"
              + " repeated; later files take precedence.")
  private List<Path> configurations = new ArrayList<>();

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description =
          "A property of Hadoop or Braid, as in -D braid.repair.delay=15m; may be repeated.")
  private Map<String, String> properties = new LinkedHashMap<>();

  protected ClusterCommand(ClusterConnector connector) {
    this.connector = connector;
  }

  /**
   * Refuses wrong arguments, before the cluster is connected to.
   *
   * @throws IOException when a file of this machine is not there
   */
  protected void checkArguments() throws IOException {}

  /** Does the work on the connected cluster. */
  protected abstract CommandResult perform(Cluster cluster) throws IOException;

  /** The paths of the command line; none of a command on all of a cluster. */
  protected List<HdfsPath> paths() {
    return List.of();
  }

  /** A path of the command line as the NameNode has it: behind a router, that is another one. */
  protected final String located(HdfsPath path) {
    return located.getOrDefault(path.path(), path.path());
  }

  @Override
  protected final CommandResult perform() throws IOException {
    checkArguments();
    for (Path file : configurations) {
      if (!Files.isRegularFile(file)) {
        throw new NoSuchFileException(file.toString());
      }
    }
    List<Path> files = new ArrayList<>(HadoopFiles.in(System.getenv(HadoopFiles.DIRECTORY)));
    files.addAll(configurations);
    Connection connection = new Connection(fileSystem(), files, properties);
    try {
      return Braid.calledBy(nameBy("_"), () -> perform(connector, connection));
    } catch (RuntimeException e) {
      Optional<String> mistake = Braid.mistake(connection, e);
      if (mistake.isPresent()) {
        throw new RefusedException(mistake.get(), e);
      }
      throw e;
    }
  }

  /** Does the work, on the connected cluster unless a command says otherwise. */
  protected CommandResult perform(ClusterConnector connects, Connection connection)
      throws IOException {
    termination().ifPresent(this::saysHowFar);
    try (Cluster cluster = reach(connects, connection)) {
      return perform(cluster);
    }
  }

  /** Connects; to the NameNode that has the paths where the file system is a router. */
  private Cluster reach(ClusterConnector connects, Connection connection) throws IOException {
    List<String> given = paths().stream().map(HdfsPath::path).toList();
    try {
      return connects.connect(connection);
    } catch (RefusedException e) {
      if (!e.isRouter() || given.isEmpty()) {
        throw e;
      }
    }
    Connection.Behind behind = connects.behind(connection, given);
    String nameNode = behind.connection().fileSystem().orElseThrow();
    for (int i = 0; i < given.size(); i++) {
      String path = behind.paths().get(i);
      located.put(given.get(i), path);
      err().println("behind the router, %s is %s%s".formatted(given.get(i), nameNode, path));
    }
    err().flush();
    return connects.connect(behind.connection());
  }

  /** The handler of SIGTERM and Ctrl-C; present for commands that change the cluster. */
  protected Optional<Termination> termination() {
    return Optional.empty();
  }

  /** Sets the bars from which the progress is read. */
  protected final void shows(ProgressBars bars) {
    reached = bars::reached;
  }

  /** Has SIGTERM and Ctrl-C say how far a change of the cluster is, and what it leaves behind. */
  private void saysHowFar(Termination termination) {
    termination.says(
        () ->
            "stopped"
                + (reached.get().isEmpty() ? "" : " at " + reached.get())
                + ": what is done stays done, every file is readable and as safe as before; the"
                + " same command goes on from here",
        err());
  }

  private Optional<String> fileSystem() {
    List<Optional<String>> named = paths().stream().map(HdfsPath::fileSystem).distinct().toList();
    if (named.size() > 1) {
      throw wrong("all paths must be on one file system");
    }
    return named.stream()
        .findFirst()
        .flatMap(first -> first)
        .or(() -> Optional.ofNullable(fileSystem));
  }
}
