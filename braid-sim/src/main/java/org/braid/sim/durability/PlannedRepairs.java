package org.braid.sim.durability;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.RepairPlanner;

/**
 * Repair times from the product's plans. Sample stripes are placed by the rule, lose random blocks
 * that can be decoded, and are planned as the product plans them. The load of the plans on links,
 * disks and budgets gives the repairs a second of the whole cluster; the number of stripes with at
 * least as many lost blocks gives the length of the queue, as stripes with more lost blocks go
 * first.
 *
 * <p>If f of N nodes failed, the expected number of sets of j blocks of a stripe that all are on
 * failed nodes is C(n,j) C(f,j) / C(N,j). It bounds the probability that the stripe lost j blocks.
 */
public final class PlannedRepairs implements RepairTimes {
  private static final int LEAST_SAMPLES = 3;

  private final EncodedCluster cluster;
  private final RepairParameters settings;
  private final int promised;
  private final List<Level> levels;
  private final double stretch;
  private final double background;

  /**
   * Mean repair of stripes with a number of lost blocks.
   *
   * @param missing number of lost blocks
   * @param seconds of a plan that runs alone
   * @param total blocks that move between nodes, for each stripe
   * @param crossRack blocks that cross racks, for each stripe
   * @param crossSite blocks that cross sites, for each stripe
   * @param rate stripes a second that the whole cluster repairs
   * @param limit the bottleneck: links, uplinks, site links, disks or budgets
   */
  public record Level(
      int missing,
      double seconds,
      double total,
      double crossRack,
      double crossSite,
      double rate,
      String limit) {}

  private PlannedRepairs(
      EncodedCluster cluster,
      RepairParameters settings,
      int promised,
      List<Level> levels,
      double failures) {
    this.cluster = cluster;
    this.settings = settings;
    this.promised = promised;
    this.levels = levels;
    double perNode = cluster.stripes() * cluster.code().n() / cluster.topology().nodes();
    double queue = perNode / levels.get(0).rate();
    double busy = failures * queue;
    if (busy >= 1) {
      throw new OverloadException(cluster.code().name(), settings.planner().name(), busy, queue);
    }
    stretch = 1 / (1 - busy);
    background = failures * (settings.detect() + settings.delay() + queue * stretch);
  }

  /**
   * Plans sample repairs of one shape.
   *
   * @param patterns of the cluster's code
   * @param failures nodes a second that the cluster loses for good
   * @param samples number of sample stripes for each number of lost blocks
   * @throws OverloadException when repairs would never catch up
   */
  public static PlannedRepairs of(
      EncodedCluster cluster,
      RepairParameters settings,
      ErasurePatterns patterns,
      double failures,
      int samples,
      RandomGenerator random) {
    Samples planned =
        Samples.of(cluster, settings, List.of(settings.planner()), patterns, samples, random);
    return planned.repairs(settings.planner(), failures);
  }

  /** Sample repairs of the same stripes and helpers in several shapes. */
  public static final class Samples {
    private final EncodedCluster cluster;
    private final RepairParameters settings;
    private final int promised;
    private final Map<String, List<Level>> levels;

    private Samples(
        EncodedCluster cluster,
        RepairParameters settings,
        int promised,
        Map<String, List<Level>> levels) {
      this.cluster = cluster;
      this.settings = settings;
      this.promised = promised;
      this.levels = levels;
    }

    /**
     * Plans sample repairs.
     *
     * @param shapes to plan
     * @param patterns of the cluster's code
     * @param samples number of sample stripes for each number of lost blocks
     */
    public static Samples of(
        EncodedCluster cluster,
        RepairParameters settings,
        List<RepairPlanner> shapes,
        ErasurePatterns patterns,
        int samples,
        RandomGenerator random) {
      ErasureCode code = cluster.code();
      int most = Math.max(1, Math.min(code.m(), patterns.promised() + 1));
      Map<String, List<Level>> levels = new HashMap<>();
      shapes.forEach(shape -> levels.put(shape.name(), new ArrayList<>()));
      for (int missing = 1; missing <= most; missing++) {
        Map<RepairPlanner, Sums> sums = new LinkedHashMap<>();
        shapes.forEach(shape -> sums.put(shape, new Sums(cluster, settings)));
        // Repairs of many blocks take longer to plan and differ less from each other.
        for (int i = 0; i < Math.max(LEAST_SAMPLES, samples / missing); i++) {
          List<Integer> lost = patterns.draw(missing, random);
          if (!lost.isEmpty()) {
            add(cluster, settings, lost, sums, random);
          }
        }
        for (RepairPlanner shape : shapes) {
          Sums sum = sums.getOrDefault(shape, new Sums(cluster, settings));
          if (sum.count > 0) {
            levels.computeIfAbsent(shape.name(), n -> new ArrayList<>()).add(sum.level(missing));
          }
        }
      }
      return new Samples(cluster, settings, patterns.promised(), levels);
    }

    /**
     * The repairs of one shape.
     *
     * @param failures nodes a second that the cluster loses for good
     * @throws OverloadException when repairs would never catch up
     */
    public PlannedRepairs repairs(RepairPlanner shape, double failures) {
      return new PlannedRepairs(
          cluster,
          settings.with(shape),
          promised,
          levels.getOrDefault(shape.name(), List.of()),
          failures);
    }
  }

