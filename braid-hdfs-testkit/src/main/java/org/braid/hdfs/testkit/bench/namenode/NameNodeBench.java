package org.braid.hdfs.testkit.bench.namenode;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.util.MD5FileUtils;
import org.braid.code.Codes;
import org.braid.hdfs.api.Progress;

/**
 * Measures what many stripes cost a NameNode: heap, start-up, failover, holds of its lock and the
 * calls of Braid's commands, compared with the same NameNode without Braid.
 *
 * <p>Each contender is a separate process that runs one real NameNode on an image with injected
 * files, blocks and attributes; DataNodes without data report the replicas.
 */
public final class NameNodeBench {
  private static final long HEAP_BASE = 1L << 30;

  /** Heap that a process is given for each block of a stripe. */
  private static final long HEAP_A_BLOCK = 1000;

  private final Settings settings;
  private final Progress progress;

  /**
   * Settings of the measurement.
   *
   * @param code name of the code of all stripes
   * @param stripes number of stripes, each of one file of k blocks
   * @param seed seed of ids and places
   * @param operationSeconds time-out of one operation
   * @param directory directory of the NameNodes' files
   */
  public record Settings(
      String code, int stripes, long seed, long operationSeconds, Path directory) {
    public Settings {
      if (stripes < 1 || operationSeconds < 1) {
        throw new IllegalArgumentException(
            "%d stripes, %d s an operation: both are at least 1"
                .formatted(stripes, operationSeconds));
      }
      Codes.named(code);
    }

    /** Bytes of heap that each NameNode gets. */
    public long heap() {
      return HEAP_BASE + HEAP_A_BLOCK * stripes * Codes.named(code).n();
    }
  }

  /** The NameNodes that are compared. */
  enum Contender {
    /** A few files. */
    EMPTY,
    /** The files with three replicas, without Braid. */
    REPLICATED,
    /** The files with three replicas, with Braid, before their conversion. */
    UNCONVERTED,
    /** The converted files and their parity, without Braid. */
    CONVERTED,
    /** The converted files and their parity, with Braid. */
    BRAID;

    /** The name of its image, which the contenders with the same files share. */
    String image() {
      return this == EMPTY ? "empty.image" : isConverted() ? "converted.image" : "replicated.image";
    }

    /** Whether the files are converted. */
    boolean isConverted() {
      return this == CONVERTED || this == BRAID;
    }

    /** Whether the NameNode has Braid. */
    boolean hasBraid() {
      return this == UNCONVERTED || this == BRAID;
    }
  }

  /**
   * A figure.
   *
   * @param what is measured
   * @param unit of the value
   * @param plain the value of the NameNode that it is compared with, if there is one
   * @param value absent when the operation did not end in time or failed
   * @param goal the largest ratio or value; absent when there is none
   * @param judged the ratio or value that the goal limits
   * @param remark more about it; empty when there is nothing to say
   */
  public record Row(
      String what,
      String unit,
      OptionalDouble plain,
      OptionalDouble value,
      OptionalDouble goal,
      OptionalDouble judged,
      String remark) {
    /** Value over that of the plain NameNode. */
    public OptionalDouble ratio() {
      return plain.isPresent() && value.isPresent()
          ? OptionalDouble.of(value.getAsDouble() / plain.getAsDouble())
          : OptionalDouble.empty();
    }

    /** Whether the goal is reached; empty without one. */
    public Optional<Boolean> reached() {
      return goal.isEmpty()
          ? Optional.empty()
          : Optional.of(judged.isPresent() && judged.getAsDouble() <= goal.getAsDouble());
    }
  }

  private NameNodeBench(Settings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param progress hears how many NameNodes have been measured
   */
  public static List<Row> run(Settings settings, Progress progress) throws IOException {
    return new NameNodeBench(settings, progress).run();
  }

  private List<Row> run() throws IOException {
    Map<Contender, Properties> measured = new EnumMap<>(Contender.class);
    int all = Contender.values().length;
    progress.at("NameNodes", 0, all);
    for (Contender contender : Contender.values()) {
      measured.put(contender, probe(contender));
      progress.at("NameNodes", measured.size(), all);
      if (Stream.of(Contender.values())
          .filter(other -> !measured.containsKey(other))
          .noneMatch(other -> other.image().equals(contender.image()))) {
        deleteImage(contender);
      }
    }
    return new NameNodeRows(settings.stripes(), measured).rows();
  }

  private Properties probe(Contender contender) throws IOException {
    Path directory = settings.directory().resolve(contender.name());
    Files.createDirectories(directory);
    Path result = directory.resolve("measured.properties");
    Path log = directory.resolve("log");
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-Xmx" + settings.heap());
    words.add("-XX:+UseParallelGC");
    words.add("-XX:-UsePerfData");
    words.addAll(NameNodeLoad.options(settings.stripes()));
    words.add("-Dbraid.log.hadoop=WARN");
    words.add("-Dbraid.log.braid=WARN");
    words.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    words.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add(NameNodeProbe.class.getName());
    words.add(contender.name());
    words.add(settings.code());
    words.add(String.valueOf(settings.stripes()));
    words.add(String.valueOf(settings.seed()));
    words.add(String.valueOf(settings.operationSeconds()));
    words.add(directory.toString());
    words.add(result.toString());
    File output = log.toFile();
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output).start();
    Thread end = new Thread(process::destroyForcibly, "braid-end-namenode");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      int status = process.waitFor();
      if (status != 0 || !Files.exists(result)) {
        throw new IOException(
            "the NameNode %s ended with status %d: %s".formatted(contender, status, cause(log)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a NameNode was measured");
    } finally {
      process.destroyForcibly();
    }
    Runtime.getRuntime().removeShutdownHook(end);
    Properties read = new Properties();
    try (InputStream in = Files.newInputStream(result)) {
      read.load(in);
    }
    delete(directory);
    return read;
  }

  private void deleteImage(Contender contender) throws IOException {
    Path image = settings.directory().resolve(contender.image());
    Files.deleteIfExists(image);
    Files.deleteIfExists(Path.of(image + MD5FileUtils.MD5_SUFFIX));
  }

  /** An image of a million stripes has more than a gigabyte. */
  private static void delete(Path directory) throws IOException {
    List<Path> files;
    try (var all = Files.walk(directory)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  /** The last line of a log that is no line of a stack trace. */
  private static String cause(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("\t"))
        .reduce("", (earlier, later) -> later);
  }
}
