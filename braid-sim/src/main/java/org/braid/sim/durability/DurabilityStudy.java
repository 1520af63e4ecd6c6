package org.braid.sim.durability;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.braid.plan.shape.RepairPlanner;
import org.braid.sim.durability.RepairParameters.Course;
import org.braid.sim.time.RandomStreams;

/** Durability of a cluster's data by shape of repair. */
public final class DurabilityStudy {
  /** The Markov chain samples erasure patterns where there are more of one size. */
  private static final long PATTERNS = 60_000;

  private DurabilityStudy() {}

  /**
   * Input of a study.
   *
   * @param cluster stripes and their placement
   * @param failures of the cluster
   * @param repairs how repairs run; each row has a shape of its own
   * @param course order of repairs and distribution of their times
   * @param years length of a mission
   * @param samples number of sample stripes for each number of lost blocks
   */
  public record Setting(
      EncodedCluster cluster,
      FailureModel failures,
      RepairParameters repairs,
      Course course,
      double years,
      int samples) {
    public Setting {
      if (!(years > 0) || samples < 1) {
        throw new IllegalArgumentException(
            "missions of %s years, %d samples: must be more than 0 and at least 1"
                .formatted(years, samples));
      }
      failures.bursts().requireAtMost(cluster.topology().nodes());
    }
  }

  /**
   * Result for one shape of repair.
   *
   * @param shape of repairs
   * @param levels planned repairs by number of lost blocks
   * @param nodeSeconds time to rebuild a lost node
   * @param firstSeconds mean time from the loss of a block of a whole stripe to its repair
   * @param sampled result of importance sampling
   * @param durability estimated from it
   * @param chain the Markov chain of node failures alone; empty when there is none
   */
  public record Row(
      String shape,
      List<PlannedRepairs.Level> levels,
      double nodeSeconds,
      double firstSeconds,
      ImportanceSampling.Result sampled,
      Durability durability,
      Optional<StripeMarkovChain> chain) {
    public Row {
      levels = List.copyOf(levels);
    }

    /** Whether sampling met any data loss. */
    public boolean hasLosses() {
      return sampled.losses().mean() > 0;
    }

    /** The durability by the Markov chain; empty when there is none. */
    public Optional<Durability> chain(EncodedCluster cluster) {
      return chain.map(c -> Durability.of(cluster, c.losses(), c.lostBlocks()));
    }

    /** The durability at the lower end of the 95 % interval of losses. */
    public Durability atFewestLosses(EncodedCluster cluster) {
      return Durability.of(cluster, sampled.losses().low(), sampled.lostBlocks().low());
    }

    /** The durability at the upper end of the 95 % interval of losses. */
    public Durability atMostLosses(EncodedCluster cluster) {
      return Durability.of(cluster, sampled.losses().high(), sampled.lostBlocks().high());
    }
  }

  /**
   * Studies shapes of repair one after the other.
   *
   * @param effort of sampling for each shape
   * @param seed of all random numbers
   * @param spread runs batches of missions: the identity, or parallel
   * @param listener told the name of each shape that is done
   * @throws OverloadException when repairs would never catch up
   */
  public static List<Row> run(
      Setting setting,
      List<RepairPlanner> shapes,
      ImportanceSampling.Effort effort,
      long seed,
      UnaryOperator<IntStream> spread,
      Consumer<String> listener) {
    EncodedCluster cluster = setting.cluster();
    ErasurePatterns patterns = new ErasurePatterns(cluster.code());
    ErasurePatterns.Steps steps = patterns.steps(PATTERNS, RandomStreams.single(seed));
    List<Row> rows = new ArrayList<>();
    for (RepairPlanner shape : shapes) {
      PlannedRepairs repairs =
          PlannedRepairs.of(
              cluster,
              setting.repairs().with(shape),
              patterns,
              setting.failures().lostNodes(cluster.topology()),
              setting.samples(),
              RandomStreams.single(seed));
      StripeModel model =
          new StripeModel(cluster, patterns, setting.failures(), repairs, setting.course());
      ImportanceSampling.Result sampled =
          new ImportanceSampling(model, setting.years() * Durability.SECONDS_PER_YEAR)
              .run(effort, seed, spread);
      rows.add(
          new Row(
              shape.name(),
              repairs.levels(),
              repairs.nodeSeconds(),
              repairs.of(1, 1).mean(),
              sampled,
              Durability.of(cluster, sampled.losses().mean(), sampled.lostBlocks().mean()),
              StripeMarkovChain.of(
                  cluster.code().n(),
                  setting.failures().node(),
                  repairs,
                  setting.course().order(),
                  steps)));
      listener.accept(shape.name());
    }
    return rows;
  }
}