  private static void add(
      EncodedCluster cluster,
      RepairParameters settings,
      List<Integer> lost,
      Map<RepairPlanner, Sums> sums,
      RandomGenerator random) {
    ErasureCode code = cluster.code();
    int[] nodeOf = cluster.place(random);
    int[] places = nodeOf.clone();
    lost.forEach(block -> places[block] = -1);
    Map<Integer, Integer> roots = new HashMap<>();
    int[] homes = homes(cluster, places, lost, nodeOf, random);
    for (int i = 0; i < homes.length; i++) {
      roots.put(lost.get(i), homes[i]);
    }
    List<Integer> alive =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    HelperChoice choice =
        new HelperChoice(
            code,
            lost,
            alive,
            b -> places[b],
            b -> roots.getOrDefault(b, -1),
            settings.network(cluster));
    sums.forEach((shape, sum) -> sum.add(choice.plan(shape).orElseThrow(), lost.size()));
  }

  /** Destinations by the rule; on a cluster without spare nodes, the old nodes. */
  private static int[] homes(
      EncodedCluster cluster,
      int[] places,
      List<Integer> lost,
      int[] nodeOf,
      RandomGenerator random) {
    Set<Integer> failed = new HashSet<>();
    lost.forEach(block -> failed.add(nodeOf[block]));
    try {
      return cluster
          .rule()
          .destinations(
              EligibleNodes.of(cluster.topology(), node -> !failed.contains(node)),
              places,
              lost,
              random);
    } catch (PlacementException e) {
      return lost.stream().mapToInt(block -> nodeOf[block]).toArray();
    }
  }

  /** Planned repairs by number of lost blocks, from 1 on. */
  public List<Level> levels() {
    return List.copyOf(levels);
  }

  /** Mean number of failed nodes that are not rebuilt yet. */
  public double background() {
    return background;
  }

  /** Seconds to rebuild one lost node, from its first repair to the last. */
  public double nodeSeconds() {
    return queue(1, 1);
  }

  @Override
  public Wait of(int missing, double nodes) {
    int level = Math.min(missing, levels.size());
    boolean urgent = Math.max(0, promised - missing) <= settings.urgentSpare();
    return new Wait(
        settings.detect() + (urgent ? 0 : settings.delay()),
        queue(missing, Math.max(nodes, missing) + background),
        levels.get(level - 1).seconds());
  }

  /**
   * Seconds to repair all stripes with a number of lost blocks.
   *
   * @param nodes number of failed nodes
   */
  private double queue(int missing, double nodes) {
    double share = 1;
    for (int i = 0; i < missing; i++) {
      double left = Math.max(0, nodes - i) / Math.max(1, cluster.topology().nodes() - i);
      share *= (cluster.code().n() - i) * Math.min(1, left) / (i + 1.0);
    }
    // With one block a stripe this is a number of blocks, which are rebuilt one by one.
    double most = missing == 1 ? cluster.code().n() : 1;
    double rate = levels.get(Math.min(missing, levels.size()) - 1).rate();
    return cluster.stripes() * Math.min(most, share) / rate * stretch;
  }

  /** Adds up plans with the same number of lost blocks. */
  private static final class Sums {
    private final EncodedCluster cluster;
    private final RepairParameters settings;
    private final Network network;
    private int count;
    private double seconds;
    private double total;
    private double crossRack;
    private double crossSite;
    private double read;
    private double written;
    private double nodes;
    private double racks;

    Sums(EncodedCluster cluster, RepairParameters settings) {
      this.cluster = cluster;
      this.settings = settings;
      this.network = settings.network(cluster);
    }

    void add(Plan plan, int lost) {
      double alpha = cluster.code().alpha();
      PlanCost cost = PlanCost.of(plan, cluster.code().alpha(), network);
      count++;
      seconds += cost.seconds();
      total += cost.total();
      crossRack += cost.crossRack();
      crossSite += cost.crossSite();
      read += plan.steps().stream().filter(Step.Read.class::isInstance).count() / alpha;
      written += lost;
      // Counted by steps: to split plans into fragments would take most of the time.
      int[] taking = plan.steps().stream().mapToInt(Step::node).distinct().toArray();
      nodes += taking.length;
      racks += IntStream.of(taking).map(cluster.topology()::rackOf).distinct().count();
    }

    Level level(int missing) {
      Topology topology = cluster.topology();
      double block = cluster.blockSize();
      double uplinks = IntStream.range(0, topology.racks()).mapToDouble(network::uplink).sum();
      double[] rates = {
        topology.nodes() * network.rates().link() / (total / count * block),
        topology.racks() == 1 ? Double.POSITIVE_INFINITY : uplinks / (crossRack / count * block),
        topology.sites() * network.rates().site() / (crossSite / count * block),
        topology.nodes() * settings.disk() * settings.share() / ((read + written) / count * block),
        atOnce(topology) / (seconds / count)
      };
      String[] names = {"links", "uplinks", "site links", "disks", "budgets"};
      int least =
          IntStream.range(0, rates.length)
              .filter(i -> !Double.isNaN(rates[i]))
              .reduce((a, b) -> rates[b] < rates[a] ? b : a)
              .orElseThrow();
      return new Level(
          missing,
          seconds / count,
          total / count,
          crossRack / count,
          crossSite / count,
          rates[least],
          names[least]);
    }

    /** Repairs that run at once when budgets are used evenly. */
    private double atOnce(Topology topology) {
      double byNode = topology.nodes() * (double) settings.budgets().perNode() / (nodes / count);
      double byUplink =
          racks / count > 1
              ? topology.racks() * (double) settings.budgets().perUplink() / (racks / count)
              : Double.POSITIVE_INFINITY;
      return Math.max(1, Math.min(settings.budgets().inAll(), Math.min(byNode, byUplink)));
    }
  }
}
