package org.braid.cli.bench.planning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.braid.hdfs.embedded.TargetChoice;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The targets of a new block, chosen in a NameNode by HDFS's default policy and by Braid's. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Targets {
  private static final int STRIPES = 8;

  /** Whose policy chooses. */
  @Param({"HDFS", "BRAID"})
  @SuppressWarnings("NullAway.Init")
  public TargetChoice.Policy policy;

  /** The code that the files are to be encoded with. */
  @Param("rs-10-4")
  @SuppressWarnings("NullAway.Init")
  public String code;

  /** Racks of the cluster. */
  @Param("40")
  public int racks;

  /** Nodes of each rack. */
  @Param("25")
  public int nodesPerRack;

  /** Seed of writers and files. */
  @Param("1")
  public long seed;

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

  /** Chooses for the next file. */
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
