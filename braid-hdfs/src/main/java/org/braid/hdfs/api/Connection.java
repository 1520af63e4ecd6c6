package org.braid.hdfs.api;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a cluster is reached, by the options of Hadoop's own tools.
 *
 * @param fileSystem the value of {@code -fs}; absent: {@code fs.defaultFS} of the configuration
 * @param configurations the files of {@code -conf}, later ones win
 * @param properties the values of {@code -D}
 */
public record Connection(
    Optional<String> fileSystem, List<Path> configurations, Map<String, String> properties) {
  public Connection {
    configurations = List.copyOf(configurations);
    properties = Map.copyOf(properties);
  }

  /**
   * The NameNode behind a connection to a router.
   *
   * @param connection leads to the NameNode
   * @param paths the paths in the NameNode, in the order in which they were given
   */
  public record Behind(Connection connection, List<String> paths) {
    public Behind {
      paths = List.copyOf(paths);
    }
  }
}
