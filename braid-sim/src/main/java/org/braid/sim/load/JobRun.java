package org.braid.sim.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.RandomStreams;
import org.braid.sim.time.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * A MapReduce-like job over encoded blocks (R-STAIR section V-B). A map task reads a block, from
 * its own disk if possible, computes, and sends its output to the reducers. A degraded task
 * rebuilds a lost block first. The job ends when all reducers are done.
 */
public final class JobRun {
  private final Setting setting;
  private final SimulatedNetwork network;
  private final Simulation simulation;
  private final Topology topology;
  private final DegradedReads degradedReads;
  private final RandomGenerator random;
  private final List<Block> blocks = new ArrayList<>();
  private final List<Deque<Block>> local = new ArrayList<>();
  private final Deque<Block> degraded = new ArrayDeque<>();
  private final RunningMean normalTasks = new RunningMean();
  private final RunningMean degradedTasks = new RunningMean();

  /** Nodes with a slot without a task. */
  private final List<Integer> idle = new ArrayList<>();

  /** By rack, number of blocks on their way to tasks in other racks. */
  private final int[] leaving;

  /** The node that lost its blocks; -1 for none. */
  private int lost = -1;

  /** The node that does nothing; -1 for none. */
  private int down = -1;

  private int mapping;
  private int shuffling;
  private long end;

  /** What failed before the job. */
  public enum Failure {
    NONE,

    /** The blocks of a node are lost, which goes on to run tasks. */
    BLOCKS,

    /** A node is down with its blocks. */
    NODE
  }

  /**
   * Settings of a job.
   *
   * @param rule the code and the placement of stripes
   * @param blocks data blocks of the input
   * @param slots map tasks that a node runs at once
   * @param mapRate bytes a second that a map task computes
   * @param outputShare output of a map task, as a share of its input
   * @param reduceRate bytes a second that a reducer computes
   * @param failure what has failed
   * @param inFailedRack whether degraded tasks run in the rack of the lost blocks
   * @param degradedReads how degraded tasks rebuild blocks
   */
  public record Setting(
      StripeRule rule,
      int blocks,
      int slots,
      double mapRate,
      double outputShare,
      double reduceRate,
      Failure failure,
      boolean inFailedRack,
      DegradedReads.Setting degradedReads) {
    long blockBytes() {
      return degradedReads.blockBytes();
    }
  }

  /**
   * Measured times.
   *
   * @param seconds of the job
   * @param normalTask mean time of map tasks that are not degraded
   * @param degradedTask mean time of degraded tasks; NaN without any
   */
  public record Result(double seconds, double normalTask, double degradedTask) {}

  private record Block(int block, int[] nodeOf) {
    int home() {
      return nodeOf[block];
    }
  }

  /** A job on an idle network. */
  public JobRun(Setting setting, SimulatedNetwork network, RandomStreams streams) {
    this.setting = setting;
    this.network = network;
    simulation = network.simulation();
    topology = network.fabric().topology();
    degradedReads = new DegradedReads(setting.degradedReads(), network);
    random = streams.of("job");
    leaving = new int[topology.racks()];
  }

  /** Runs the job. */
  public Result run() {
    place();
    if (setting.failure() != Failure.NONE) {
      lost = random.nextInt(topology.nodes());
      down = setting.failure() == Failure.NODE ? lost : -1;
    }
    for (int node = 0; node < topology.nodes(); node++) {
      local.add(new ArrayDeque<>());
    }
    for (Block block : blocks) {
      if (block.home() != lost) {
        local.get(block.home()).addLast(block);
      } else if (setting.inFailedRack()) {
        // No other node may take the task, so it goes first.
        local.get(nodeBeside(lost)).addFirst(block);
      } else {
        degraded.add(block);
      }
    }
    mapping = blocks.size();
    for (int slot = 0; slot < setting.slots(); slot++) {
      IntStream.range(0, topology.nodes()).filter(node -> node != down).forEach(this::next);
    }
    simulation.run();
    network.conservation().verifyEnded();
    return new Result(Simulation.seconds(end), normalTasks.value(), degradedTasks.value());
  }

