package org.braid.plan.schedule;

import java.util.List;
import org.braid.code.Registry;
import org.braid.plan.helper.HelperPreference;

/** The registry of schedulers, the baseline first; {@link LoadBound} is their bound. */
public final class RepairSchedulers {
  /** Plans each repair for itself: the nearest helpers and a random destination. The baseline. */
  public static final RepairScheduler ARRIVAL = new GreedyScheduler("arrival", new ByDistance());

  /**
   * m-PPR (PPR section 5, algorithm 1): for one stripe after the other the sources and the
   * destination of the highest weight. Each scheduled repair updates the weights.
   */
  public static final RepairScheduler MPPR = new GreedyScheduler("mppr", new ByWeight());

  /** Balances the load of all links over all stripes. */
  public static final RepairScheduler TOGETHER = new LoadBalancingScheduler();

  private static final Registry<RepairScheduler> ALL =
      new Registry<>("repair scheduler", List.of(ARRIVAL, MPPR, TOGETHER), RepairScheduler::name);

  private RepairSchedulers() {}

  /** All schedulers, in the order of listings. */
  public static List<RepairScheduler> all() {
    return ALL.all();
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
    private static MpprWeights weights(LostStripe stripe) {
      return MpprWeights.of(stripe.code().k(), Math.max(1, stripe.length()));
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
