package org.braid.lab.daemon;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.RunProgress;
import org.braid.hdfs.testkit.lab.TrainingRun;
import org.braid.lab.namespace.FileTrees;

/**
 * The class data sharing archive of the classes that HDFS loads, which halves the start time of
 * daemons, and the directory of a formatted NameNode. Both are made once for a JDK and a set of
 * jars and kept in the user's cache.
 *
 * @param classes the archive; empty where this JDK cannot make one
 * @param formatted the directory of the NameNode
 */
public record ClassArchive(Optional<Path> classes, Path formatted) {
  private static final String CLASSES = "classes.jsa";
  private static final String FORMATTED = "name";
  private static final String TRAINING_RUN = TrainingRun.class.getName();

  /** Raise when the training run changes. */
  private static final String VERSION = "1";

  private static final long MOST_SECONDS = 240;
  private static final long UNUSED_DAYS = 30;

  /** The cache of this user. */
  public static Path cache() {
    String named = System.getenv("XDG_CACHE_HOME");
    Path cache =
        named == null || named.isEmpty()
            ? Path.of(System.getProperty("user.home", "/tmp"), ".cache")
            : Path.of(named);
    return cache.resolve("braid").resolve("lab");
  }

  /** The archive for this process; makes it if the cache lacks it, which takes half a minute. */
  public static ClassArchive of(Path cache, RunProgress progress)
      throws ExperimentException, InterruptedException {
    ClassPath path = ClassPath.ofThisProcess();
    Path directory = cache.resolve(key(path));
    try {
      Files.createDirectories(cache);
      try (FileChannel channel =
              FileChannel.open(
                  cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock unused = channel.lock()) {
        if (!Files.isDirectory(directory)) {
          build(path, cache, directory, progress);
          sweep(cache);
        }
        Files.setLastModifiedTime(directory, FileTime.fromMillis(System.currentTimeMillis()));
      }
    } catch (IOException e) {
      throw ExperimentException.failed("cannot keep anything in " + cache + ": " + e, e);
    }
    Path classes = directory.resolve(CLASSES);
    return new ClassArchive(
        Files.exists(classes) ? Optional.of(classes) : Optional.empty(),
        directory.resolve(FORMATTED));
  }

  /** Runs programs that list the classes that they load. */
  public interface Training {
    /** Runs them; each writes a file into the directory. */
    void run(Path lists) throws ExperimentException, InterruptedException;
  }

  /**
   * The archive for programs with further jars; makes it if the cache lacks it. Without one, they
   * use the classes of the first archive.
   *
   * @param jars that stand behind those of HDFS
   * @param hdfs the archive of HDFS's classes
   */
  public static ClassArchive of(
      Path cache, List<Path> jars, ClassArchive hdfs, Training training, RunProgress progress)
      throws ExperimentException, InterruptedException {
    ClassPath path = ClassPath.ofThisProcess().with(jars, cache);
    Path directory = cache.resolve(key(path));
    try (FileChannel channel =
            FileChannel.open(
                cache.resolve("lock-yarn"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock unused = channel.lock()) {
      if (!Files.isDirectory(directory)) {
        build(path, cache, directory, training, progress);
      }
      Files.setLastModifiedTime(directory, FileTime.fromMillis(System.currentTimeMillis()));
    } catch (IOException e) {
      throw ExperimentException.failed("cannot keep anything in " + cache + ": " + e, e);
    }
    Path classes = directory.resolve(CLASSES);
    return Files.exists(classes) ? new ClassArchive(Optional.of(classes), hdfs.formatted()) : hdfs;
  }

  private static void build(
      ClassPath path, Path cache, Path directory, Training training, RunProgress progress)
      throws IOException, ExperimentException, InterruptedException {
    Path made = Files.createTempDirectory(cache, "new-");
    try {
      progress.say("making an archive of YARN's classes, once");
      Path lists = Files.createDirectory(made.resolve("lists"));
      training.run(lists);
      Set<String> all = new LinkedHashSet<>();
      try (Stream<Path> files = Files.list(lists)) {
        for (Path list : files.sorted().toList()) {
          all.addAll(listed(list));
        }
      }
      Path list = made.resolve("classes.lst");
      Files.write(list, all);
      dump(path, list, made, progress);
      FileTrees.delete(lists);
      Files.move(made, directory, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      FileTrees.delete(made);
    }
  }

  private static void dump(ClassPath path, Path list, Path made, RunProgress progress)
      throws IOException, InterruptedException {
    Path log = made.resolve("log");
    List<String> dump =
        command(
            "-Xshare:dump",
            "-XX:+UseSerialGC",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + made.resolve(CLASSES),
            "-cp",
            path.first());
    if (!run(dump, log)) {
      progress.say("no archive of classes, daemons start slower: " + lastLine(log));
      Files.deleteIfExists(made.resolve(CLASSES));
    }
  }

  private static String key(ClassPath path) throws ExperimentException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      List<String> words = new ArrayList<>();
      words.add(VERSION);
      words.add(System.getProperty("java.home", ""));
      words.add(System.getProperty("java.vm.version", ""));
      for (Path jar : path.stable()) {
        // The JVM compares the same attributes.
        words.add(jar + " " + Files.size(jar) + " " + Files.getLastModifiedTime(jar).toMillis());
      }
      digest.update(String.join("\n", words).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException | IOException e) {
      throw ExperimentException.failed("cannot look at the class path", e);
    }
  }

  private static void build(ClassPath path, Path cache, Path directory, RunProgress progress)
      throws IOException, ExperimentException, InterruptedException {
    Path made = Files.createTempDirectory(cache, "new-");
    try {
      progress.say("making an archive of HDFS's classes, once");
      progress.at("archive of classes", 0, 2);
      Path list = made.resolve("classes.lst");
      List<String> training =
          command(
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-XX:DumpLoadedClassList=" + list,
              "-Djava.net.preferIPv4Stack=true");
      training.addAll(JavaLauncher.opens());
      training.addAll(List.of("-cp", path.all(), TRAINING_RUN));
      training.add(made.resolve(FORMATTED).toString());
      training.add(made.resolve("work").toString());
      Path log = made.resolve("log");
      if (!run(training, log) || !Files.isDirectory(made.resolve(FORMATTED))) {
        throw ExperimentException.failed(
            "HDFS does not start in a process of its own: " + lastLine(log));
      }
      progress.at("archive of classes", 1, 2);
      Files.write(list, listed(list));
      dump(path, list, made, progress);
      FileTrees.delete(made.resolve("work"));
      Files.move(made, directory, StandardCopyOption.ATOMIC_MOVE);
      progress.at("archive of classes", 2, 2);
    } finally {
      FileTrees.delete(made);
    }
  }

  private static List<String> command(String... words) {
    List<String> command = new ArrayList<>();
    command.add(JavaLauncher.jvm());
    command.addAll(List.of(words));
    return command;
  }

  /** The classes that can be archived, each once, in the order of loading. */
  private static Set<String> listed(Path list) throws IOException {
    Set<String> lines = new LinkedHashSet<>();
    for (String line : Files.readAllLines(list, StandardCharsets.UTF_8)) {
      if (!line.startsWith("#") && !line.contains("source:") && !line.contains("org/braid/")) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static boolean run(List<String> command, Path log)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      return process.waitFor(MOST_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } finally {
      process.destroyForcibly();
    }
  }

  private static String lastLine(Path log) throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.isBlank())
            .toList();
    return lines.isEmpty() ? "no reason given" : lines.get(lines.size() - 1);
  }

  /** Deletes archives that were not used for long. */
  private static void sweep(Path cache) throws IOException {
    long oldest = System.currentTimeMillis() - TimeUnit.DAYS.toMillis(UNUSED_DAYS);
    try (Stream<Path> all = Files.list(cache)) {
      for (Path path : all.filter(Files::isDirectory).toList()) {
        if (Files.getLastModifiedTime(path).toMillis() < oldest) {
          FileTrees.delete(path);
        }
      }
    }
  }
}
