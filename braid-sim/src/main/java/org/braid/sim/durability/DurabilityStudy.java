package org.braid.sim.durability;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.braid.plan.RepairPlanner;
import org.braid.sim.durability.RepairSettings.Course;

/** How durable a cluster's data is, for each way to repair it. */
public final class DurabilityStudy {
  /** Sizes with more patterns of lost blocks are sampled for the chain. */
  private static final long PATTERNS = 60_000;

  private DurabilityStudy() {}

  /**
   * What is studied.
   *
   * @param cluster stripes and where they are
   * @param faults what goes wrong
   * @param repairs how repairs run; the shape is that of each row
   * @param course order and law of repairs
   * @param years of a mission
   * @param samples stripes that are planned for each number of lost blocks
   */
  public record Setting(
      Cluster cluster,
      Faults faults,
      RepairSettings repairs,
      Course course,
      double years,
      int samples) {
    public Setting {
      if (!(years > 0) || samples < 1) {
        throw new IllegalArgumentException(
            "missions of %s years, %d samples: needed are more than 0 and 1 or more"
                .formatted(years, samples));
      }
      faults.bursts().requireOn(cluster.topology().nodes());
    }
  }

  /**
   * One way to repair.
   *
   * @param shape of repairs
   * @param levels what was planned, by lost blocks
   * @param nodeSeconds in which a lost node is rebuilt
   * @param firstSeconds mean time from the loss of a first block to its repair
   * @param seen what the Monte-Carlo saw
   * @param durability from that
   * @param chain the Markov chain of node failures alone; empty when there is none
   */
  public record Row(
      String shape,
      List<PlannedRepairs.Level> levels,
      double nodeSeconds,
      double firstSeconds,
      Missions.Result seen,
      Durability durability,
      Optional<StripeChain> chain) {
    public Row {
      levels = List.copyOf(levels);
    }

    /** Whether a loss was seen at all. */
    public boolean isSeen() {
      return seen.losses().mean() > 0;
    }

    /** What the chain says; empty when there is none. */
    public Optional<Durability> chain(Cluster cluster) {
      return chain.map(c -> Durability.of(cluster, c.losses(), c.lostBlocks()));
    }

    /** Where the losses in a second would be at the ends of the 95 % interval. */
    public Durability at(Cluster cluster, boolean upper) {
      Estimate losses = seen.losses();
      Estimate blocks = seen.lostBlocks();
      return upper
          ? Durability.of(cluster, losses.high(), blocks.high())
          : Durability.of(cluster, losses.low(), blocks.low());
    }
  }

  /**
   * Studies some shapes.
   *
   * @param effort of each shape
   * @param seed of everything random
   * @param spread how batches of missions are run: as they are, or in parallel
   * @param listener hears each shape when it is done
   * @throws OverloadException when repairs would never catch up
   */
  public static List<Row> run(
      Setting setting,
      List<RepairPlanner> shapes,
      Missions.Effort effort,
      long seed,
      UnaryOperator<IntStream> spread,
      Consumer<String> listener) {
    Cluster cluster = setting.cluster();
    Patterns patterns = new Patterns(cluster.code());
    Patterns.Steps steps = patterns.steps(PATTERNS, random(seed));
    List<Row> rows = new ArrayList<>();
    for (RepairPlanner shape : shapes) {
      PlannedRepairs repairs =
          PlannedRepairs.of(
              cluster,
              setting.repairs().with(shape),
              patterns,
              failures(setting),
              setting.samples(),
              random(seed));
      StripeModel model =
          new StripeModel(cluster, patterns, setting.faults(), repairs, setting.course());
      Missions.Result seen =
          new Missions(model, setting.years() * Times.YEAR).run(effort, seed, spread);
      rows.add(
          new Row(
              shape.name(),
              repairs.levels(),
              repairs.nodeSeconds(),
              repairs.of(1, 1).mean(),
              seen,
              Durability.of(cluster, seen.losses().mean(), seen.lostBlocks().mean()),
              StripeChain.of(
                  cluster.code().n(),
                  setting.faults().node(),
                  repairs,
                  setting.course().order(),
                  steps)));
      listener.accept(shape.name());
    }
    return rows;
  }

  /** Nodes a second that the cluster loses: by themselves, with racks and sites, in bursts. */
  private static double failures(Setting setting) {
    Faults faults = setting.faults();
    double perNode = faults.node().rate() + faults.rack().rate() + faults.site().rate();
    return setting.cluster().topology().nodes() * perNode
        + faults.bursts().nodes() / faults.bursts().every();
  }

  private static RandomGenerator random(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }
}