  /** Places stripes until they have the data blocks of the input. */
  private void place() {
    ErasureCode code = setting.rule().code();
    while (blocks.size() < setting.blocks()) {
      int[] nodeOf = new int[code.n()];
      Arrays.fill(nodeOf, StripeRule.NOWHERE);
      List<Integer> all = IntStream.range(0, code.n()).boxed().toList();
      nodeOf = setting.rule().destinations(EligibleNodes.all(topology), nodeOf, all, random);
      for (int block = 0; block < code.k() && blocks.size() < setting.blocks(); block++) {
        blocks.add(new Block(block, nodeOf));
      }
    }
  }

  /** The other node of the same rack with the fewest tasks. */
  private int nodeBeside(int node) {
    return topology.nodesIn(topology.rackOf(node)).stream()
        .filter(other -> other != node)
        .min(Comparator.comparingInt(other -> local.get(other).size()))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no other node in rack " + topology.rackName(topology.rackOf(node))));
  }

  /**
   * Gives a free slot its next task: of a local block, a lost block, or a block of another node.
   */
  private void next(int node) {
    Block own = local.get(node).poll();
    Block next = own != null ? own : degraded.poll();
    if (next == null) {
      next = steal(node);
    }
    if (next != null && next.home() == lost) {
      rebuild(next, node);
    } else if (next != null) {
      read(next, node);
    } else {
      idle.add(node);
    }
  }

  /**
   * Takes a block from the node with the most tasks left, of the same rack if possible. One block
   * at a time leaves a rack, as job trackers give few tasks to nodes far from their blocks.
   */
  private @Nullable Block steal(int node) {
    Deque<Block> most = new ArrayDeque<>();
    boolean near = false;
    for (int other = 0; other < topology.nodes(); other++) {
      Deque<Block> theirs = local.get(other);
      Block last = theirs.peekLast();
      boolean some = last != null && last.home() != lost;
      boolean here = some && topology.rackOf(other) == topology.rackOf(node);
      some &= here || leaving[topology.rackOf(other)] == 0;
      if ((here && !near) || (some && here == near && theirs.size() > most.size())) {
        most = theirs;
        near = here;
      }
    }
    return most.pollLast();
  }

  private void read(Block block, int node) {
    long begin = simulation.now();
    int rack = topology.rackOf(block.home());
    boolean leaves = rack != topology.rackOf(node);
    leaving[rack] += leaves ? 1 : 0;
    network.read(
        block.home(),
        node,
        setting.blockBytes(),
        () -> {
          compute(node, begin, normalTasks);
          if (leaves) {
            leaving[rack]--;
            List<Integer> waiting = List.copyOf(idle);
            idle.clear();
            waiting.forEach(this::next);
          }
        });
  }

  private void rebuild(Block block, int node) {
    long begin = simulation.now();
    boolean possible =
        degradedReads.begin(
            node,
            block.block(),
            block.nodeOf(),
            b -> block.nodeOf()[b] != lost,
            () -> compute(node, begin, degradedTasks));
    if (!possible) {
      throw new IllegalStateException(
          setting.rule().code().name()
              + " cannot rebuild the blocks of a stripe that one node held");
    }
  }

  private void compute(int node, long begin, RunningMean times) {
    long nanos = Simulation.nanos((double) setting.blockBytes() / setting.mapRate());
    simulation.after(
        nanos,
        () -> {
          times.add(Simulation.seconds(simulation.now() - begin));
          mapping--;
          shuffle(node);
          next(node);
        });
  }

  /** Sends the output of a map task in equal parts to all nodes, which are the reducers. */
  private void shuffle(int node) {
    int reducers = topology.nodes() - (down < 0 ? 0 : 1);
    long share = Math.round((double) setting.blockBytes() * setting.outputShare() / reducers);
    for (int reducer = 0; reducer < topology.nodes(); reducer++) {
      if (reducer != down && share > 0) {
        shuffling++;
        network.send(
            node,
            reducer,
            share,
            () -> {
              shuffling--;
              reduceIfDone(reducers);
            });
      }
    }
    reduceIfDone(reducers);
  }

  private void reduceIfDone(int reducers) {
    if (mapping == 0 && shuffling == 0) {
      double bytes =
          (double) setting.blocks() * setting.blockBytes() * setting.outputShare() / reducers;
      end = simulation.now() + Simulation.nanos(bytes / setting.reduceRate());
    }
  }
}
