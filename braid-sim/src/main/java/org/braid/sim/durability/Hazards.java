package org.braid.sim.durability;

import java.util.random.RandomGenerator;
import org.braid.sim.durability.Faults.Outage;
import org.braid.sim.durability.StripeState.Event;
import org.braid.sim.failure.Lifetime;

/** How likely a stripe loses what next, from the ages of its nodes, racks and sites. */
final class Hazards {
  static final int NODES = 0;
  static final int RACKS = 1;
  static final int SITES = 2;

  /** The kinds of losses. */
  private static final Event[] KINDS = {
    Event.NODE, Event.RACK, Event.SITE, Event.LATENT, Event.BURST
  };

  private static final int HALVINGS = 60;

  private final Lifetime[] lives;
  private final Outage[] outages;
  private final double latent;
  private final double bursts;
  private final BurstHits[] hits;
  private final int racks;
  private final int sites;

  /** What comes next. */
  record Choice(Event kind, double weight) {}

  Hazards(StripeModel model) {
    Faults faults = model.faults();
    lives = new Lifetime[] {faults.node(), faults.rack(), faults.site()};
    outages =
        new Outage[] {faults.outages().node(), faults.outages().rack(), faults.outages().site()};
    latent = model.latentRate();
    bursts = faults.bursts().nodes() == 0 ? 0 : 1 / faults.bursts().every();
    int n = model.cluster().code().n();
    racks = model.cluster().topology().racks();
    sites = model.cluster().topology().sites();
    hits = new BurstHits[n + 1];
    for (int blocks = 1; blocks <= n && bursts > 0; blocks++) {
      hits[blocks] =
          new BurstHits(model.cluster().topology().nodes(), faults.bursts().nodes(), blocks);
    }
  }

  /** What a burst does to some blocks. */
  BurstHits hits(int blocks) {
    return hits[blocks];
  }

  private boolean isConstant(int kind) {
    return lives[kind].isExponential();
  }

  private int count(StripeBlocks stripe, int kind) {
    return kind == NODES ? stripe.count() : kind == RACKS ? racks : sites;
  }

  /** Whether a node, rack or site has something of the stripe. */
  private static boolean matters(StripeBlocks stripe, int kind, int index) {
    if (kind == NODES) {
      return !stripe.isLost(index);
    }
    for (int block = 0; block < stripe.count(); block++) {
      int place = kind == RACKS ? stripe.rack(block) : stripe.site(block);
      if (place == index && !stripe.isLost(block)) {
        return true;
      }
    }
    return false;
  }

  private int mattering(StripeBlocks stripe, int kind) {
    int found = 0;
    for (int i = 0; i < count(stripe, kind); i++) {
      found += matters(stripe, kind, i) ? 1 : 0;
    }
    return found;
  }

  /** The cumulative hazard of all losses between two times. */
  double between(StripeBlocks stripe, double from, double to) {
    double sum = 0;
    for (int kind = NODES; kind <= SITES; kind++) {
      if (lives[kind].isEndless()) {
        continue;
      }
      for (int i = 0; i < count(stripe, kind); i++) {
        if (matters(stripe, kind, i)) {
          double born = stripe.born(kind, i);
          sum +=
              isConstant(kind)
                  ? (to - from) / lives[kind].mean()
                  : lives[kind].hazard(from - born, to - born);
        }
      }
    }
    double rest = unaged(stripe);
    return rest > 0 ? sum + rest * (to - from) : sum;
  }

  /** The rate of what does not depend on ages. */
  private double unaged(StripeBlocks stripe) {
    return rate(stripe, Event.LATENT) + rate(stripe, Event.BURST);
  }

