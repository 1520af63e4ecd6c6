package org.braid.plan.manage;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.braid.code.Registry;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;

/** The registry of schedulers, the baseline first; {@link LoadBound} is their bound. */
public final class RepairSchedulers {
  /** What a cluster does that plans each repair for itself. */
  public static final RepairScheduler ARRIVAL =
      new Greedy(
          "arrival",
          "each stripe for itself: the nearest helpers, a random destination",
          new ByDistance());

  /** m-PPR with the usual gain of a cached block. */
  public static final RepairScheduler MPPR = mppr(Weights.GAIN);

  /** All stripes planned together. */
  public static final RepairScheduler TOGETHER = new Together();

  private static final Registry<RepairScheduler> ALL =
      new Registry<>("repair scheduler", List.of(ARRIVAL, MPPR, TOGETHER), RepairScheduler::name);

  private RepairSchedulers() {}

  /**
   * m-PPR (PPR section 5, algorithm 1): stripe by stripe the k sources of the highest weight and
   * the destination of the highest weight, weights updated after each.
   *
   * @param gain alpha / beta of {@link Weights}
   */
  public static RepairScheduler mppr(double gain) {
    return new Greedy(
        "mppr",
        "m-PPR: sources and destinations of the highest weight, greedily (PPR section 5)",
        new ByWeight(gain));
  }

  /**
   * Places for the homeless blocks of one stripe, by the weights of m-PPR.
   *
   * @throws PlacementException when there are none
   */
  public static Map<Integer, Integer> places(
      LostStripe stripe, Servers servers, RandomGenerator random) {
    return Greedy.place(stripe, new Work(servers), new ByWeight(Weights.GAIN), random);
  }

  /** All schedulers, in the order of listings. */
  public static List<RepairScheduler> all() {
    return ALL.all();
  }

  /** The names of all schedulers, joined by commas. */
  public static String names() {
    return ALL.names();
  }

  /**
   * The scheduler of a name.
   *
   * @throws IllegalArgumentException when there is none; lists the known names
   */
  public static RepairScheduler named(String name) {
    return ALL.named(name);
  }

  private static final class ByDistance implements Greedy.Rating {
    @Override
    public double source(
        LostStripe stripe, int block, Map<Integer, Integer> destinations, Work work) {
      Topology topology = work.servers().topology();
      int rack = topology.rackOf(stripe.nodeOf()[block]);
      return destinations.values().stream()
              .anyMatch(node -> node < topology.nodes() && topology.rackOf(node) == rack)
          ? 1
          : 0;
    }

    @Override
    public double destination(LostStripe stripe, int node, Work work) {
      return 0;
    }
  }

  private static final class ByWeight implements Greedy.Rating {
    private final double gain;

    ByWeight(double gain) {
      this.gain = gain;
    }

    private Weights weights(LostStripe stripe) {
      return Weights.of(stripe.code().k(), Math.max(1, stripe.length()), gain);
    }

    @Override
    public double source(
        LostStripe stripe, int block, Map<Integer, Integer> destinations, Work work) {
      int node = stripe.nodeOf()[block];
      return weights(stripe)
          .source(
              stripe.notes().cached().contains(block),
              work.reconstructions(node),
              work.servers().userLoad(node));
    }

    @Override
    public double destination(LostStripe stripe, int node, Work work) {
      return weights(stripe).destination(work.destinations(node), work.servers().userLoad(node));
    }
  }
}
