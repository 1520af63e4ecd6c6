package org.braid.sim.durability;

import java.util.BitSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.sim.durability.RepairParameters.Order;
import org.braid.sim.durability.StripeBlocks.Moves;
import org.braid.sim.failure.FailureDomain;
import org.braid.sim.failure.FailureTrace;
import org.braid.sim.time.RandomStreams;

/**
 * The random course of one stripe's life. Not thread-safe.
 *
 * <p>The hazard of losses depends on ages only. So the next loss can be forced to come before what
 * is scheduled next (failure biasing): it comes with probability q instead of p and then has weight
 * p/q; when it does not come the weight is (1-p)/(1-q). A lost node, rack or site is replaced by a
 * new one, and rebuilt blocks are where the lost ones were.
 */
final class StripeTrajectory {
  /** What ended a step. */
  enum Event {
    /** The limit was reached. */
    LIMIT,
    NODE,
    LATENT,
    RACK,
    SITE,
    BURST,
    OUTAGE,
    TRACED,
    BACK,
    REPAIRED;

    /** Whether a mission may never see it, so that {@link ImportanceSampling} starts one. */
    boolean isRare() {
      return this == RACK || this == SITE || this == BURST;
    }
  }

  private final StripeModel model;
  private final HazardRates hazards;
  private final StripeBlocks blocks;
  private final TraceCursor cursor;
  private double failed;
  private double repairAt = Double.POSITIVE_INFINITY;
  private double weight = 1;
  private boolean dead;

  private StripeTrajectory(StripeModel model, HazardRates hazards, StripeBlocks blocks) {
    this.model = model;
    this.hazards = hazards;
    this.blocks = blocks;
    this.cursor = new TraceCursor(model.failures().trace());
  }

  /** A whole stripe at time 0, placed at random. */
  static StripeTrajectory fresh(StripeModel model, HazardRates hazards, RandomGenerator random) {
    StripeBlocks blocks =
        StripeBlocks.on(model.cluster().topology(), model.cluster().place(random));
    StripeTrajectory fresh = new StripeTrajectory(model, hazards, blocks);
    fresh.renew(random);
    return fresh;
  }

  /** A copy that takes another course from now on. */
  StripeTrajectory copy() {
    StripeTrajectory copy = new StripeTrajectory(model, hazards, blocks.copy());
    copy.failed = failed;
    copy.repairAt = repairAt;
    copy.weight = weight;
    copy.dead = dead;
    copy.cursor.goTo(cursor);
    return copy;
  }

  /** Makes the stripe whole, on nodes of random age. */
  void renew(RandomGenerator random) {
    blocks.renew(model.failures(), random);
    dead = false;
    failed = 0;
    repairAt = Double.POSITIVE_INFINITY;
  }

  double now() {
    return blocks.now();
  }

  /** The rate of a kind of loss now. */
  double rate(Event kind) {
    return hazards.rate(blocks, kind);
  }

  /** The natural probability of this course over the forced one. */
  double weight() {
    return weight;
  }

  /** Whether data is lost. */
  boolean isDead() {
    return dead;
  }

  /** Number of lost data blocks. */
  int lostData() {
    return model.patterns().lostData(blocks.gone());
  }

  /** Whether no block is lost, damaged or away. */
  boolean isWhole() {
    return blocks.isWhole();
  }