  /** The time by which so much of the hazard is spent. */
  double reach(StripeBlocks stripe, double from, double to, double spent) {
    boolean constant = true;
    for (int kind = NODES; kind <= SITES; kind++) {
      constant &= isConstant(kind);
    }
    if (constant) {
      return Math.min(to, from + spent / between(stripe, 0, 1));
    }
    double low = from;
    double high = to;
    if (Double.isInfinite(high)) {
      high = from + 1;
      while (between(stripe, from, high) < spent) {
        high = from + 2 * (high - from);
      }
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = low + (high - low) / 2;
      if (between(stripe, from, middle) < spent) {
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
      case NODE -> rate(stripe, NODES);
      case RACK -> rate(stripe, RACKS);
      case SITE -> rate(stripe, SITES);
      case LATENT -> {
        if (latent == 0) {
          yield 0;
        }
        int ok = 0;
        for (int block = 0; block < stripe.count(); block++) {
          ok += stripe.isOk(block) ? 1 : 0;
        }
        yield ok * latent;
      }
      case BURST -> {
        int alive = bursts == 0 ? 0 : mattering(stripe, NODES);
        yield alive == 0 ? 0 : bursts * hits[alive].any();
      }
      default -> 0;
    };
  }

  private double rate(StripeBlocks stripe, int kind) {
    double sum = 0;
    for (int i = 0; i < count(stripe, kind) && !lives[kind].isEndless(); i++) {
      sum += matters(stripe, kind, i) ? rateOf(stripe, kind, i) : 0;
    }
    return sum;
  }

  private double rateOf(StripeBlocks stripe, int kind, int index) {
    return lives[kind].rateAt(stripe.now() - stripe.born(kind, index));
  }

  /**
   * What is lost now, given that something is.
   *
   * @param wide half of the draws take each kind as often as others, so that rare ones are seen
   */
  Choice choose(StripeBlocks stripe, boolean wide, RandomGenerator random) {
    double[] rates = new double[KINDS.length];
    double sum = 0;
    int kinds = 0;
    for (int i = 0; i < rates.length; i++) {
      rates[i] = rate(stripe, KINDS[i]);
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
      return new Choice(KINDS[chosen], 1);
    }
    double plain = rates[chosen] / sum;
    return new Choice(KINDS[chosen], plain / (0.5 * plain + 0.5 / kinds));
  }

  /** A block's node, a rack or a site that fails now. */
  int pick(StripeBlocks stripe, int kind, RandomGenerator random) {
    double at = random.nextDouble() * rate(stripe, kind);
    int chosen = -1;
    for (int i = 0; i < count(stripe, kind) && (chosen < 0 || at >= 0); i++) {
      if (matters(stripe, kind, i)) {
        chosen = i;
        at -= rateOf(stripe, kind, i);
      }
    }
    return chosen;
  }

  /** The part of a block's node in the rate of all. */
  double part(StripeBlocks stripe, int block) {
    return rateOf(stripe, NODES, block) / rate(stripe, NODES);
  }

  /** Any of those with something of the stripe. */
  int pickAlive(StripeBlocks stripe, int kind, RandomGenerator random) {
    int at = random.nextInt(mattering(stripe, kind));
    int index = -1;
    while (at >= 0) {
      index++;
      at -= matters(stripe, kind, index) ? 1 : 0;
    }
    return index;
  }

  /** A block that is as it should be. */
  int pickOk(StripeBlocks stripe, RandomGenerator random) {
    int ok = 0;
    for (int block = 0; block < stripe.count(); block++) {
      ok += stripe.isOk(block) ? 1 : 0;
    }
    int at = random.nextInt(ok);
    int block = -1;
    while (at >= 0) {
      block++;
      at -= stripe.isOk(block) ? 1 : 0;
    }
    return block;
  }

  private double outageRate(StripeBlocks stripe, int kind) {
    return Double.isInfinite(outages[kind].every())
        ? 0
        : mattering(stripe, kind) / outages[kind].every();
  }

  /** The time until the next outage. */
  double untilOutage(StripeBlocks stripe, RandomGenerator random) {
    double rate = 0;
    for (int kind = NODES; kind <= SITES; kind++) {
      rate += outageRate(stripe, kind);
    }
    return rate == 0 ? Double.POSITIVE_INFINITY : -Math.log1p(-random.nextDouble()) / rate;
  }

  /** Whether it is one of a node, a rack or a site. */
  int pickOutage(StripeBlocks stripe, RandomGenerator random) {
    double[] rates = new double[SITES + 1];
    double sum = 0;
    for (int kind = NODES; kind <= SITES; kind++) {
      rates[kind] = outageRate(stripe, kind);
      sum += rates[kind];
    }
    double at = random.nextDouble() * sum;
    int chosen = NODES;
    while (chosen < SITES && (rates[chosen] == 0 || at >= rates[chosen])) {
      at -= rates[chosen];
      chosen++;
    }
    return chosen;
  }
}
