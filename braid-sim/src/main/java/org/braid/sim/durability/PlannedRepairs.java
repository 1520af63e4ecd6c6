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
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.plan.HelperChoice;
import org.braid.plan.Network;
import org.braid.plan.Plan;
import org.braid.plan.PlanCost;
import org.braid.plan.RepairPlanner;
import org.braid.plan.Step;

/**
 * Repair times that follow from the product's plans: stripes are placed by the rule, lose random
 * blocks that can be decoded, and are planned as the product plans them. What the plans put on
 * links, disks and budgets says how many repairs a second the whole cluster does at once; how many
 * stripes are as badly hit says how long that takes. Stripes with more lost blocks go first, so
 * that only those as badly hit or worse are before them.
 *
 * <p>Of f failed nodes of N, the expected number of choices of j blocks of a stripe that all are on
 * failed nodes is C(n,j) C(f,j) / C(N,j), which bounds the probability that it lost j.
 */
public final class PlannedRepairs implements RepairTimes {
  private static final int LEAST_SAMPLES = 3;

  private final Cluster cluster;
  private final RepairSettings settings;
  private final int promised;
  private final List<Level> levels;
  private final double stretch;
  private final double background;

  /**
   * Repairs of stripes that lost a number of blocks, on average.
   *
   * @param missing lost blocks
   * @param seconds of a plan on its own
   * @param total blocks that move between nodes, for each stripe
   * @param crossRack blocks that cross racks
   * @param crossSite blocks that cross sites
   * @param rate stripes a second that the cluster repairs, all nodes at once
   * @param limit what limits it: links, uplinks, site links, disks or budgets
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
      Cluster cluster, RepairSettings settings, int promised, List<Level> levels, double failures) {
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
   * @param samples stripes for each number of lost blocks
   * @throws OverloadException when more is lost than can be repaired
   */
  public static PlannedRepairs of(
      Cluster cluster,
      RepairSettings settings,
      Patterns patterns,
      double failures,
      int samples,
      RandomGenerator random) {
    Samples planned =
        Samples.of(cluster, settings, List.of(settings.planner()), patterns, samples, random);
    return planned.repairs(settings.planner(), failures);
  }

  /** Sample repairs of several shapes, of the same stripes and from helpers chosen alike. */
  public static final class Samples {
    private final Cluster cluster;
    private final RepairSettings settings;
    private final int promised;
    private final Map<String, List<Level>> levels;

    private Samples(
        Cluster cluster, RepairSettings settings, int promised, Map<String, List<Level>> levels) {
      this.cluster = cluster;
      this.settings = settings;
      this.promised = promised;
      this.levels = levels;
    }

    /**
     * Plans them.
     *
     * @param shapes to plan
     * @param patterns of the cluster's code
     * @param samples stripes for each number of lost blocks
     */
    public static Samples of(
        Cluster cluster,
        RepairSettings settings,
        List<RepairPlanner> shapes,
        Patterns patterns,
        int samples,
        RandomGenerator random) {
      ErasureCode code = cluster.code();
      int most = Math.max(1, Math.min(code.m(), patterns.promised() + 1));
      Map<String, List<Level>> levels = new HashMap<>();
      shapes.forEach(shape -> levels.put(shape.name(), new ArrayList<>()));
      for (int missing = 1; missing <= most; missing++) {
        Map<RepairPlanner, Sums> sums = new LinkedHashMap<>();
        shapes.forEach(shape -> sums.put(shape, new Sums(cluster, settings)));
        // Repairs of many blocks take longer to plan, and differ less.
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
     * Repairs of a shape.
     *
     * @param failures nodes a second that the cluster loses for good
     * @throws OverloadException when more is lost than can be repaired
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
      Cluster cluster,
      RepairSettings settings,
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

  /** Where the rule wants them; in a cluster without spare nodes, where they were. */
  private static int[] homes(
      Cluster cluster, int[] places, List<Integer> lost, int[] nodeOf, RandomGenerator random) {
    Set<Integer> failed = new HashSet<>();
    lost.forEach(block -> failed.add(nodeOf[block]));
    try {
      return cluster
          .rule()
          .destinations(cluster.topology(), node -> !failed.contains(node), places, lost, random);
    } catch (PlacementException e) {
      return lost.stream().mapToInt(block -> nodeOf[block]).toArray();
    }
  }

  /** What was planned, by lost blocks. */
  public List<Level> levels() {
    return List.copyOf(levels);
  }

  /** Failed nodes at any time that are not repaired yet, on average. */
  public double background() {
    return background;
  }

  /** The time in which the cluster rebuilds one lost node, from the first repair to the last. */
  public double nodeSeconds() {
    return queue(1, 1);
  }

  @Override
  public Wait of(int missing, double nodes) {
    int level = Math.min(missing, levels.size());
    boolean urgent = promised - missing <= settings.urgentSpare();
    return new Wait(
        settings.detect() + (urgent ? 0 : settings.delay()),
        queue(missing, Math.max(nodes, missing) + background),
        levels.get(level - 1).seconds());
  }

  /** Seconds in which all stripes are repaired that lost so many blocks with so many nodes. */
  private double queue(int missing, double nodes) {
    double share = 1;
    for (int i = 0; i < missing; i++) {
      double left = Math.max(0, nodes - i) / Math.max(1, cluster.topology().nodes() - i);
      share *= (cluster.code().n() - i) * Math.min(1, left) / (i + 1.0);
    }
    // For one block this counts blocks, which are rebuilt one by one.
    double most = missing == 1 ? cluster.code().n() : 1;
    double rate = levels.get(Math.min(missing, levels.size()) - 1).rate();
    return cluster.stripes() * Math.min(most, share) / rate * stretch;
  }

  /** Adds up plans of one number of lost blocks. */
  private static final class Sums {
    private final Cluster cluster;
    private final RepairSettings settings;
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

    Sums(Cluster cluster, RepairSettings settings) {
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
      // Not by fragments: plans are not run here, and to split them takes longest.
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

    /** Repairs that budgets let run at once, spread evenly. */
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
