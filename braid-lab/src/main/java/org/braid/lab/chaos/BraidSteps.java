package org.braid.lab.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.testkit.lab.Command;

/** Chooses the commands of an operator, with Braid's and HDFS's tools. */
final class BraidSteps {
  private static final int SLICE = 64 << 10;
  private static final int KINDS = 13;

  private final List<String> paths;
  private final List<String> codes;
  private final SplittableRandom random;

  /**
   * The commands of an operator.
   *
   * @param paths what is converted and restored
   */
  BraidSteps(List<String> paths, List<String> codes, SplittableRandom random) {
    this.paths = List.copyOf(paths);
    this.codes = List.copyOf(codes);
    this.random = random;
  }

  /** Some commands, one after the other. */
  List<Command> some(int count) {
    List<Command> commands = new ArrayList<>();
    while (commands.size() < count) {
      commands.add(next());
    }
    return commands;
  }

  private Command next() {
    String path = paths.get(random.nextInt(paths.size()));
    return switch (random.nextInt(KINDS)) {
      case 0, 1 -> new Command.Restore(path);
      case 2, 3 -> repair("/", random.nextLong());
      case 4 -> new Command.Fsck("/");
      case 5 -> new Command.Usage(path);
      case 6 -> new Command.DeleteCorrupt(path);
      default -> convert(path);
    };
  }

  private Command convert(String path) {
    return new Command.Convert(
        List.of(path),
        codes.get(random.nextInt(codes.size())),
        Command.Placement.USUAL,
        ConvertRequest.Method.DEFAULT,
        2,
        SLICE,
        random.nextLong());
  }

  /** The repair of everything. */
  static Command.Repair repair(String path, long seed) {
    return new Command.Repair(path, "auto", "", 0, 0, 2, SLICE, seed);
  }
}
