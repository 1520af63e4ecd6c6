package org.braid.hadooptests;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The class path of this program, divided into its parts.
 *
 * @param runner the entries with the class that runs tests in a forked process
 * @param braid Braid's jars
 * @param others Hadoop, its tests and what they need
 */
record HadoopClassPath(List<Path> runner, List<Path> braid, List<Path> others) {
  HadoopClassPath {
    runner = List.copyOf(runner);
    braid = List.copyOf(braid);
    others = List.copyOf(others);
  }

  /** That of this process. */
  static HadoopClassPath ofThisProcess() throws IOException {
    String property = System.getProperty("surefire.test.class.path");
    return of(property == null ? System.getProperty("java.class.path") : property);
  }

  /** Divides a class path by the contents of its entries. */
  static HadoopClassPath of(String classPath) throws IOException {
    List<Path> runner = new ArrayList<>();
    List<Path> braid = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      Path path = Path.of(entry).toAbsolutePath();
      if (!Files.exists(path)) {
        continue;
      }
      if (holds(path, "org/braid/hadooptests/")) {
        runner.add(path);
      } else if (holds(path, "org/braid/")) {
        braid.add(path);
      } else {
        others.add(path);
      }
    }
    return new HadoopClassPath(runner, braid, others);
  }

  /** The class path of a side behind the directories of its settings and of Hadoop's test files. */
  String of(TestedHdfs side, List<Path> first) {
    Stream<Path> entries = Stream.concat(first.stream(), runner.stream());
    if (side == TestedHdfs.BRAID) {
      entries = Stream.concat(entries, braid.stream());
    }
    return String.join(
        File.pathSeparator, Stream.concat(entries, others.stream()).map(Path::toString).toList());
  }

  /** The jar with a given begin and end of its name. */
  Path jar(String beginning, String end) throws Complaint {
    return others.stream()
        .filter(path -> Files.isRegularFile(path))
        .filter(path -> name(path).startsWith(beginning) && name(path).endsWith(end))
        .findFirst()
        .orElseThrow(() -> new Complaint("the class path has no " + beginning + "VERSION" + end));
  }

  /** The version in the name of the jar of Hadoop's tests. */
  String hadoop() throws Complaint {
    String name = name(jar("hadoop-hdfs-", "-tests.jar"));
    return name.substring("hadoop-hdfs-".length(), name.length() - "-tests.jar".length());
  }

  /**
   * Names what a side runs: the versions of all jars and of Java, and with Braid the bytes of its
   * jars and settings.
   */
  String build(TestedHdfs side) throws IOException {
    return build(side, TestFiles.settings());
  }

  /** The same with given settings of Braid. */
  String build(TestedHdfs side, byte[] settings) throws IOException {
    MessageDigest digest = sha256();
    digest.update(Runtime.version().toString().getBytes(StandardCharsets.UTF_8));
    for (Path path : others) {
      digest.update(name(path).getBytes(StandardCharsets.UTF_8));
    }
    if (side == TestedHdfs.BRAID) {
      for (Path path : braid) {
        update(digest, path);
      }
      digest.update(settings);
    }
    return HexFormat.of().formatHex(digest.digest(), 0, 6);
  }

  private static void update(MessageDigest digest, Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        digest.update(Files.readAllBytes(file));
      }
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }

  private static boolean holds(Path entry, String below) {
    if (Files.isDirectory(entry)) {
      return Files.isDirectory(entry.resolve(below));
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      return jar.stream().anyMatch(file -> file.getName().startsWith(below));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(entry + " is not a jar", unreadable);
    }
  }

  private static String name(Path path) {
    return Objects.requireNonNull(path.getFileName()).toString();
  }
}
