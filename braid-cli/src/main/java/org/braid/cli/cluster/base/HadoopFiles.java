package org.braid.cli.cluster.base;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The configuration that Hadoop's own tools take from their environment. */
final class HadoopFiles {
  /** The variable that names the directory of Hadoop's configuration. */
  static final String DIRECTORY = "HADOOP_CONF_DIR";

  private HadoopFiles() {}

  /**
   * The files of a directory that clients of HDFS read, in the order in which they read them.
   *
   * @param directory null or empty: there is none
   */
  static List<Path> in(@Nullable String directory) {
    return directory == null || directory.isEmpty()
        ? List.of()
        : Stream.of("core-site.xml", "hdfs-site.xml")
            .map(name -> Path.of(directory, name))
            .filter(Files::isRegularFile)
            .toList();
  }
}
