package org.braid.sim.advise;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Promises.Combinations;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.EncoderChoice;
import org.braid.placement.replication.EncodingAwareReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.rule.EncodedStripe;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.cost.PlanTime;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.EncodePlanner;
import org.braid.plan.shape.RepairPlanner;
import org.braid.sim.durability.EncodedCluster;
import org.braid.sim.durability.ErasurePatterns;

/** Sample stripes on a cluster, to measure a code and a placement. */
final class SampleStripes {
  private static final int REPLICAS = 3;

  private final EncodedCluster cluster;
  private final ErasurePatterns patterns;
  private final Network network;
  private final List<int[]> stripes = new ArrayList<>();

  /**
   * Places sample stripes.
   *
   * @throws PlacementException when the cluster cannot hold a stripe
   */
  SampleStripes(
      EncodedCluster cluster,
      ErasurePatterns patterns,
      Network network,
      int samples,
      RandomGenerator random) {
    this.cluster = cluster;
    this.patterns = patterns;
    this.network = network;
    for (int i = 0; i < samples; i++) {
      stripes.add(cluster.place(random));
    }
  }

  /**
   * The number of places (nodes, racks or sites) any of which may be lost without loss of data in
   * any sample.
   *
   * @param places number of places
   * @param placeOf place of a node
   * @param most highest number that is tried
   */
  int survived(int places, IntUnaryOperator placeOf, int most) {
    int survived = 0;
    while (survived < most
        && survived < places - 1
        && stripes.stream().allMatch(new Losses(placeOf, survived + 1)::areSurvived)) {
      survived++;
    }
    return survived;
  }

  private final class Losses {
    private final IntUnaryOperator placeOf;
    private final int lost;

    Losses(IntUnaryOperator placeOf, int lost) {
      this.placeOf = placeOf;
      this.lost = lost;
    }

    boolean areSurvived(int[] nodeOf) {
      int[] used = IntStream.of(nodeOf).map(placeOf).distinct().toArray();
      if (used.length < lost) {
        return false;
      }
      boolean[] good = {true};
      new Combinations(used.length, lost)
          .each(
              chosen -> {
                Set<Integer> places = new HashSet<>();
                chosen.forEach(i -> places.add(used[i]));
                BitSet blocks = new BitSet(nodeOf.length);
                for (int block = 0; block < nodeOf.length; block++) {
                  blocks.set(block, places.contains(placeOf.applyAsInt(nodeOf[block])));
                }
                good[0] = patterns.survives(blocks);
                return good[0];
              });
      return good[0];
    }
  }

  /** By shape, mean seconds of a degraded read on a node without a block of the stripe. */
  Map<String, Double> readSeconds(List<RepairPlanner> shapes, RandomGenerator random) {
    ErasureCode code = cluster.code();
    Map<String, Double> sums = new HashMap<>();
    for (int[] nodeOf : stripes) {
      int lost = random.nextInt(code.k());
      int reader = reader(nodeOf, random);
      List<Integer> alive = IntStream.range(0, code.n()).filter(b -> b != lost).boxed().toList();
      HelperChoice choice =
          new HelperChoice(code, List.of(lost), alive, b -> nodeOf[b], b -> reader, network);
      for (RepairPlanner shape : shapes) {
        Plan plan = choice.plan(shape).orElseThrow();
        double seconds = PlanCost.of(plan, code.alpha(), network).seconds();
        sums.merge(shape.name(), seconds / stripes.size(), Double::sum);
      }
    }
    return sums;
  }

  private int reader(int[] nodeOf, RandomGenerator random) {
    Topology topology = cluster.topology();
    Set<Integer> taken = new HashSet<>();
    IntStream.of(nodeOf).forEach(taken::add);
    if (taken.size() == topology.nodes()) {
      return topology.nodes();
    }
    int node = random.nextInt(topology.nodes());
    while (taken.contains(node)) {
      node = (node + 1) % topology.nodes();
    }
    return node;
  }

  /**
   * Blocks that cross racks, relocations among them, to convert one data block with three replicas
   * placed by encoding-aware replication. NaN when that placement is impossible.
   */
  double conversion(RandomGenerator random) {
    ErasureCode code = cluster.code();
    if (code.k() == 1) {
      return Math.max(0, code.n() - REPLICAS);
    }
    try {
      double sum = 0;
      for (int i = 0; i < stripes.size(); i++) {
        sum += conversionOfOne(random);
      }
      return sum / stripes.size() / code.k();
    } catch (PlacementException e) {
      return Double.NaN;
    }
  }

  private double conversionOfOne(RandomGenerator random) {
    ErasureCode code = cluster.code();
    Topology topology = cluster.topology();
    EligibleNodes all = EligibleNodes.all(topology);
    BlockPlacer placer = new EncodingAwareReplication(cluster.rule(), ReplicaLayout.HDFS);
    List<int[]> replicas = placer.placeStripe(code.k(), all, REPLICAS, random).replicas();
    EncodedStripe layout = cluster.rule().layout(all, replicas, random);
    int encoder = EncoderChoice.coreRack(all, replicas, random);
    int[] sources =
        replicas.stream()
            .mapToInt(nodes -> EncoderChoice.source(topology, encoder, nodes, random))
            .toArray();
    Plan plan =
        PlanTime.fastest(
            List.of(
                EncodePlanner.gather(code, sources, encoder, layout.parityNodes()),
                EncodePlanner.pipelined(code, layout.dataNodes(), layout.parityNodes(), network)),
            network);
    return PlanCost.of(plan, code.alpha(), network).crossRack() + layout.relocated().size();
  }
}
