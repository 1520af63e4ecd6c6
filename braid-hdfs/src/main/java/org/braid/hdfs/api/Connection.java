package org.braid.hdfs.api;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a cluster is reached, in the words of Hadoop's own tools.
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
   * What a connection to a router stands for.
   *
   * @param connection leads to the NameNode
   * @param paths as the NameNode has them, in the order in which they were given
   */
  public record Behind(Connection connection, List<String> paths) {
    public Behind {
      paths = List.copyOf(paths);
    }
  }
}
