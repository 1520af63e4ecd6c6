package org.braid.clients;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What processes of each version run with. */
final class ClassPaths {
  /** The Hadoop of this JVM. */
  static final String OWN_VERSION = "3.5.0";

  /** The same Hadoop with Braid of an earlier build. */
  static final String EARLIER = OWN_VERSION + "+earlier";

  /** Property: the jars of that build, {@code braid-cli/target/lib}. */
  private static final String EARLIER_JARS = "braid.plugins.old";

  private static final Path TESTS = Path.of("target/test-classes").toAbsolutePath();

  private ClassPaths() {}

  /**
   * The class paths of servers by their versions; the first one is that of this JVM. The others are
   * there when the build was told to have them.
   */
  static Map<String, String> servers() throws IOException {
    Map<String, String> servers = new LinkedHashMap<>();
    servers.put(OWN_VERSION, System.getProperty("java.class.path"));
    String earlier = System.getProperty(EARLIER_JARS, "");
    if (!earlier.isEmpty()) {
      servers.put(
          EARLIER,
          String.join(
              File.pathSeparator,
              TESTS.toString(),
              probe(),
              earlier(Path.of(earlier)),
              System.getProperty("java.class.path")));
    }
    for (Path place : below(Path.of("../../braid-hadoop").toAbsolutePath(), "target/server")) {
      servers.put(
          place.getParent().getParent().getFileName().toString(),
          String.join(File.pathSeparator, TESTS.toString(), probe(), jars(place)));
    }
    return servers;
  }

  /**
   * The jars of an earlier build, before those of this one.
   *
   * @throws IOException where there are none of Braid's: this build would be taken for that one
   */
  static String earlier(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      if (files.noneMatch(
          file -> file.getFileName().toString().matches("braid-hdfs-[0-9].*[.]jar"))) {
        throw new IOException(
            "%s=%s: no braid-hdfs-VERSION.jar is there".formatted(EARLIER_JARS, directory));
      }
    }
    return jars(directory);
  }

  /** The version of Hadoop of servers that have a name in {@link #servers}. */
  static String hadoop(String server) {
    return server.equals(EARLIER) ? OWN_VERSION : server;
  }

  /** The classes that programs of all versions share. */
  static String probe() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.contains("braid-clients") && entry.contains("probe"))
        .findFirst()
        .orElseThrow();
  }

  /** Directories in a directory that have a directory. */
  static List<Path> below(Path directory, String has) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.map(path -> path.resolve(has)).filter(Files::isDirectory).sorted().toList();
    }
  }

  /** All jars of a directory. */
  static String jars(Path directory) throws IOException {
    try (Stream<Path> jars = Files.list(directory)) {
      return jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
    }
  }

  /** The jar of Braid's client whose name ends so. */
  static String braid(String end) throws IOException {
    return built(end).orElseThrow(() -> new IOException("there is no *" + end + " in " + place()));
  }

  /** The same; empty when it was not built. */
  static Optional<String> built(String end) throws IOException {
    return built(place(), end);
  }

  /** The same in a directory. A jar for Java 8 that is older than the other is of another build. */
  static Optional<String> built(Path directory, String end) throws IOException {
    Optional<Path> found;
    try (Stream<Path> jars = Files.list(directory)) {
      found =
          jars.filter(jar -> jar.toString().endsWith(end))
              .filter(jar -> !jar.toString().contains("original-"))
              .findFirst();
    }
    if (found.isPresent()) {
      Path other = Path.of(found.get().toString().replace("-java8.jar", ".jar"));
      if (Files.exists(other)
          && Files.getLastModifiedTime(found.get()).compareTo(Files.getLastModifiedTime(other))
              < 0) {
        return Optional.empty();
      }
    }
    return found.map(Path::toString);
  }

  private static Path place() {
    return Path.of(System.getProperty("braid.client.jars"));
  }
}
