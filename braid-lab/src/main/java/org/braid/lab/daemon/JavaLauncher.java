package org.braid.lab.daemon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.braid.experiment.ExperimentException;

/**
 * Commands of Java programs in a lab: the JVM and class path of this process, and the class
 * archive.
 *
 * @param arguments the file of options that all programs share
 * @param formatted the directory of a formatted, empty NameNode
 */
public record JavaLauncher(Path arguments, Path formatted) {
  /** Warnings and errors alone, to standard error. */
  public static final String LOGGING =
      """
      log4j.rootLogger=WARN,stderr
      log4j.appender.stderr=org.apache.log4j.ConsoleAppender
      log4j.appender.stderr.target=System.err
      log4j.appender.stderr.layout=org.apache.log4j.PatternLayout
      log4j.appender.stderr.layout.ConversionPattern=%d{HH:mm:ss,SSS} %p %c{1}: %m%n
      log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR
      """;

  private static final String YARN_ARGUMENTS = "yarn.args";

  /**
   * Writes the shared options of HDFS's programs.
   *
   * @param directory of the lab
   * @param archive of classes
   */
  public static JavaLauncher prepare(Path directory, ClassArchive archive)
      throws ExperimentException {
    return prepare(directory, "java.args", ClassPath.ofThisProcess(), archive, Optional.empty());
  }

  /**
   * Writes the shared options of programs that have YARN and MapReduce on their class path, too.
   *
   * @param directory of the lab
   * @param archive of classes
   * @param jars of YARN and MapReduce
   * @param lists where each program lists the classes that it loads; empty: nowhere
   */
  public static JavaLauncher prepareYarn(
      Path directory, ClassArchive archive, List<Path> jars, Optional<Path> lists)
      throws ExperimentException {
    ClassPath path = ClassPath.ofThisProcess().with(jars, yarnConfiguration(directory));
    return prepare(directory, YARN_ARGUMENTS, path, archive, lists);
  }

  /**
   * The directory of {@code yarn-site.xml}: some of YARN's classes look for it on the class path,
   * whatever configuration they are given.
   *
   * @param directory of the lab
   */
  public static Path yarnConfiguration(Path directory) {
    return directory.resolve("yarn");
  }

  /** The launcher of a lab whose shared options were written. */
  static JavaLauncher joinYarn(Path directory) {
    return new JavaLauncher(directory.resolve(YARN_ARGUMENTS), directory);
  }

  private static JavaLauncher prepare(
      Path directory, String name, ClassPath path, ClassArchive archive, Optional<Path> lists)
      throws ExperimentException {
    Path logging = directory.resolve("log4j.properties");
    Path arguments = directory.resolve(name);
    List<String> words = new ArrayList<>();
    words.add("-XX:+UseSerialGC");
    words.add("-XX:-UsePerfData");
    words.add("-XX:+ExitOnOutOfMemoryError");
    archive.classes().ifPresent(file -> words.add("-XX:SharedArchiveFile=" + file));
    words.add("-Xshare:auto");
    lists.ifPresent(list -> words.add("-XX:DumpLoadedClassList=" + list.resolve("%p.lst")));
    words.add("-Djava.net.preferIPv4Stack=true");
    // Killed daemons leave files there.
    Path temporary = directory.resolve("tmp");
    words.add("-Djava.io.tmpdir=" + temporary);
    words.add("-Dlog4j.configuration=" + logging.toUri());
    words.addAll(opens());
    words.add("-cp");
    words.add(path.all());
    StringBuilder text = new StringBuilder();
    for (String word : words) {
      text.append('"').append(word.replace("\\", "\\\\").replace("\"", "\\\"")).append("\"\n");
    }
    try {
      Files.createDirectories(temporary);
      Files.write(logging, LOGGING.getBytes(StandardCharsets.UTF_8));
      Files.write(arguments, text.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw ExperimentException.failed("cannot write to " + directory, e);
    }
    return new JavaLauncher(arguments, archive.formatted());
  }

  /** JVM options that Hadoop and JNA need, as in the launcher of this program. */
  static List<String> opens() {
    List<String> words =
        new ArrayList<>(
            List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED"));
    if (Runtime.version().feature() >= 24) {
      words.add("--enable-native-access=ALL-UNNAMED");
      words.add("--sun-misc-unsafe-memory-access=allow");
    }
    return words;
  }

  /** The JVM of this process. */
  static String jvm() {
    return Path.of(System.getProperty("java.home", ""), "bin", "java").toString();
  }

  /** The command of a daemon, with the fast compiler alone. */
  List<String> daemon(String heap, List<String> words) {
    return command(heap, List.of("-XX:TieredStopAtLevel=1", "-Xms24m"), words);
  }

  /** The command of a client, with all compilers. */
  List<String> client(String heap, List<String> words) {
    return command(heap, List.of(), words);
  }

  private List<String> command(String heap, List<String> options, List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(jvm());
    command.addAll(options);
    command.add("-Xmx" + heap);
    command.add("@" + arguments);
    command.addAll(words);
    return command;
  }
}
