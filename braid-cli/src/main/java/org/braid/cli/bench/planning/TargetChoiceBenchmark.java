package org.braid.cli.bench.planning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.braid.hdfs.testkit.bench.TargetChoice;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the choice of targets for a new block in a NameNode, by HDFS's default policy and by
 * Braid's.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TargetChoiceBenchmark extends ClusterBenchmark {
  private static final int STRIPES = 8;

  /** The policy that chooses. */
  @Param({"HDFS", "BRAID"})
  @SuppressWarnings("NullAway.Init")
  public TargetChoice.Policy policy;

  /** The code of the files. */
  @Param("rs-10-4")
  @SuppressWarnings("NullAway.Init")
  public String code;

  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @SuppressWarnings("NullAway.Init")
  private TargetChoice choice;

  /** Starts the NameNode. */
  @Setup
  public void start() throws IOException {
    directory = Files.createTempDirectory("braid-bench");
    choice =
        TargetChoice.start(
            policy, new TargetChoice.Settings(racks, nodesPerRack, code, STRIPES, seed, directory));
  }

  /** Chooses the targets of a block of the next file. */
  @Benchmark
  public List<String> choose() {
    return choice.choose();
  }

  /** Stops the NameNode. */
  @TearDown
  public void stop() throws IOException {
    choice.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
