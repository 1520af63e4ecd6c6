package org.braid.sim.durability;

import java.util.random.RandomGenerator;
import org.braid.sim.durability.StripeTrajectory.Event;
import org.braid.sim.failure.FailureDomain;
import org.braid.sim.failure.Lifetime;
import org.braid.sim.time.RandomStreams;

/** Rates of losses and outages of a stripe, from the ages of its nodes, racks and sites. */
final class HazardRates {
  private static final FailureDomain[] DOMAINS = FailureDomain.values();

  /** The kinds of losses. */
  private static final Event[] LOSSES = {
    Event.NODE, Event.RACK, Event.SITE, Event.LATENT, Event.BURST
  };

  private static final int HALVINGS = 60;

  private final FailureModel failures;
  private final double latent;
  private final double bursts;
  private final BurstHits[] hits;
  private final int racks;
  private final int sites;
  private final boolean isConstant;

  /**
   * A kind of loss that was drawn.
   *
   * @param weight its natural probability over the one it was drawn with
   */
  record Draw(Event kind, double weight) {}

  HazardRates(StripeModel model) {
    failures = model.failures();
    latent = model.latentRate();
    bursts = failures.bursts().nodes() == 0 ? 0 : 1 / failures.bursts().every();
    int n = model.cluster().code().n();
    racks = model.cluster().topology().racks();
    sites = model.cluster().topology().sites();
    hits = new BurstHits[n + 1];
    for (int blocks = 1; blocks <= n && bursts > 0; blocks++) {
      hits[blocks] =
          new BurstHits(model.cluster().topology().nodes(), failures.bursts().nodes(), blocks);
    }
    boolean constant = true;
    for (FailureDomain domain : DOMAINS) {
      constant &= failures.life(domain).isExponential();
    }
    isConstant = constant;
  }

  /** How many of some blocks a burst hits. */
  BurstHits hits(int blocks) {
    return hits[blocks];
  }

  private int count(StripeBlocks stripe, FailureDomain domain) {
    return switch (domain) {
      case NODE -> stripe.count();
      case RACK -> racks;
      case SITE -> sites;
    };
  }

  private int holding(StripeBlocks stripe, FailureDomain domain) {
    int found = 0;
    for (int i = 0; i < count(stripe, domain); i++) {
      found += stripe.isHeldBy(domain, i) ? 1 : 0;
    }
    return found;
  }

  /** The cumulative hazard of all losses between two times. */
  double between(StripeBlocks stripe, double from, double to) {
    double sum = 0;
    for (FailureDomain domain : DOMAINS) {
      Lifetime life = failures.life(domain);
      if (life.isEndless()) {
        continue;
      }
      for (int i = 0; i < count(stripe, domain); i++) {
        if (stripe.isHeldBy(domain, i)) {
          double born = stripe.born(domain, i);
          sum +=
              life.isExponential()
                  ? (to - from) / life.mean()
                  : life.hazard(from - born, to - born);
        }
      }
    }
    double ageless = rate(stripe, Event.LATENT) + rate(stripe, Event.BURST);
    return ageless > 0 ? sum + ageless * (to - from) : sum;
  }

