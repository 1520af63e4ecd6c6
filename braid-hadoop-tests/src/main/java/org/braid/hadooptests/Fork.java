package org.braid.hadooptests;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Runs test classes, each in its own process and directory, as Hadoop's build does. */
final class Fork implements Forks, AutoCloseable {
  /** Most memory of a Java process: its heap of 4 GiB, and more outside of it. */
  private static final long MEMORY = (4096L + 768) << 20;

  private static final Duration TO_END = Duration.ofSeconds(20);

  /** What Hadoop's build opens to its tests, and Braid's jars need. */
  private static final List<String> OPENS =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.reflect",
          "java.base/java.math",
          "java.base/java.net",
          "java.base/java.nio",
          "java.base/java.text",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.zip",
          "java.base/sun.security.util",
          "java.base/sun.security.x509");

  /** Classes in whose directory other classes write their configurations. */
  private static final List<String> PLACES =
      List.of(
          "org.apache.hadoop.hdfs.TestSecureEncryptionZoneWithKMS",
          "org.apache.hadoop.hdfs.qjournal.TestSecureNNWithQJM");

  private final HadoopClassPath classPath;
  private final TestFiles files;
  private final Path directory;
  private final Duration limit;
  private final Map<String, String> environment;
  private final String commit;
  private volatile boolean closed;
  private final Set<Process> running = ConcurrentHashMap.newKeySet();

  /**
   * Makes one.
   *
   * @param directory the directory of logs and of the tests' files
   * @param limit how long a class may take
   * @param environment variables of tests in addition to those of this process
   * @param commit the commit of this Braid; empty when unknown
   */
  Fork(
      HadoopClassPath classPath,
      TestFiles files,
      Path directory,
      Duration limit,
      Map<String, String> environment,
      String commit) {
    this.classPath = classPath;
    this.files = files;
    this.directory = directory;
    this.limit = limit;
    this.environment = Map.copyOf(environment);
    this.commit = commit;
  }

  /** Number of processes at once that the memory of this machine is enough for, at least one. */
  static int mostAtOnce(long memory) {
    return (int) Math.max(1, memory / MEMORY);
  }

  @Override
  public ClassRun run(String name, TestedHdfs side, String run)
      throws IOException, InterruptedException {
    // Names of sockets below it have at most 108 bytes.
    Path work = Files.createTempDirectory("ht");
    Path lines = directory.resolve(run + ".lines");
    Path log = directory.resolve(run + ".log");
    Files.deleteIfExists(lines);
    long start = System.nanoTime();
    ClassRun.End end;
    try {
      Path own = Files.createDirectories(work.resolve("target/test-classes"));
      for (String copied : Stream.concat(PLACES.stream(), Stream.of(name)).distinct().toList()) {
        copyClass(copied, own);
      }
      end = process(command(name, side, work, own, lines), work, log);
    } finally {
      delete(work);
    }
    if (closed) {
      throw new InterruptedException(name + " was stopped");
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    List<String> written = Files.exists(lines) ? Files.readAllLines(lines) : List.of();
    if (end == ClassRun.End.COMPLETE && !written.contains(ForkedClass.DONE)) {
      end = ClassRun.End.DIED;
    }
    ClassRun result =
        new ClassRun(name, side, classPath.build(side), commit, end, seconds, tests(written));
    Files.deleteIfExists(lines);
    if (result.clean()) {
      Files.delete(log);
    }
    return result;
  }

  private ClassRun.End process(List<String> command, Path work, Path log)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HADOOP_"));
    builder.environment().put("MALLOC_ARENA_MAX", "4");
    builder.environment().putAll(environment);
    Process process = builder.start();
    running.add(process);
    if (closed) {
      process.destroyForcibly();
    }
    try {
      process.getOutputStream().close();
      if (!process.waitFor(limit.plus(TO_END).toSeconds(), TimeUnit.SECONDS)) {
        return ClassRun.End.TIMED_OUT;
      }
      return switch (process.exitValue()) {
        case 0 -> ClassRun.End.COMPLETE;
        case ForkedClass.TIMED_OUT -> ClassRun.End.TIMED_OUT;
        default -> ClassRun.End.DIED;
      };
    } finally {
      end(process);
      running.remove(process);
    }
  }

  private List<String> command(String name, TestedHdfs side, Path work, Path own, Path lines) {
    Path target = work.resolve("target");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx4096m", "-Xss4m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    OPENS.forEach(each -> command.add("--add-opens=" + each + "=ALL-UNNAMED"));
    command.addAll(
        List.of(
            "-Dhadoop.log.dir=" + target.resolve("log"),
            "-Dhadoop.tmp.dir=" + target.resolve("tmp"),
            "-Dtest.build.dir=" + target.resolve("test-dir"),
            "-Dtest.build.data=" + target.resolve("test/data"),
            "-Dtest.cache.data=" + files.hadoop(),
            "-Dtest.build.classes=" + files.hadoop(),
            "-Djava.io.tmpdir=" + work,
            "-Djava.net.preferIPv4Stack=true",
            "-Djava.security.krb5.conf=" + files.hadoop().resolve("krb5.conf"),
            "-Djava.security.egd=file:///dev/urandom",
            "-cp",
            own + File.pathSeparator + classPath.of(side, files.first(side)),
            ForkedClass.class.getName(),
            name,
            lines.toString(),
            Long.toString(limit.toSeconds())));
    return command;
  }

  /**
   * Copies a class out of its jar: tests write configurations beside themselves, where they are
   * read from the class path.
   */
  private void copyClass(String name, Path target) throws IOException {
    String path = name.replace('.', '/');
    for (Path entry : classPath.others()) {
      if (!entry.toString().endsWith("-tests.jar")) {
        continue;
      }
      try (JarFile jar = new JarFile(entry.toFile())) {
        for (JarEntry file : Collections.list(jar.entries())) {
          if (file.getName().equals(path + ".class") || file.getName().startsWith(path + "$")) {
            Path copy = target.resolve(file.getName());
            Files.createDirectories(Objects.requireNonNull(copy.getParent()));
            try (InputStream content = jar.getInputStream(file)) {
              Files.copy(content, copy);
            }
          }
        }
      }
    }
  }

  /** What the lines say; tests that started and did not end are broken off. */
  static List<ClassRun.TestRun> tests(List<String> lines) {
    List<ClassRun.TestRun> tests = new ArrayList<>();
    Set<String> open = new LinkedHashSet<>();
    for (String line : lines) {
      String[] fields = line.split("\t", -1);
      if (fields[0].equals(ForkedClass.STARTED)) {
        open.add(fields[1]);
      } else if (fields.length == 4) {
        open.remove(fields[1]);
        tests.add(
            new ClassRun.TestRun(
                fields[1], TestState.ofLine(fields[0]), Long.parseLong(fields[2]), fields[3]));
      }
    }
    open.forEach(
        test -> tests.add(new ClassRun.TestRun(test, TestState.BROKEN_OFF, 0, "did not end")));
    return tests;
  }

  private static void end(Process process) throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }

  /** Deletes a directory; leaves files for which tests removed the permissions. */
  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (UncheckedIOException unreadable) {
      // A directory that may not be listed.
    }
  }

  /** Ends the running classes, which then have no result. */
  @Override
  public void close() {
    closed = true;
    running.forEach(Process::destroyForcibly);
  }
}
