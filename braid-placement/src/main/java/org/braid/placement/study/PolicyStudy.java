package org.braid.placement.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.EncoderChoice;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.PreEncodingStore.Stored;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.replication.ReplicationPolicy;
import org.braid.placement.rule.StripeRule;

/**
 * Writes many blocks under one policy and measures how evenly they are stored and read, and what
 * encoding their stripes costs.
 */
public final class PolicyStudy {
  /** The most files of one size over which the hotness index is averaged. */
  private static final int MAX_FILES = 100;

  private PolicyStudy() {}

  /**
   * Settings of a study.
   *
   * @param topology the cluster; all its nodes are eligible
   * @param rule where the blocks of a stripe may be after encoding
   * @param layout how replicas are spread over racks
   * @param replicas replicas of a block
   * @param blocks blocks to write
   * @param fileSizes sizes of files in blocks; sizes above {@code blocks} are ignored
   */
  public record Setting(
      Topology topology,
      StripeRule rule,
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
   * @param files number of files averaged over
   * @param index the mean of H, the share of the read requests that go to the busiest rack, when
   *     every block is as likely to be read and every rack with a replica as likely to serve it
   */
  public record Hotness(int blocks, int files, double index) {}

  /**
   * How evenly blocks are stored and read.
   *
   * @param shares each rack's share of all replicas, descending
   * @param blockShares each rack's share of stored blocks, descending; a block counts once in each
   *     rack with a replica of it
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
   * Results of a study.
   *
   * @param policy the policy's name
   * @param shares each rack's share of all replicas, descending
   * @param hotness by size of file
   * @param stripes number of sealed stripes
   * @param downloads mean number of blocks of a stripe that the best encoder downloads across racks
   * @param randomDownloads mean number of blocks of a stripe that a random encoder downloads across
   *     racks
   * @param relocations mean number of data blocks of a stripe that are relocated
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
   * Writes the blocks from random nodes into stripes that span files, and encodes each stripe.
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
   * Writes the blocks without encoding them.
   *
   * @throws PlacementException when the policy cannot place a block
   */
  public static Spread spread(Setting setting, ReplicationPolicy policy, RandomGenerator random) {
    return write(setting, policy, stripe -> {}, random);
  }

  private static Spread write(
      Setting setting,
      ReplicationPolicy policy,
      Consumer<ReplicatedStripe> sealed,
      RandomGenerator random) {
    Topology topology = setting.topology();
    PreEncodingStore<Integer> store = new PreEncodingStore<>(setting.rule().code().k());
    BlockPlacer placer = policy.placer(setting.rule(), setting.layout());
    EligibleNodes all = EligibleNodes.all(topology);
    long[] replicas = new long[topology.racks()];
    long[] blocks = new long[topology.racks()];
    int[][] racksOf = new int[setting.blocks()][];
    for (int block = 0; block < racksOf.length; block++) {
      int first = PreEncodingStore.first(all, -1, setting.replicas(), random);
      Stored stored = store.add(block, placer, all, first, setting.replicas(), random);
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

    void add(ReplicatedStripe stripe) {
      Topology topology = setting.topology();
      List<int[]> blocks = stripe.replicas();
      int best = EncoderChoice.coreRack(EligibleNodes.all(topology), blocks, random);
      int any = EncoderChoice.random(EligibleNodes.all(topology), random);
      stripes++;
      downloads += EncoderChoice.crossRackDownloads(topology, best, blocks);
      randomDownloads += EncoderChoice.crossRackDownloads(topology, any, blocks);
      relocations +=
          setting.rule().layout(EligibleNodes.all(topology), blocks, random).relocated().size();
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