  /** The time at which the cumulative hazard since {@code from} reaches a value, at most to. */
  double reach(StripeBlocks stripe, double from, double to, double hazard) {
    if (isConstant) {
      return Math.min(to, from + hazard / between(stripe, 0, 1));
    }
    double low = from;
    double high = to;
    if (Double.isInfinite(high)) {
      high = from + 1;
      while (between(stripe, from, high) < hazard) {
        high = from + 2 * (high - from);
      }
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = low + (high - low) / 2;
      if (between(stripe, from, middle) < hazard) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** The rate of a kind of loss now. */
  double rate(StripeBlocks stripe, Event kind) {
    return switch (kind) {
      case NODE -> rate(stripe, FailureDomain.NODE);
      case RACK -> rate(stripe, FailureDomain.RACK);
      case SITE -> rate(stripe, FailureDomain.SITE);
      case LATENT -> latent == 0 ? 0 : okBlocks(stripe) * latent;
      case BURST -> {
        int alive = bursts == 0 ? 0 : holding(stripe, FailureDomain.NODE);
        yield alive == 0 ? 0 : bursts * hits[alive].any();
      }
      default -> 0;
    };
  }

  private double rate(StripeBlocks stripe, FailureDomain domain) {
    double sum = 0;
    for (int i = 0; i < count(stripe, domain) && !failures.life(domain).isEndless(); i++) {
      sum += stripe.isHeldBy(domain, i) ? rateOf(stripe, domain, i) : 0;
    }
    return sum;
  }

  private double rateOf(StripeBlocks stripe, FailureDomain domain, int index) {
    return failures.life(domain).rateAt(stripe.now() - stripe.born(domain, index));
  }

  /**
   * Draws the kind of a loss that happens now.
   *
   * @param wide whether half of the draws are uniform over kinds, so that rare ones occur often
   */
  Draw drawKind(StripeBlocks stripe, boolean wide, RandomGenerator random) {
    double[] rates = new double[LOSSES.length];
    double sum = 0;
    int kinds = 0;
    for (int i = 0; i < rates.length; i++) {
      rates[i] = rate(stripe, LOSSES[i]);
      sum += rates[i];
      kinds += rates[i] > 0 ? 1 : 0;
    }
    boolean even = wide && kinds > 1 && random.nextBoolean();
    double at = random.nextDouble() * (even ? kinds : sum);
    int chosen = -1;
    for (int i = 0; i < rates.length && (chosen < 0 || at >= 0); i++) {
      if (rates[i] > 0) {
        chosen = i;
        at -= even ? 1 : rates[i];
      }
    }
    if (!wide || kinds == 1) {
      return new Draw(LOSSES[chosen], 1);
    }
    double plain = rates[chosen] / sum;
    return new Draw(LOSSES[chosen], plain / (0.5 * plain + 0.5 / kinds));
  }

  /** Draws a node, rack or site that fails now, by their rates; a node is given by its block. */
  int drawLost(StripeBlocks stripe, FailureDomain domain, RandomGenerator random) {
    double at = random.nextDouble() * rate(stripe, domain);
    int chosen = -1;
    for (int i = 0; i < count(stripe, domain) && (chosen < 0 || at >= 0); i++) {
      if (stripe.isHeldBy(domain, i)) {
        chosen = i;
        at -= rateOf(stripe, domain, i);
      }
    }
    return chosen;
  }

  /** The share of a block's node in the rate of all nodes. */
  double share(StripeBlocks stripe, int block) {
    return rateOf(stripe, FailureDomain.NODE, block) / rate(stripe, FailureDomain.NODE);
  }

  /** Draws a node, rack or site with blocks of the stripe, uniformly. */
  int drawHolding(StripeBlocks stripe, FailureDomain domain, RandomGenerator random) {
    int at = random.nextInt(holding(stripe, domain));
    int index = -1;
    while (at >= 0) {
      index++;
      at -= stripe.isHeldBy(domain, index) ? 1 : 0;
    }
    return index;
  }

  private static int okBlocks(StripeBlocks stripe) {
    int ok = 0;
    for (int block = 0; block < stripe.count(); block++) {
      ok += stripe.isOk(block) ? 1 : 0;
    }
    return ok;
  }

  /** Draws a block that is neither lost, away nor damaged. */
  int drawOk(StripeBlocks stripe, RandomGenerator random) {
    int at = random.nextInt(okBlocks(stripe));
    int block = -1;
    while (at >= 0) {
      block++;
      at -= stripe.isOk(block) ? 1 : 0;
    }
    return block;
  }

  private double outageRate(StripeBlocks stripe, FailureDomain domain) {
    double every = failures.outages().of(domain).every();
    return Double.isInfinite(every) ? 0 : holding(stripe, domain) / every;
  }

  /** Draws the time until the next outage. */
  double untilOutage(StripeBlocks stripe, RandomGenerator random) {
    double rate = 0;
    for (FailureDomain domain : DOMAINS) {
      rate += outageRate(stripe, domain);
    }
    return rate == 0 ? Double.POSITIVE_INFINITY : RandomStreams.exponential(1 / rate, random);
  }

  /** Draws whether the next outage is one of a node, a rack or a site. */
  FailureDomain drawOutage(StripeBlocks stripe, RandomGenerator random) {
    double[] rates = new double[DOMAINS.length];
    double sum = 0;
    for (int i = 0; i < rates.length; i++) {
      rates[i] = outageRate(stripe, DOMAINS[i]);
      sum += rates[i];
    }
    double at = random.nextDouble() * sum;
    int chosen = 0;
    while (chosen < rates.length - 1 && (rates[chosen] == 0 || at >= rates[chosen])) {
      at -= rates[chosen];
      chosen++;
    }
    return DOMAINS[chosen];
  }
}
