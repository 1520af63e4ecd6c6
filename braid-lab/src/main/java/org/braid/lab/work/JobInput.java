package org.braid.lab.work;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Trial;
import org.braid.experiment.WorkloadSettings;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/**
 * A converted file of text that the jobs of an experiment read.
 *
 * @param path of the file
 */
record JobInput(String path) {
  private static final int REPLICAS = 3;
  private static final int PARALLEL = 4;
  private static final int SLICE = 256 << 10;
  private static final double WHOLE_SECONDS = 120;
  private static final double LOST_SECONDS = 60;
  private static final long LOOK_MILLIS = 200;

  /** The file of a trial's settings; written and converted at the first request. */
  static JobInput ensure(TrialLab lab, Trial trial)
      throws ExperimentException, InterruptedException {
    WorkloadSettings settings = trial.settings();
    ErasureCode code = settings.as("code", Codes::named);
    long block = settings.size("block");
    int blocks = settings.integer("blocks", 1);
    String directory = "/text/%s-%d-%d".formatted(code.name(), block, blocks);
    return lab.once(
        directory, () -> make(lab, directory, code, block, blocks, trial.experiment().seed()));
  }

  private static JobInput make(
      TrialLab lab, String directory, ErasureCode code, long block, int blocks, long seed)
      throws ExperimentException, InterruptedException {
    LabClient loader = lab.loader();
    loader.call(new Command.MakeDirectory(directory, code.name(), ""));
    String path = directory + "/file";
    loader.call(
        new Command.WriteText(path, block * blocks, REPLICAS, block, seed), Answer.Written.class);
    loader.call(new Command.AwaitWhole(path, WHOLE_SECONDS, false), Answer.Whole.class);
    lab.converted(
        new Command.Convert(
            List.of(path),
            code.name(),
            Command.Placement.USUAL,
            ConvertedFiles.IN_ORDER,
            PARALLEL,
            SLICE,
            seed));
    lab.settled(path);
    return new JobInput(path);
  }

  /**
   * A node to fail: one of those with the usual number of the file's blocks, drawn by a seed.
   *
   * @throws ExperimentException when no node has a block
   */
  String node(TrialLab lab, long seed) throws ExperimentException, InterruptedException {
    Map<String, Integer> held = new HashMap<>();
    List<Answer.Block> blocks = lab.settled(path);
    blocks.forEach(
        block -> block.nodes().forEach(node -> held.merge(node.host(), 1, Integer::sum)));
    double usual = (double) blocks.size() / lab.lab().dataNodes().size();
    double nearest =
        held.values().stream()
            .mapToDouble(number -> Math.abs(number - usual))
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    List<String> best =
        held.entrySet().stream()
            .filter(entry -> Math.abs(entry.getValue() - usual) == nearest)
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (best.isEmpty()) {
      throw ExperimentException.trial("no node has a block of " + path);
    }
    return best.get(new SplittableRandom(seed).nextInt(best.size()));
  }

  /** Waits until the NameNode has no node for the blocks that a stopped node held. */
  int awaitLost(TrialLab lab, String node) throws ExperimentException, InterruptedException {
    long end = System.nanoTime() + Math.round(1e9 * LOST_SECONDS);
    while (true) {
      List<Answer.Block> blocks =
          lab.loader().call(new Command.Blocks(path), Answer.BlockLocations.class).blocks();
      boolean listed =
          blocks.stream()
              .anyMatch(block -> block.nodes().stream().anyMatch(of -> of.host().equals(node)));
      if (!listed) {
        return (int) blocks.stream().filter(block -> block.nodes().isEmpty()).count();
      }
      if (System.nanoTime() - end > 0) {
        throw ExperimentException.trial(
            "the NameNode still names %s for blocks after %.0f s".formatted(node, LOST_SECONDS));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
