package org.braid.placement.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.placement.EncoderChoice;
import org.braid.placement.EncodingAwareReplication.StripeState;
import org.braid.placement.PlacementException;
import org.braid.placement.PreEncodingStore;
import org.braid.placement.PreEncodingStore.Stored;
import org.braid.placement.ReplicaLayout;
import org.braid.placement.ReplicationPolicy;
import org.braid.placement.StripeLimits;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;

/**
 * Many blocks written under one policy: how evenly they are stored and read, and what encoding
 * their stripes costs.
 */
public final class PolicyStudy {
  /** Files of one size over which the hotness is averaged, at most. */
  private static final int MAX_FILES = 100;

  private PolicyStudy() {}

  /**
   * What is studied.
   *
   * @param topology the cluster; all its nodes are eligible
   * @param code the code of the stripes
   * @param limits their limits
   * @param layout how replicas are spread over racks
   * @param replicas replicas of a block
   * @param blocks blocks to write
   * @param fileSizes sizes of files in blocks; those above {@code blocks} are left out
   */
  public record Setting(
      Topology topology,
      ErasureCode code,
      StripeLimits limits,
      ReplicaLayout layout,
      int replicas,
      int blocks,
      List<Integer> fileSizes) {
    /** Copies the list. */
    public Setting {
      fileSizes = List.copyOf(fileSizes);
    }
  }

  /**
   * How evenly requests to files of one size are spread.
   *
   * @param blocks blocks of a file
   * @param files files averaged over
   * @param index the mean of H, the share of the read requests that go to the busiest rack, when
   *     every block is as likely to be read and every rack with a replica as likely to serve it
   */
  public record Hotness(int blocks, int files, double index) {}

  /**
   * How evenly blocks are stored and read.
   *
   * @param shares each rack's share of all replicas, descending
   * @param blockShares each rack's share of the blocks that racks have, descending; a block counts
   *     once in a rack, however many of its replicas are there
   * @param hotness by size of file
   */
  public record Spread(List<Double> shares, List<Double> blockShares, List<Hotness> hotness) {
    /** Copies the lists. */
    public Spread {
      shares = List.copyOf(shares);
      blockShares = List.copyOf(blockShares);
      hotness = List.copyOf(hotness);
    }
  }

  /**
   * What was found.
   *
   * @param policy the policy's name
   * @param shares each rack's share of all replicas, descending
   * @param hotness by size of file
   * @param stripes stripes that were sealed
   * @param downloads blocks downloaded across racks, a stripe, by the best encoder
   * @param randomDownloads the same by a random node of the cluster
   * @param relocations data blocks relocated, a stripe
   */
  public record Result(
      String policy,
      List<Double> shares,
      List<Hotness> hotness,
      int stripes,
      double downloads,
      double randomDownloads,
      double relocations) {
    /** Copies the lists. */
    public Result {
      shares = List.copyOf(shares);
      hotness = List.copyOf(hotness);
    }
  }

  /**
   * Writes the blocks one after the other from random nodes, sealing stripes across files, and
   * encodes each stripe.
   *
   * @throws PlacementException when the policy cannot place a block
   */
  public static Result run(Setting setting, ReplicationPolicy policy, RandomGenerator random) {
    Encoding encoding = new Encoding(setting, random);
    Spread spread = write(setting, policy, encoding::add, random);
    double stripes = Math.max(1, encoding.stripes);
    return new Result(
        policy.name(),
        spread.shares(),
        spread.hotness(),
        encoding.stripes,
        encoding.downloads / stripes,
        encoding.randomDownloads / stripes,
        encoding.relocations / stripes);
  }

  /**
   * Only writes the blocks: how evenly they are stored and read.
   *
   * @throws PlacementException when the policy cannot place a block
   */
  public static Spread spread(Setting setting, ReplicationPolicy policy, RandomGenerator random) {
    return write(setting, policy, stripe -> {}, random);
  }

  private static Spread write(
      Setting setting,
      ReplicationPolicy policy,
      Consumer<StripeState> sealed,
      RandomGenerator random) {
    Topology topology = setting.topology();
    PreEncodingStore<Integer> store = new PreEncodingStore<>(setting.code().k());
    var cluster =
        new PreEncodingStore.Cluster(
            topology,
            policy.on(topology, setting.code(), setting.limits(), setting.layout()),
            node -> true);
    long[] replicas = new long[topology.racks()];
    long[] blocks = new long[topology.racks()];
    int[][] racksOf = new int[setting.blocks()][];
    for (int block = 0; block < racksOf.length; block++) {
      int first = PreEncodingStore.first(topology, node -> true, -1, setting.replicas(), random);
      Stored stored = store.add(block, cluster, first, setting.replicas(), random);
      for (int node : stored.block().nodes()) {
        replicas[topology.rackOf(node)]++;
      }
      racksOf[block] =
          Arrays.stream(stored.block().nodes()).map(topology::rackOf).distinct().toArray();
      for (int rack : racksOf[block]) {
        blocks[rack]++;
      }
      stored.sealed().ifPresent(sealed);
    }
    return new Spread(shares(replicas), shares(blocks), hotness(setting, racksOf));
  }

  private static List<Double> shares(long[] counts) {
    double all = Arrays.stream(counts).sum();
    return Arrays.stream(counts)
        .mapToObj(count -> count / all)
        .sorted((a, b) -> b.compareTo(a))
        .toList();
  }

  private static final class Encoding {
    private final Setting setting;
    private final RandomGenerator random;
    private int stripes;
    private long downloads;
    private long randomDownloads;
    private long relocations;

    Encoding(Setting setting, RandomGenerator random) {
      this.setting = setting;
      this.random = random;
    }

    void add(StripeState stripe) {
      Topology topology = setting.topology();
      List<int[]> blocks = stripe.replicas();
      int best = EncoderChoice.coreRack(topology, node -> true, blocks, random);
      int any = EncoderChoice.random(topology, node -> true, random);
      stripes++;
      downloads += EncoderChoice.crossRackDownloads(topology, best, blocks);
      randomDownloads += EncoderChoice.crossRackDownloads(topology, any, blocks);
      relocations +=
          StripeRules.of(setting.code(), setting.limits())
              .layout(topology, node -> true, blocks, random)
              .relocated()
              .size();
    }
  }

  private static List<Hotness> hotness(Setting setting, int[][] racksOf) {
    List<Hotness> out = new ArrayList<>();
    for (int size : setting.fileSizes()) {
      int files = Math.min(MAX_FILES, racksOf.length / size);
      double sum = 0;
      for (int file = 0; file < files; file++) {
        double[] load = new double[setting.topology().racks()];
        for (int block = file * size; block < (file + 1) * size; block++) {
          for (int rack : racksOf[block]) {
            load[rack] += 1.0 / size / racksOf[block].length;
          }
        }
        sum += Arrays.stream(load).max().orElseThrow();
      }
      if (files > 0) {
        out.add(new Hotness(size, files, sum / files));
      }
    }
    return out;
  }
}
