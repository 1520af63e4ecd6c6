package org.braid.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that works on a cluster, named as Hadoop's own tools name it. */
abstract class ClusterCommand extends BaseCommand {
  private final Connector connector;

  @Option(
      names = "-fs",
      paramLabel = "URI",
      description = "The file system; default: fs.defaultFS of the configuration.")
  private @Nullable String fileSystem;

  @Option(
      names = "-conf",
      paramLabel = "FILE",
      description = "A configuration file in Hadoop's format; repeatable, later ones win.")
  private List<Path> configurations = new ArrayList<>();

  @Option(names = "-D", paramLabel = "KEY=VALUE", description = "A property; repeatable.")
  private Map<String, String> properties = new LinkedHashMap<>();

  ClusterCommand(Connector connector) {
    this.connector = connector;
  }

  /** Does the work on the connected cluster. */
  abstract Outcome perform(Cluster cluster) throws IOException;

  /** What the command line names, at least one. */
  abstract List<HdfsPath> paths();

  @Override
  protected final Outcome perform() throws IOException {
    for (Path file : configurations) {
      if (!Files.isRegularFile(file)) {
        throw new NoSuchFileException(file.toString());
      }
    }
    try (Cluster cluster =
        connector.connect(new Connection(fileSystem(), configurations, properties))) {
      return perform(cluster);
    }
  }

  private Optional<String> fileSystem() {
    List<Optional<String>> named = paths().stream().map(HdfsPath::fileSystem).distinct().toList();
    if (named.size() > 1) {
      throw wrong("all paths must be of one file system");
    }
    return named.get(0).or(() -> Optional.ofNullable(fileSystem));
  }
}
