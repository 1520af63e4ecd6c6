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
import org.braid.codec.bench.Contender;
import org.braid.codec.bench.Contenders;
import org.braid.codec.bench.Task;
import org.braid.kernel.Kernel;
import org.braid.kernel.Kernels;

/** The race of Braid, ISA-L alone and Hadoop for one code after the other. */
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
   * How to measure.
   *
   * @param rounds runs of each contender
   * @param seconds seconds of each run
   * @param warmUp seconds that each contender runs before
   * @param seed of the data
   */
  public record Settings(int rounds, double seconds, double warmUp, long seed) {}

  /**
   * What came of one task.
   *
   * @param code the code's name, empty for a hop, which is the same for all codes
   * @param task encode, decode or hop
   * @param blockBytes bytes of a block
   * @param lost positions of the blocks that were decoded
   * @param way the schedule that Braid encodes by, empty for other tasks
   * @param peer the name of the RS code to compare with, empty where there is none
   * @param speeds GB/s of each contender that can do the task
   * @param ratios Braid's speed with its best kernel over that of others, by their names
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
  private final List<Contender> contenders = new ArrayList<>();

  /**
   * A bench.
   *
   * @param isal the kernel that uses ISA-L, empty where it is not there
   * @param others contenders from elsewhere
   */
  public CodeBench(Settings settings, Clock clock, Optional<Kernel> isal, List<Contender> others) {
    this.settings = settings;
    this.clock = clock;
    this.best = isal.orElse(Kernels.scalar());
    isal.ifPresent(
        kernel -> {
          contenders.add(Contenders.braid(ISAL, kernel));
          contenders.add(Contenders.rawIsal(RAW));
        });
    contenders.add(Contenders.braid(SCALAR, Kernels.scalar()));
    contenders.addAll(others);
  }

  /** The names of all contenders. */
  public List<String> names() {
    return contenders.stream().map(Contender::name).toList();
  }

  /** Encoding. */
  public Result encode(ErasureCode code, int blockBytes) {
    Task task = Task.encode(code, blockBytes, random());
    Optional<Task> peer = peer(code).map(rs -> Task.encode(rs, blockBytes, random()));
    return race(task, blockBytes, peer, Program.encoder(code, best).schedule().name());
  }

  /** Decoding of as many data blocks as the code can lose, from the first on. */
  public Result decode(ErasureCode code, int blockBytes) {
    List<Integer> lost = Task.mostLost(code);
    Task task = Task.decode(code, lost, blockBytes, random());
    Optional<Task> peer = peer(code).map(rs -> Task.decode(rs, lost, blockBytes, random()));
    return race(task, blockBytes, peer, "");
  }

  /** One multiply-and-add. */
  public Result hop(int blockBytes) {
    return race(Task.hop(blockBytes, random()), blockBytes, Optional.empty(), "");
  }

  /** Reed-Solomon with as many data and parity blocks. */
  private static Optional<ErasureCode> peer(ErasureCode code) {
    if (code instanceof ReedSolomon || code.m() == 0 || code.n() > MAX_RS_BLOCKS) {
      return Optional.empty();
    }
    return Optional.of(new ReedSolomon(new RsSettings(code.k(), code.m())));
  }

  private Random random() {
    return new Random(settings.seed());
  }

  private Result race(Task task, int blockBytes, Optional<Task> peer, String way) {
    Race race = new Race(clock, settings.rounds(), settings.seconds(), settings.warmUp());
    contenders.forEach(contender -> race.enter(contender.name(), contender, task));
    peer.ifPresent(other -> race.enter(PEER, Contenders.braid(PEER, best), other));
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
        peer.flatMap(Task::code).map(ErasureCode::name).orElse(""),
        speeds,
        ratios);
  }
}
