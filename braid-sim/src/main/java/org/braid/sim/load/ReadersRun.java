package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.balance.BalancedPlacement;
import org.braid.placement.rule.StripeLimits;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.time.RandomStreams;
import org.braid.sim.time.Simulation;

/**
 * Clients read files at the same time, either stripe by stripe, all k data blocks of a stripe at
 * once, or block by block (HDFS-EC section 5.3 with fig. 4).
 */
public final class ReadersRun {
  private final Setting setting;
  private final SimulatedNetwork network;
  private final RandomStreams streams;
  private final RandomGenerator random;
  private final long[] served;

  /** File, step, block of the step and node of each block that a node has read from its disk. */
  private final Set<List<Integer>> touched = new HashSet<>();

  /**
   * Settings of a run.
   *
   * @param k data blocks of a stripe
   * @param parities parity blocks of a stripe
   * @param clients number of clients, on random nodes, or on these in turn
   * @param clientNodes number of nodes, the last, that store nothing and have the clients; 0 when
   *     clients are on nodes that store
   * @param oneFile whether all read the same file
   * @param stripes number of stripes of a file
   * @param blockBytes bytes of a block
   * @param parallel whether the blocks of a stripe are read at once
   * @param replicas of a block; with more than 1, clients read a random one
   * @param balanced whether blocks are placed for balanced reads, or at random
   */
  public record Setting(
      int k,
      int parities,
      int clients,
      int clientNodes,
      boolean oneFile,
      int stripes,
      long blockBytes,
      boolean parallel,
      int replicas,
      boolean balanced) {}

  /**
   * Measurements of a run.
   *
   * @param bytesPerSecond mean rate of a client
   * @param slowest rate of the slowest client
   * @param seconds until the last client is done
   * @param imbalance bytes that the busiest node served over the mean of all nodes
   * @param servedBytes bytes that all nodes served
   * @param diskBytes bytes that they read from disks if each keeps in memory what it has read; the
   *     times are without such a cache
   */
  public record Result(
      double bytesPerSecond,
      double slowest,
      double seconds,
      double imbalance,
      long servedBytes,
      long diskBytes) {}

  /** Readers on an idle network. */
  public ReadersRun(Setting setting, SimulatedNetwork network, RandomStreams streams) {
    this.setting = setting;
    this.network = network;
    this.streams = streams;
    random = streams.of("clients");
    served = new long[network.fabric().topology().nodes() - setting.clientNodes()];
  }

  /** Runs until all clients are done. */
  public Result run() {
    Topology topology = network.fabric().topology();
    Simulation simulation = network.simulation();
    int files = setting.oneFile() ? 1 : setting.clients();
    List<List<int[][]>> placed = place(files, topology);
    int apart = setting.clientNodes();
    double[] ends = new double[setting.clients()];
    for (int client = 0; client < setting.clients(); client++) {
      int reader = client;
      int file = client % files;
      int node = apart > 0 ? storing(topology) + client % apart : random.nextInt(topology.nodes());
      new Reader(
              file,
              placed.get(file),
              node,
              () -> ends[reader] = Simulation.seconds(simulation.now()))
          .readNext(0);
    }
    simulation.run();
    network.conservation().verifyEnded();
    double bytes = (double) setting.k() * setting.stripes() * setting.blockBytes();
    double last = Arrays.stream(ends).max().orElse(0);
    return new Result(
        Arrays.stream(ends).map(end -> bytes / end).average().orElse(0),
        bytes / last,
        last,
        Arrays.stream(served).max().orElse(0) / Arrays.stream(served).average().orElse(1),
        Arrays.stream(served).sum(),
        touched.size() * setting.blockBytes());
  }

  private int storing(Topology topology) {
    return topology.nodes() - setting.clientNodes();
  }

  /**
   * By file and step of reading, the nodes of the replicas of each block that is read in the step.
   */
  private List<List<int[][]>> place(int files, Topology topology) {
    RandomGenerator places = streams.of("places");
    List<List<int[]>> stripes = new ArrayList<>();
    if (setting.balanced()) {
      int[] counts = new int[files];
      Arrays.fill(counts, setting.stripes());
      int perRack = (setting.k() + setting.parities() + topology.racks() - 1) / topology.racks();
      stripes.addAll(
          BalancedPlacement.place(
                  EligibleNodes.of(topology, node -> node < storing(topology)),
                  setting.k(),
                  setting.parities(),
                  StripeLimits.perRack(perRack),
                  counts,
                  new int[topology.nodes()],
                  places)
              .files());
    } else {
      for (int file = 0; file < files; file++) {
        stripes.add(
            IntStream.range(0, setting.stripes())
                .mapToObj(
                    stripe ->
                        places
                            .ints(0, storing(topology))
                            .distinct()
                            .limit(setting.k() + setting.parities())
                            .toArray())
                .toList());
      }
    }
    return stripes.stream().map(file -> steps(file, topology, places)).toList();
  }

  private List<int[][]> steps(List<int[]> file, Topology topology, RandomGenerator places) {
    List<int[][]> steps = new ArrayList<>();
    for (int[] stripe : file) {
      int[][] blocks = new int[setting.k()][];
      for (int block = 0; block < blocks.length; block++) {
        blocks[block] =
            setting.replicas() > 1
                ? places.ints(0, storing(topology)).distinct().limit(setting.replicas()).toArray()
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

  /** A client that reads a file, step by step. */
  private final class Reader {
    private final int file;
    private final List<int[][]> steps;
    private final int node;
    private final Runnable done;

    Reader(int file, List<int[][]> steps, int node, Runnable done) {
      this.file = file;
      this.steps = steps;
      this.node = node;
      this.done = done;
    }

    void readNext(int next) {
      if (next == steps.size()) {
        done.run();
        return;
      }
      int[][] blocks = steps.get(next);
      int[] left = {blocks.length};
      for (int block = 0; block < blocks.length; block++) {
        int source = blocks[block][random.nextInt(blocks[block].length)];
        for (int copy : blocks[block]) {
          source = copy == node ? node : source;
        }
        served[source] += setting.blockBytes();
        touched.add(List.of(file, next, block, source));
        network.read(
            source,
            node,
            setting.blockBytes(),
            () -> {
              if (--left[0] == 0) {
                readNext(next + 1);
              }
            });
      }
    }
  }
}
