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
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;
import org.braid.plan.Network;
import org.braid.plan.RepairPlanner;
import org.braid.sim.net.Wires;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;
import org.jspecify.annotations.Nullable;

/**
 * A MapReduce-like job over encoded blocks (R-STAIR section V-B): each map task reads a block, from
 * its own disk if it can, computes, and sends its output to the reducers; the task of a block that
 * is lost rebuilds it first. The job is done when every reducer has worked off what it got.
 */
public final class JobRun {
  private final Setting setting;
  private final Wires wires;
  private final Simulation simulation;
  private final Topology topology;
  private final Rebuilding rebuilding;
  private final RandomGenerator random;
  private final List<Block> blocks = new ArrayList<>();
  private final List<Deque<Block>> local = new ArrayList<>();
  private final Deque<Block> degraded = new ArrayDeque<>();
  private final Mean normalTasks = new Mean();
  private final Mean degradedTasks = new Mean();

  /** Nodes with a slot that finds nothing to do now. */
  private final List<Integer> idle = new ArrayList<>();

  /** By rack, blocks that are on their way to tasks in others. */
  private final int[] leaving;

  private int failed = -1;
  private int mapping;
  private int shuffling;
  private long end;

  /**
   * The job.
   *
   * @param rule the code, and where blocks are
   * @param blocks data blocks of the input
   * @param blockBytes bytes of a block
   * @param slots map tasks that a node runs at once
   * @param mapRate bytes a second that a map task computes
   * @param outputShare output of a map task, as a share of its input
   * @param reduceRate bytes a second that a reducer computes
   * @param loseNode whether a node has failed before
   * @param inFailedRack whether tasks of lost blocks run in the rack of the failed node
   * @param planner shape of rebuilding
   * @param network as planners see it
   * @param slices of streams
   */
  public record Setting(
      StripeRule rule,
      int blocks,
      long blockBytes,
      int slots,
      double mapRate,
      double outputShare,
      double reduceRate,
      boolean loseNode,
      boolean inFailedRack,
      RepairPlanner planner,
      Network network,
      RecoveryRun.SlicePolicy slices) {}

  /**
   * What was measured.
   *
   * @param seconds of the job
   * @param normalTask mean of the map tasks that read
   * @param degradedTask mean of those that rebuild; NaN without any
   */
  public record Result(double seconds, double normalTask, double degradedTask) {}

  private record Block(int block, int[] nodeOf) {
    int home() {
      return nodeOf[block];
    }
  }

  /** A job on idle wires. */
  public JobRun(Setting setting, Wires wires, Streams streams) {
    this.setting = setting;
    this.wires = wires;
    simulation = wires.simulation();
    topology = wires.fabric().topology();
    rebuilding =
        new Rebuilding(
            new Rebuilding.Setting(
                setting.rule().code(),
                setting.blockBytes(),
                setting.planner(),
                setting.network(),
                setting.slices()),
            wires);
    random = streams.of("job");
    leaving = new int[topology.racks()];
  }

  /** Runs it. */
  public Result run() {
    place();
    if (setting.loseNode()) {
      failed = random.nextInt(topology.nodes());
    }
    for (int node = 0; node < topology.nodes(); node++) {
      local.add(new ArrayDeque<>());
    }
    for (Block block : blocks) {
      if (block.home() != failed) {
        local.get(block.home()).addLast(block);
      } else if (setting.inFailedRack()) {
        // As local as any to the nodes of that rack, and nobody else may take it: so it goes first.
        local.get(nodeBeside(failed)).addFirst(block);
      } else {
        degraded.add(block);
      }
    }
    mapping = blocks.size();
    for (int slot = 0; slot < setting.slots(); slot++) {
      IntStream.range(0, topology.nodes()).filter(node -> node != failed).forEach(this::next);
    }
    simulation.run();
    wires.conservation().verifyEnded();
    return new Result(Simulation.seconds(end), normalTasks.value(), degradedTasks.value());
  }

  /** Stripes on the cluster, and of their data blocks as many as the input has. */
  private void place() {
    ErasureCode code = setting.rule().code();
    while (blocks.size() < setting.blocks()) {
      int[] nodeOf = new int[code.n()];
      Arrays.fill(nodeOf, StripeRule.NOWHERE);
      List<Integer> all = IntStream.range(0, code.n()).boxed().toList();
      nodeOf = setting.rule().destinations(topology, node -> true, nodeOf, all, random);
      for (int block = 0; block < code.k() && blocks.size() < setting.blocks(); block++) {
        blocks.add(new Block(block, nodeOf));
      }
    }
  }

  /** The live node of a rack with the fewest tasks. */
  private int nodeBeside(int node) {
    return topology.nodesIn(topology.rackOf(node)).stream()
        .filter(other -> other != node)
        .min(Comparator.comparingInt(other -> local.get(other).size()))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no other node in rack " + topology.rackName(topology.rackOf(node))));
  }

  /** Gives a free slot of a node its next task: a local block, a lost one, one of another node. */
  private void next(int node) {
    Block own = local.get(node).poll();
    Block next = own != null ? own : degraded.poll();
    if (next == null) {
      next = steal(node);
    }
    if (next != null && next.home() == failed) {
      rebuild(next, node);
    } else if (next != null) {
      read(next, node);
    } else {
      idle.add(node);
    }
  }

  /**
   * A block of the node with the most left, in the same rack if any there has some. One block at a
   * time leaves a rack, as job trackers give out few tasks that are far from their blocks: many
   * would only share the uplink.
   */
  private @Nullable Block steal(int node) {
    Deque<Block> most = new ArrayDeque<>();
    boolean near = false;
    for (int other = 0; other < topology.nodes(); other++) {
      Deque<Block> theirs = local.get(other);
      Block last = theirs.peekLast();
      boolean some = last != null && last.home() != failed;
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
    wires.read(
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
        rebuilding.begin(
            node,
            block.block(),
            block.nodeOf(),
            b -> block.nodeOf()[b] != failed,
            () -> compute(node, begin, degradedTasks));
    if (!possible) {
      throw new IllegalStateException(
          setting.rule().code().name() + " cannot rebuild what one node held of a stripe");
    }
  }

  private void compute(int node, long begin, Mean times) {
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

  /** Every live node reduces an equal share. */
  private void shuffle(int node) {
    int reducers = topology.nodes() - (failed < 0 ? 0 : 1);
    long share = Math.round((double) setting.blockBytes() * setting.outputShare() / reducers);
    for (int reducer = 0; reducer < topology.nodes(); reducer++) {
      if (reducer != failed && share > 0) {
        shuffling++;
        wires.send(
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
