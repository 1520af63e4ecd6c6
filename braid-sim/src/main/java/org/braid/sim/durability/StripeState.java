package org.braid.sim.durability;

import java.util.BitSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.sim.durability.Faults.Outage;
import org.braid.sim.durability.RepairSettings.Order;
import org.braid.sim.durability.StripeBlocks.Moves;
import org.braid.sim.failure.Lifetime;
import org.braid.sim.failure.Trace;

/**
 * The life of one stripe, and how it goes on. Not thread-safe.
 *
 * <p>What loses blocks has a hazard that depends on ages only. So the next loss can be forced to
 * come before whatever is scheduled: with probability q instead of p, and with the weight p/q, or
 * (1-p)/(1-q) when it does not come (failure biasing). A lost node, rack or site is replaced by a
 * new one, and rebuilt blocks are in the place of the lost ones.
 */
final class StripeState {
  /** What happened. */
  enum Event {
    /** Nothing up to the limit. */
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

    /** Whether a stripe may never see it, so that it has to be looked for. */
    boolean isRare() {
      return this == RACK || this == SITE || this == BURST;
    }
  }

  private final StripeModel model;
  private final Hazards hazards;
  private final StripeBlocks blocks;
  private final TraceCursor cursor;
  private double failed;
  private double repairAt = Double.POSITIVE_INFINITY;
  private double weight = 1;
  private boolean dead;

  private StripeState(StripeModel model, Hazards hazards, StripeBlocks blocks) {
    this.model = model;
    this.hazards = hazards;
    this.blocks = blocks;
    this.cursor = new TraceCursor(model.faults().trace());
  }

  /** A whole stripe in a random place at time 0. */
  static StripeState fresh(StripeModel model, Hazards hazards, RandomGenerator random) {
    StripeBlocks blocks =
        StripeBlocks.on(model.cluster().topology(), model.cluster().place(random));
    StripeState fresh = new StripeState(model, hazards, blocks);
    fresh.renew(random);
    return fresh;
  }

  /** The same moment, to go on in another way. */
  StripeState copy() {
    StripeState copy = new StripeState(model, hazards, blocks.copy());
    copy.failed = failed;
    copy.repairAt = repairAt;
    copy.weight = weight;
    copy.dead = dead;
    copy.cursor.goTo(cursor);
    return copy;
  }

  /** Makes the stripe whole, on nodes of random age. */
  void renew(RandomGenerator random) {
    Faults faults = model.faults();
    Lifetime[] lives = {faults.node(), faults.rack(), faults.site()};
    blocks.renew(lives, random);
    dead = false;
    failed = 0;
    repairAt = Double.POSITIVE_INFINITY;
  }

  double now() {
    return blocks.now();
  }

  /** Losses of a kind a second, as things are now. */
  double rate(Event kind) {
    return hazards.rate(blocks, kind);
  }

  /** What the forced course is worth. */
  double weight() {
    return weight;
  }

  /** Whether data is lost. */
  boolean isDead() {
    return dead;
  }

  /** Data blocks that are lost. */
  int lostData() {
    return model.patterns().lostData(blocks.gone());
  }

  /** Whether every block is there. */
  boolean isWhole() {
    return blocks.isWhole();
  }

