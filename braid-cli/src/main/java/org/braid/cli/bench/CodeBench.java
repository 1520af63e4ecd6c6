package org.braid.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.braid.code.ErasureCode;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;
import org.braid.codec.Program;
import org.braid.hdfs.testkit.bench.BenchCoder;
import org.braid.hdfs.testkit.bench.BenchCoders;
import org.braid.hdfs.testkit.bench.BenchTask;
import org.braid.kernel.Kernel;
import org.braid.kernel.Kernels;

/** Compares the speed of Braid, ISA-L alone and Hadoop, code by code. */
public final class CodeBench {
  /** Braid with ISA-L. */
  public static final String ISAL = "isal";

  /** ISA-L alone. */
  public static final String RAW = "raw";

  /** Braid in plain Java. */
  public static final String SCALAR = "scalar";

  /** Reed-Solomon with the same numbers of blocks, by Braid with its best kernel. */
  public static final String PEER = "rs";

  /** RS cannot have more blocks than the field has elements, less one. */
  private static final int MAX_RS_BLOCKS = 255;

  /**
   * The settings of a comparison.
   *
   * @param rounds runs of each contender
   * @param seconds seconds of each run
   * @param warmUp seconds of warm-up for each contender
   * @param seed of the data
   */
  public record Settings(int rounds, double seconds, double warmUp, long seed) {}

  /**
   * The speeds of one task.
   *
   * @param code name of the code; empty for a hop, which is equal for all codes
   * @param task encode, decode or hop
   * @param blockBytes bytes of a block
   * @param lost positions of the decoded blocks
   * @param way the schedule of the encoder; empty for other tasks
   * @param peer name of the RS code to compare with; empty without one
   * @param speeds GB/s of each contender that can do the task
   * @param ratios speed of Braid's best kernel over that of other contenders, by name
   */
  public record Result(
      String code,
      String task,
      int blockBytes,
      List<Integer> lost,
      String way,
      String peer,
      Map<String, Speed> speeds,
      Map<String, Double> ratios) {}

  private final Settings settings;
  private final Clock clock;
  private final Kernel best;
  private final List<BenchCoder> contenders = new ArrayList<>();

  /**
   * A comparison.
   *
   * @param isal the kernel that uses ISA-L; empty where ISA-L is not installed
   * @param others further contenders
   */
  public CodeBench(Settings settings, Clock clock, Optional<Kernel> isal, List<BenchCoder> others) {
    this.settings = settings;
    this.clock = clock;
    this.best = isal.orElse(Kernels.scalar());
    isal.ifPresent(
        kernel -> {
          contenders.add(BenchCoders.braid(ISAL, kernel));
          contenders.add(BenchCoders.rawIsal(RAW));
        });
    contenders.add(BenchCoders.braid(SCALAR, Kernels.scalar()));
    contenders.addAll(others);
  }

  /** Names of all contenders. */
  public List<String> names() {
    return contenders.stream().map(BenchCoder::name).toList();
  }

  /** Measures encoding. */
  public Result encode(ErasureCode code, int blockBytes) {
    BenchTask task = BenchTask.encode(code, blockBytes, random());
    Optional<BenchTask> peer = peer(code).map(rs -> BenchTask.encode(rs, blockBytes, random()));
    return race(task, blockBytes, peer, Program.encoder(code, best).schedule().name());
  }

  /** Measures decoding of the largest number of data blocks that the code can lose. */
  public Result decode(ErasureCode code, int blockBytes) {
    List<Integer> lost = BenchTask.mostLost(code);
    BenchTask task = BenchTask.decode(code, lost, blockBytes, random());
    Optional<BenchTask> peer =
        peer(code).map(rs -> BenchTask.decode(rs, lost, blockBytes, random()));
    return race(task, blockBytes, peer, "");
  }

  /** Measures one multiplication and addition, the work of a node in a repair pipeline. */
  public Result hop(int blockBytes) {
    return race(BenchTask.hop(blockBytes, random()), blockBytes, Optional.empty(), "");
  }

  /** Whether a code is compared with a Reed-Solomon code. */
  public static boolean hasPeer(ErasureCode code) {
    return peer(code).isPresent();
  }

  /** The Reed-Solomon code with equal numbers of data and parity blocks. */
  private static Optional<ErasureCode> peer(ErasureCode code) {
    if (code instanceof ReedSolomon || code.m() == 0 || code.n() > MAX_RS_BLOCKS) {
      return Optional.empty();
    }
    return Optional.of(new ReedSolomon(new RsSettings(code.k(), code.m())));
  }

  private Random random() {
    return new Random(settings.seed());
  }

  private Result race(BenchTask task, int blockBytes, Optional<BenchTask> peer, String way) {
    SpeedComparison race =
        new SpeedComparison(clock, settings.rounds(), settings.seconds(), settings.warmUp());
    contenders.forEach(contender -> race.enter(contender.name(), contender, task));
    peer.ifPresent(other -> race.enter(PEER, BenchCoders.braid(PEER, best), other));
    race.run();
    Map<String, Speed> speeds = new LinkedHashMap<>();
    Map<String, Double> ratios = new TreeMap<>();
    String ours = best == Kernels.scalar() ? SCALAR : ISAL;
    for (String name : race.names()) {
      race.speed(name).ifPresent(speed -> speeds.put(name, speed));
      if (!name.equals(ours)) {
        race.ratio(ours, name).ifPresent(ratio -> ratios.put(name, ratio));
      }
    }
    return new Result(
        task.code().map(ErasureCode::name).orElse(""),
        task.kind().name().toLowerCase(Locale.ROOT),
        blockBytes,
        task.lost(),
        way,
        peer.flatMap(BenchTask::code).map(ErasureCode::name).orElse(""),
        speeds,
        ratios);
  }
}