  /**
   * Goes on to the next event.
   *
   * @param limit the latest time
   * @param force the least probability of a loss before the next scheduled event; 0 for the natural
   *     probability
   */
  Event advance(double limit, double force, RandomGenerator random) {
    double now = blocks.now();
    double back = blocks.nextBack();
    double trace = cursor.next(now, Math.min(limit, Math.min(repairAt, back)), blocks::isHitBy);
    double outage = now + hazards.untilOutage(blocks, random);
    double next = Math.min(Math.min(repairAt, back), Math.min(trace, outage));
    double horizon = Math.min(limit, next);
    // Outages do not change hazards: the force is spread over the time up to the repair.
    double window = force > 0 && repairAt < limit ? Math.max(horizon, repairAt) : horizon;
    double hazard = hazards.between(blocks, now, window);
    double natural = -Math.expm1(-hazard);
    double forced = hazard > 0 ? Math.max(natural, force) : 0;
    if (random.nextDouble() < forced) {
      double spent = -Math.log1p(-random.nextDouble() * natural);
      double at = hazards.reach(blocks, now, window, spent);
      if (at <= horizon) {
        weight *= natural / forced;
        blocks.goTo(at);
        return strike(force > 0, random);
      }
    }
    weight *=
        quiet(horizon == window ? hazard : hazards.between(blocks, now, horizon), hazard, forced);
    if (Double.isInfinite(horizon)) {
      return Event.LIMIT;
    }
    blocks.goTo(horizon);
    if (limit < next) {
      return Event.LIMIT;
    }
    if (back <= next) {
      return back(random);
    }
    if (trace <= next) {
      return traced(random);
    }
    return repairAt <= next ? repair(random) : outage(random);
  }

  /**
   * The weight of a time without a loss: its natural probability over the forced one.
   *
   * @param spent the cumulative hazard of that time
   * @param hazard the cumulative hazard of the time in which a loss was forced
   * @param forced the probability of the forced loss
   */
  private static double quiet(double spent, double hazard, double forced) {
    double natural = -Math.expm1(-hazard);
    if (forced == natural) {
      return 1;
    }
    double later = Math.exp(-spent) * -Math.expm1(-(hazard - spent));
    return Math.exp(-spent) / (1 - forced + forced * later / natural);
  }

  /**
   * Makes a loss of a kind happen now.
   *
   * @return the rate of that kind, in events a second; 0 when there is nothing to lose
   */
  double strike(Event kind, RandomGenerator random) {
    double rate = hazards.rate(blocks, kind);
    if (rate > 0) {
      lose(kind, true, random);
    }
    return rate;
  }

  private Event strike(boolean wide, RandomGenerator random) {
    HazardRates.Draw draw = hazards.drawKind(blocks, wide, random);
    weight *= draw.weight();
    lose(draw.kind(), wide, random);
    return draw.kind();
  }

  private void lose(Event kind, boolean wide, RandomGenerator random) {
    switch (kind) {
      case LATENT -> {
        double scrub = model.failures().latent().scrub();
        int block = hazards.drawOk(blocks, random);
        blocks.damage(block, blocks.now() + random.nextDouble() * scrub);
        dead = !model.patterns().survives(blocks.gone());
        return;
      }
      case NODE -> loseNode(wide, random);
      case RACK -> lose(FailureDomain.RACK, random);
      case SITE -> lose(FailureDomain.SITE, random);
      default -> loseBurst(wide, random);
    }
    afterLoss(random);
  }

  private void lose(FailureDomain domain, RandomGenerator random) {
    int index = hazards.drawLost(blocks, domain, random);
    blocks.replace(domain, index);
    failed += blocks.lose(domain, index);
  }

  private void loseBurst(boolean wide, RandomGenerator random) {
    int[] alive = IntStream.range(0, blocks.count()).filter(b -> !blocks.isLost(b)).toArray();
    BurstHits hits = hazards.hits(alive.length);
    int count = wide ? hits.drawWide(random) : hits.draw(random);
    weight *= wide ? hits.weight(count) : 1;
    for (int i = 0; i < count; i++) {
      int other = i + random.nextInt(alive.length - i);
      int block = alive[other];
      alive[other] = alive[i];
      blocks.lose(block);
    }
    failed += model.failures().bursts().nodes();
  }

  /** Half of the wide draws are proportional to the number of fatal patterns they lead towards. */
  private void loseNode(boolean wide, RandomGenerator random) {
    int[] ways = wide && !model.patterns().isMds() ? ways() : new int[0];
    int all = IntStream.of(ways).sum();
    int block;
    if (all == 0 || random.nextBoolean()) {
      block = hazards.drawLost(blocks, FailureDomain.NODE, random);
    } else {
      int at = random.nextInt(all);
      block = 0;
      while (at >= ways[block]) {
        at -= ways[block++];
      }
    }
    if (all > 0) {
      double natural = hazards.share(blocks, block);
      weight *= natural / (0.5 * natural + 0.5 * ways[block] / all);
    }
    blocks.lose(block);
    failed++;
  }

