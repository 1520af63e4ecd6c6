package org.braid.lab.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;

/**
 * The jars of YARN and MapReduce. They are in a directory of their own and on the class path of
 * YARN's daemons, of jobs and of clients alone.
 */
public final class YarnJars {
  /** The system property that names their directory. */
  public static final String PLACE = "braid.yarn";

  private static final List<String> NEEDED =
      List.of(
          "hadoop-yarn-server-resourcemanager",
          "hadoop-yarn-server-nodemanager",
          "hadoop-mapreduce-client-app",
          "hadoop-mapreduce-client-shuffle",
          "hadoop-mapreduce-client-jobclient");

  private YarnJars() {}

  /**
   * The jars, in order of their names.
   *
   * @throws ExperimentException when some are missing
   */
  public static List<Path> find() throws ExperimentException {
    String named = System.getProperty(PLACE, "");
    if (named.isEmpty()) {
      throw ExperimentException.refused(
          "a release has no jars of YARN: use a checkout of Braid, or name a directory of them by"
              + " BRAID_JAVA_OPTS=-D"
              + PLACE
              + "=DIRECTORY");
    }
    return in(Path.of(named));
  }

  /** The jars in a directory. */
  static List<Path> in(Path directory) throws ExperimentException {
    Path absolute = directory.toAbsolutePath().normalize();
    List<Path> jars;
    try (Stream<Path> files = Files.isDirectory(absolute) ? Files.list(absolute) : Stream.of()) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw ExperimentException.failed("cannot read " + absolute, e);
    }
    List<String> missing =
        NEEDED.stream()
            .filter(name -> jars.stream().noneMatch(jar -> named(jar).startsWith(name + "-")))
            .toList();
    if (!missing.isEmpty()) {
      throw ExperimentException.refused(
          "%s lacks jars of YARN (%s): build Braid anew"
              .formatted(absolute, String.join(", ", missing)));
    }
    return jars;
  }

  private static String named(Path jar) {
    return String.valueOf(jar.getFileName());
  }
}