  /**
   * Goes on to the next event.
   *
   * @param limit no further than this time
   * @param force the least probability with which the next event is a loss; 0 for the natural one
   */
  Event advance(double limit, double force, RandomGenerator random) {
    double now = blocks.now();
    double back = blocks.nextBack();
    double trace = cursor.next(now, Math.min(limit, Math.min(repairAt, back)), blocks::isTouchedBy);
    double outage = now + hazards.untilOutage(blocks, random);
    double next = Math.min(Math.min(repairAt, back), Math.min(trace, outage));
    double horizon = Math.min(limit, next);
    // Outages do not change what is lost next: the force is spread up to the end of the repair.
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
   * What it is worth that nothing is lost for a while: its probability over the forced one.
   *
   * @param spent the hazard of that while
   * @param hazard that of the time up to which a loss was forced
   * @param forced the probability with which it was
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
   * Loses something now, of a kind, and counts it with the rate of that kind.
   *
   * @return the rate, in events a second; 0 when there is nothing of that kind to lose
   */
  double strike(Event kind, RandomGenerator random) {
    double rate = hazards.rate(blocks, kind);
    if (rate > 0) {
      lose(kind, true, random);
    }
    return rate;
  }

  private Event strike(boolean wide, RandomGenerator random) {
    Hazards.Choice choice = hazards.choose(blocks, wide, random);
    weight *= choice.weight();
    lose(choice.kind(), wide, random);
    return choice.kind();
  }

  private void lose(Event kind, boolean wide, RandomGenerator random) {
    if (kind == Event.LATENT) {
      int block = hazards.pickOk(blocks, random);
      double scrub = random.nextDouble() * model.faults().latent().scrub();
      blocks.damage(block, blocks.now() + scrub);
      dead = !model.patterns().survives(blocks.gone());
      return;
    }
    if (kind == Event.NODE) {
      loseNode(wide, random);
    } else if (kind == Event.RACK) {
      int rack = hazards.pick(blocks, Hazards.RACKS, random);
      blocks.replace(Hazards.RACKS, rack);
      failed += blocks.loseRack(rack);
    } else if (kind == Event.SITE) {
      int site = hazards.pick(blocks, Hazards.SITES, random);
      blocks.replace(Hazards.SITES, site);
      failed += blocks.loseSite(site);
    } else {
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
      failed += model.faults().bursts().nodes();
    }
    afterLoss(random);
  }

  /** Half of the wide draws are of blocks in proportion to the fatal patterns that they lead to. */
  private void loseNode(boolean wide, RandomGenerator random) {
    int[] ways = wide && !model.patterns().isMds() ? ways() : new int[0];
    int all = IntStream.of(ways).sum();
    int block;
    if (all == 0 || random.nextBoolean()) {
      block = hazards.pick(blocks, Hazards.NODES, random);
    } else {
      int at = random.nextInt(all);
      block = 0;
      while (at >= ways[block]) {
        at -= ways[block++];
      }
    }
    if (all > 0) {
      double natural = hazards.part(blocks, block);
      weight *= natural / (0.5 * natural + 0.5 * ways[block] / all);
    }
    blocks.lose(block);
    failed++;
  }

  /** By block, the smallest fatal patterns with it and all that is lost; else, if it is fatal. */
  private int[] ways() {
    Patterns patterns = model.patterns();
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

  /** Blocks whose outage is over, or whose error is found by the scrubber. */
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
      // Too few can be read: it goes on when one is back.
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
    boolean byName = !model.faults().trace().events().isEmpty();
    blocks.restore(block, byName ? Moves.TO_ANOTHER_NODE : Moves.IN_PLACE, random);
  }

  private Event outage(RandomGenerator random) {
    Faults.Outages outages = model.faults().outages();
    int kind = hazards.pickOutage(blocks, random);
    Outage outage =
        kind == Hazards.NODES
            ? outages.node()
            : kind == Hazards.RACKS ? outages.rack() : outages.site();
    int which = hazards.pickAlive(blocks, kind, random);
    double until = blocks.now() - Math.log1p(-random.nextDouble()) * outage.lasts();
    takeAway(kind, which, until, random);
    return Event.OUTAGE;
  }

  private void takeAway(int kind, int which, double until, RandomGenerator random) {
    if (blocks.takeAway(kind, which, until)) {
      planRepair(random);
    }
  }

  private Event traced(RandomGenerator random) {
    Trace.Event event = cursor.take();
    int kind =
        switch (event.kind()) {
          case NODE -> Hazards.NODES;
          case RACK -> Hazards.RACKS;
          case SITE -> Hazards.SITES;
        };
    if (!event.lost()) {
      int which = kind == Hazards.NODES ? blocks.blockOn(event.index()) : event.index();
      takeAway(kind, which, event.until(), random);
      return Event.TRACED;
    }
    switch (event.kind()) {
      case NODE -> {
        blocks.lose(blocks.blockOn(event.index()));
        failed++;
      }
      case RACK -> failed += blocks.loseRack(event.index());
      case SITE -> failed += blocks.loseSite(event.index());
    }
    afterLoss(random);
    return Event.TRACED;
  }
}