  /**
   * By block, the number of smallest fatal patterns that contain it and all lost blocks. Where
   * there are none: 1 for each block whose loss is fatal.
   */
  private int[] ways() {
    ErasurePatterns patterns = model.patterns();
    BitSet gone = blocks.gone();
    int[] ways = new int[blocks.count()];
    BitSet more = new BitSet();
    for (BitSet fatal : patterns.smallestFatal()) {
      more.clear();
      more.or(gone);
      more.andNot(fatal);
      if (more.isEmpty()) {
        for (int block = fatal.nextSetBit(0); block >= 0; block = fatal.nextSetBit(block + 1)) {
          ways[block] += blocks.isLost(block) ? 0 : 1;
        }
      }
    }
    if (IntStream.of(ways).sum() == 0 && gone.cardinality() >= patterns.promised()) {
      more.or(gone);
      for (int block = 0; block < blocks.count(); block++) {
        more.set(block);
        ways[block] = !blocks.isLost(block) && !patterns.survives(more) ? 1 : 0;
        more.set(block, gone.get(block));
      }
    }
    return ways;
  }

  private void afterLoss(RandomGenerator random) {
    dead = !model.patterns().survives(blocks.gone());
    if (!dead) {
      planRepair(random);
    }
  }

  private void planRepair(RandomGenerator random) {
    int missing = blocks.missing();
    repairAt =
        missing == 0
            ? Double.POSITIVE_INFINITY
            : blocks.now() + model.wait(missing, Math.max(1, failed), random);
  }

  /** Ends outages, and finds errors by scrubbing. */
  private Event back(RandomGenerator random) {
    if (blocks.comeBack()) {
      planRepair(random);
    } else if (blocks.missing() == 0) {
      repairAt = Double.POSITIVE_INFINITY;
      failed = 0;
    }
    return Event.BACK;
  }

  private Event repair(RandomGenerator random) {
    if (!model.patterns().survives(blocks.unreadable())) {
      // Too few blocks are readable: the repair waits for the next one to come back.
      repairAt = blocks.nextReturn();
      return Event.REPAIRED;
    }
    repairAt = Double.POSITIVE_INFINITY;
    if (model.course().order() == Order.TOGETHER) {
      for (int block = 0; block < blocks.count(); block++) {
        restore(block, random);
      }
    } else {
      restore(blocks.first(), random);
      planRepair(random);
    }
    if (isWhole()) {
      failed = 0;
    }
    return Event.REPAIRED;
  }

  private void restore(int block, RandomGenerator random) {
    boolean byName = !model.failures().trace().events().isEmpty();
    blocks.restore(block, byName ? Moves.TO_ANOTHER_NODE : Moves.IN_PLACE, random);
  }

  private Event outage(RandomGenerator random) {
    FailureDomain domain = hazards.drawOutage(blocks, random);
    int index = hazards.drawHolding(blocks, domain, random);
    double lasts = model.failures().outages().of(domain).lasts();
    takeAway(domain, index, blocks.now() + RandomStreams.exponential(lasts, random), random);
    return Event.OUTAGE;
  }

  private void takeAway(FailureDomain domain, int index, double until, RandomGenerator random) {
    if (blocks.takeAway(domain, index, until)) {
      planRepair(random);
    }
  }

  private Event traced(RandomGenerator random) {
    FailureTrace.Event event = cursor.take();
    FailureDomain domain = event.domain();
    int index = domain == FailureDomain.NODE ? blocks.blockOn(event.index()) : event.index();
    if (event.lost()) {
      failed += blocks.lose(domain, index);
      afterLoss(random);
    } else {
      takeAway(domain, index, event.until(), random);
    }
    return Event.TRACED;
  }
}
