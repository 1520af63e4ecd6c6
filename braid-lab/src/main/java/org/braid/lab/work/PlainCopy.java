package org.braid.lab.work;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Trial;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;

/**
 * Copies blocks between DataNodes, as many as were lost, as HDFS's Balancer does. Its time shows
 * the speed of the lab's links, disks and processors for the simplest work.
 */
final class PlainCopy {
  static final String DATA = "/copied";
  private static final int REPLICAS = 2;
  private static final int PARALLEL = 4;

  /** Number of spare files: twice as many files as copied blocks are written, and these. */
  private static final int SPARE = 4;

  private static final double WHOLE_SECONDS = 300;

  private final TrialLab lab;

  private PlainCopy(TrialLab lab) {
    this.lab = lab;
  }

  /** A block on its way. */
  record Way(Answer.Block block, Answer.Node from, Answer.Node to) {}

  /**
   * Writes files of one block each and keeps as many as blocks will be lost. None of these has a
   * replica on the node that will be lost: otherwise HDFS would copy its replicas during the
   * measurement, and to the chosen nodes.
   */
  static PlainCopy prepare(TrialLab lab, Trial trial, String lost, int blocks, long bytes)
      throws ExperimentException, InterruptedException {
    LabClient loader = lab.loader();
    loader.call(new Command.Delete(DATA));
    int written = SPARE + 2 * blocks;
    loader.call(
        new Command.Write(DATA, written, bytes, REPLICAS, bytes, PARALLEL, trial.seed()),
        Answer.Written.class);
    loader.call(new Command.AwaitWhole(DATA, WHOLE_SECONDS, false), Answer.Whole.class);
    List<Answer.Block> all =
        loader.call(new Command.Blocks(DATA), Answer.BlockLocations.class).blocks();
    Set<String> kept =
        apart(all, lost, blocks).stream().map(Answer.Block::path).collect(Collectors.toSet());
    for (Answer.Block block : all) {
      if (!kept.contains(block.path())) {
        loader.call(new Command.Delete(block.path()));
      }
    }
    return new PlainCopy(lab);
  }

  /** The first blocks that have no replica on a node. */
  static List<Answer.Block> apart(List<Answer.Block> blocks, String lost, int count)
      throws ExperimentException {
    List<Answer.Block> apart =
        blocks.stream()
            .filter(block -> block.nodes().stream().noneMatch(node -> node.host().equals(lost)))
            .limit(count)
            .toList();
    if (apart.size() < count) {
      throw ExperimentException.trial(
          "%d of %d blocks have no replica on %s, %d are to be copied"
              .formatted(apart.size(), blocks.size(), lost, count));
    }
    return apart;
  }

  /**
   * Copies all blocks at once between other nodes than a lost one.
   *
   * @return seconds
   */
  double run(String lost) throws ExperimentException, InterruptedException {
    List<Answer.Block> blocks =
        lab.loader().call(new Command.Blocks(DATA), Answer.BlockLocations.class).blocks();
    List<Answer.Node> nodes = lab.nodes().stream().filter(n -> !n.host().equals(lost)).toList();
    List<LabClient.Pending<Answer.Moved>> all = new ArrayList<>();
    for (Way way : pair(blocks, nodes)) {
      Command.MoveBlock move =
          new Command.MoveBlock(
              way.block.path(), way.block.index(), way.from.host(), way.to.host());
      all.add(lab.loader().send(move, Answer.Moved.class));
    }
    double begun = Double.MAX_VALUE;
    double ended = 0;
    for (LabClient.Pending<Answer.Moved> one : all) {
      LabClient.Reply<Answer.Moved> reply = one.await();
      begun = Math.min(begun, reply.begun());
      ended = Math.max(ended, reply.ended());
    }
    return ended - begun;
  }

  /**
   * Chooses the source and the destination of each block. The source is the holder that sends the
   * fewest blocks. The destination is in the other rack that receives the fewest, and there the
   * node that receives the fewest.
   *
   * @param nodes the nodes that take part
   */
  static List<Way> pair(List<Answer.Block> blocks, List<Answer.Node> nodes)
      throws ExperimentException {
    Map<String, Integer> sends = new HashMap<>();
    Map<String, Integer> gets = new HashMap<>();
    List<Way> ways = new ArrayList<>();
    for (Answer.Block block : blocks) {
      Answer.Node from =
          block.nodes().stream()
              .filter(nodes::contains)
              .min(Comparator.comparingInt(node -> sends.getOrDefault(node.host(), 0)))
              .orElseThrow(
                  () -> ExperimentException.trial("no replica of " + block.path() + " is left"));
      Answer.Node to =
          nodes.stream()
              .filter(node -> !block.nodes().contains(node) && !node.rack().equals(from.rack()))
              .min(
                  Comparator.<Answer.Node>comparingInt(node -> gets.getOrDefault(node.rack(), 0))
                      .thenComparingInt(node -> gets.getOrDefault(node.host(), 0)))
              .orElseThrow(() -> ExperimentException.trial("no node is left for " + block.path()));
      sends.merge(from.host(), 1, Integer::sum);
      gets.merge(to.host(), 1, Integer::sum);
      gets.merge(to.rack(), 1, Integer::sum);
      ways.add(new Way(block, from, to));
    }
    return ways;
  }
}
