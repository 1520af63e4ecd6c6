package org.braid.plan.schedule;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.braid.code.Registry;
import org.braid.placement.PlacementException;
import org.braid.plan.helper.HelperPreference;

/** The registry of schedulers, the baseline first; {@link LoadBound} is their bound. */
public final class RepairSchedulers {
  /** Plans each repair for itself: the nearest helpers and a random destination. The baseline. */
  public static final RepairScheduler ARRIVAL = new GreedyScheduler("arrival", new ByDistance());

  /** m-PPR with the gain of PPR's example. */
  public static final RepairScheduler MPPR = mppr(MpprWeights.GAIN);

  /** Balances the load of all links over all stripes. */
  public static final RepairScheduler TOGETHER = new LoadBalancingScheduler();

  private static final Registry<RepairScheduler> ALL =
      new Registry<>("repair scheduler", List.of(ARRIVAL, MPPR, TOGETHER), RepairScheduler::name);

  private RepairSchedulers() {}

  /**
   * m-PPR (PPR section 5, algorithm 1): for one stripe after the other the sources and the
   * destination of the highest weight. Each scheduled repair updates the weights.
   *
   * @param gain alpha / beta of {@link MpprWeights}
   */
  public static RepairScheduler mppr(double gain) {
    return new GreedyScheduler("mppr", new ByWeight(gain));
  }

  /**
   * Destinations of the homeless blocks of one stripe, by the weights of m-PPR.
   *
   * @throws PlacementException when the rule allows none
   */
  public static Map<Integer, Integer> places(
      LostStripe stripe, ClusterSnapshot cluster, RandomGenerator random) {
    return GreedyScheduler.place(
        stripe, new RepairCounts(cluster), new ByWeight(MpprWeights.GAIN), random);
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

  private static final class ByDistance implements GreedyScheduler.Rating {
    @Override
    public HelperPreference helpers(LostStripe stripe, RepairCounts counts) {
      return HelperPreference.nearest();
    }

    @Override
    public double destination(LostStripe stripe, int node, RepairCounts counts) {
      return 0;
    }
  }

  private static final class ByWeight implements GreedyScheduler.Rating {
    private final double gain;

    ByWeight(double gain) {
      this.gain = gain;
    }

    private MpprWeights weights(LostStripe stripe) {
      return MpprWeights.of(stripe.code().k(), Math.max(1, stripe.length()), gain);
    }

    @Override
    public HelperPreference helpers(LostStripe stripe, RepairCounts counts) {
      MpprWeights weights = weights(stripe);
      return HelperPreference.nearestByWeight(
          block -> {
            int node = stripe.nodeOf()[block];
            return weights.source(
                stripe.notes().cached().contains(block),
                counts.reconstructions(node),
                counts.cluster().userLoad(node));
          });
    }

    @Override
    public double destination(LostStripe stripe, int node, RepairCounts counts) {
      return weights(stripe)
          .destination(counts.destinations(node), counts.cluster().userLoad(node));
    }
  }
}
