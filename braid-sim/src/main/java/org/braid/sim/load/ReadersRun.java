package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.StripeLimits;
import org.braid.placement.Topology;
import org.braid.placement.balance.BalancedPlacement;
import org.braid.sim.net.Wires;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;

/**
 * Clients read files of stripes at the same time, each the k data blocks of one stripe after the
 * other at once, or one block after the other (HDFS-EC section IV-C with fig. 4).
 */
public final class ReadersRun {
  private final Setting setting;
  private final Wires wires;
  private final Streams streams;

  /**
   * What is read.
   *
   * @param k data blocks of a stripe
   * @param parities parities of a stripe
   * @param clients that read, each on a random node
   * @param oneFile whether all read the same file
   * @param stripes of a file
   * @param blockBytes bytes of a block
   * @param parallel whether the blocks of a stripe are read at once
   * @param replicas with more than 1, blocks are whole copies and any of them is read
   * @param balanced whether blocks are placed for even reads, or at random
   */
  public record Setting(
      int k,
      int parities,
      int clients,
      boolean oneFile,
      int stripes,
      long blockBytes,
      boolean parallel,
      int replicas,
      boolean balanced) {}

  /**
   * What was measured.
   *
   * @param bytesPerSecond of a client, the mean over clients
   * @param slowest of the slowest client
   * @param seconds until the last client is done
   * @param imbalance bytes that the busiest node served over the mean of all
   */
  public record Result(double bytesPerSecond, double slowest, double seconds, double imbalance) {}

  /** Readers on idle wires. */
  public ReadersRun(Setting setting, Wires wires, Streams streams) {
    this.setting = setting;
    this.wires = wires;
    this.streams = streams;
  }

  /** Runs it. */
  public Result run() {
    Topology topology = wires.fabric().topology();
    Simulation simulation = wires.simulation();
    RandomGenerator random = streams.of("clients");
    int files = setting.oneFile() ? 1 : setting.clients();
    List<List<int[][]>> placed = place(files, topology);
    long[] served = new long[topology.nodes()];
    double[] ends = new double[setting.clients()];
    for (int client = 0; client < setting.clients(); client++) {
      int reader = client;
      List<int[][]> blocks = placed.get(client % files);
      int node = random.nextInt(topology.nodes());
      readNext(
          blocks,
          0,
          node,
          served,
          random,
          () -> ends[reader] = Simulation.seconds(simulation.now()));
    }
    simulation.run();
    wires.conservation().verifyEnded();
    double bytes = (double) setting.k() * setting.stripes() * setting.blockBytes();
    double last = Arrays.stream(ends).max().orElse(0);
    return new Result(
        Arrays.stream(ends).map(end -> bytes / end).average().orElse(0),
        bytes / last,
        last,
        Arrays.stream(served).max().orElse(0) / Arrays.stream(served).average().orElse(1));
  }

  /**
   * By file, by step of reading, the blocks that are read at once and the nodes of their copies.
   */
  private List<List<int[][]>> place(int files, Topology topology) {
    RandomGenerator random = streams.of("places");
    List<List<int[]>> stripes = new ArrayList<>();
    if (setting.balanced()) {
      int[] counts = new int[files];
      Arrays.fill(counts, setting.stripes());
      int perRack = (setting.k() + setting.parities() + topology.racks() - 1) / topology.racks();
      stripes.addAll(
          BalancedPlacement.place(
                  topology,
                  node -> true,
                  setting.k(),
                  setting.parities(),
                  StripeLimits.perRack(perRack),
                  counts,
                  new int[topology.nodes()],
                  random)
              .files());
    } else {
      for (int file = 0; file < files; file++) {
        stripes.add(
            IntStream.range(0, setting.stripes())
                .mapToObj(
                    stripe ->
                        random
                            .ints(0, topology.nodes())
                            .distinct()
                            .limit(setting.k() + setting.parities())
                            .toArray())
                .toList());
      }
    }
    return stripes.stream().map(file -> steps(file, topology, random)).toList();
  }

  private List<int[][]> steps(List<int[]> file, Topology topology, RandomGenerator random) {
    List<int[][]> steps = new ArrayList<>();
    for (int[] stripe : file) {
      int[][] blocks = new int[setting.k()][];
      for (int block = 0; block < blocks.length; block++) {
        blocks[block] =
            setting.replicas() > 1
                ? random.ints(0, topology.nodes()).distinct().limit(setting.replicas()).toArray()
                : new int[] {stripe[block]};
      }
      if (setting.parallel()) {
        steps.add(blocks);
      } else {
        Arrays.stream(blocks).forEach(block -> steps.add(new int[][] {block}));
      }
    }
    return steps;
  }

  private void readNext(
      List<int[][]> steps,
      int next,
      int node,
      long[] served,
      RandomGenerator random,
      Runnable done) {
    if (next == steps.size()) {
      done.run();
      return;
    }
    int[] left = {steps.get(next).length};
    for (int[] copies : steps.get(next)) {
      int source = copies[random.nextInt(copies.length)];
      for (int copy : copies) {
        source = copy == node ? node : source;
      }
      served[source] += setting.blockBytes();
      wires.read(
          source,
          node,
          setting.blockBytes(),
          () -> {
            if (--left[0] == 0) {
              readNext(steps, next + 1, node, served, random, done);
            }
          });
    }
  }
}
