package org.braid.sim.durability;

import org.braid.sim.failure.Lifetime;
import org.braid.sim.failure.Trace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.sim.durability.Faults.Outage;
import org.braid.sim.durability.RepairSettings.Order;

/**
 * One stripe at a moment of its life, and how it goes on. Not thread-safe.
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

  private static final byte OK = 0;
  private static final byte AWAY = 1;
  private static final byte LATENT = 2;
  private static final byte LOST = 3;

  private final StripeModel model;
  private final Hazards hazards;
  private final int[] nodeOf;
  private final int[] rackOf;
  private final int[] siteOf;
  private final byte[] state;

  /** When a block comes back, is scrubbed, or was lost, by its state. */
  private final double[] when;

  /** By block, when its node was at age 0; by rack and site likewise. */
  private final double[][] born;

  private final BitSet gone;
  private double now;
  private double failed;
  private double repairAt = Double.POSITIVE_INFINITY;
  private double weight = 1;
  private boolean dead;

  private final TraceCursor cursor;

  private StripeState(
      StripeModel model,
      Hazards hazards,
      int[] nodeOf,
      byte[] state,
      double[] when,
      double[][] born) {
    this.model = model;
    this.hazards = hazards;
    this.nodeOf = nodeOf;
    this.state = state;
    this.when = when;
    this.born = born;
    this.gone = new BitSet(nodeOf.length);
    this.cursor = new TraceCursor(model.faults().trace());
    Topology topology = model.cluster().topology();
    rackOf = Arrays.stream(nodeOf).map(topology::rackOf).toArray();
    siteOf = Arrays.stream(nodeOf).map(topology::siteOf).toArray();
  }

  /** A whole stripe in a random place at time 0. */
  static StripeState fresh(StripeModel model, Hazards hazards, RandomGenerator random) {
    Topology topology = model.cluster().topology();
    int[] nodes = model.cluster().place(random);
    double[][] born = {
      new double[nodes.length], new double[topology.racks()], new double[topology.sites()]
    };
    StripeState fresh =
        new StripeState(
            model, hazards, nodes, new byte[nodes.length], new double[nodes.length], born);
    fresh.renew(random);
    return fresh;
  }

  /** The same moment, to go on in another way. */
  StripeState copy() {
    double[][] births = Arrays.stream(born).map(double[]::clone).toArray(double[][]::new);
    StripeState copy =
        new StripeState(model, hazards, nodeOf.clone(), state.clone(), when.clone(), births);
    copy.gone.or(gone);
    copy.now = now;
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
    for (int kind = 0; kind < born.length; kind++) {
      for (int i = 0; i < born[kind].length; i++) {
        born[kind][i] = now - lives[kind].age(random);
      }
    }
    Arrays.fill(state, OK);
    gone.clear();
    dead = false;
    failed = 0;
    repairAt = Double.POSITIVE_INFINITY;
  }

  double now() {
    return now;
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
    return model.patterns().lostData(gone);
  }

  /** Whether every block is there. */
  boolean isWhole() {
    for (byte block : state) {
      if (block != OK) {
        return false;
      }
    }
    return true;
  }

  boolean isOk(int block) {
    return state[block] == OK;
  }

  boolean isLost(int block) {
    return state[block] == LOST;
  }

  int blocks() {
    return state.length;
  }

  int rack(int block) {
    return rackOf[block];
  }

  int site(int block) {
    return siteOf[block];
  }

  /** When something was at age 0: kind 0 is a block's node, 1 a rack, 2 a site. */
  double born(int kind, int index) {
    return born[kind][index];
  }

  /**
   * Goes on to the next event.
   *
   * @param limit no further than this time
   * @param force the least probability with which the next event is a loss; 0 for the natural one
   */
  Event advance(double limit, double force, RandomGenerator random) {
    double back = nextBack();
    double trace = cursor.next(now, Math.min(limit, Math.min(repairAt, back)), this::touches);
    double outage = now + hazards.untilOutage(this, random);
    double next = Math.min(Math.min(repairAt, back), Math.min(trace, outage));
    double horizon = Math.min(limit, next);
    // Outages do not change what is lost next: the force is spread up to the end of the repair.
    double window = force > 0 && repairAt < limit ? Math.max(horizon, repairAt) : horizon;
    double hazard = hazards.between(this, now, window);
    double natural = -Math.expm1(-hazard);
    double forced = hazard > 0 ? Math.max(natural, force) : 0;
    if (random.nextDouble() < forced) {
      double spent = -Math.log1p(-random.nextDouble() * natural);
      double at = hazards.reach(this, now, window, spent);
      if (at <= horizon) {
        weight *= natural / forced;
        now = at;
        return strike(force > 0, random);
      }
    }
    weight *=
        quiet(horizon == window ? hazard : hazards.between(this, now, horizon), hazard, forced);
    if (Double.isInfinite(horizon)) {
      return Event.LIMIT;
    }
    now = horizon;
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
    double rate = hazards.rate(this, kind);
    if (rate > 0) {
      lose(kind, true, random);
    }
    return rate;
  }

  private Event strike(boolean wide, RandomGenerator random) {
    Hazards.Choice choice = hazards.choose(this, wide, random);
    weight *= choice.weight();
    lose(choice.kind(), wide, random);
    return choice.kind();
  }

  private void lose(Event kind, boolean wide, RandomGenerator random) {
    Topology topology = model.cluster().topology();
    if (kind == Event.LATENT) {
      int block = hazards.pickOk(this, random);
      state[block] = LATENT;
      when[block] = now + random.nextDouble() * model.faults().latent().scrub();
      gone.set(block);
      dead = !model.patterns().survives(gone);
      return;
    }
    if (kind == Event.NODE) {
      loseNode(wide, random);
    } else if (kind == Event.RACK) {
      int rack = hazards.pick(this, Hazards.RACKS, random);
      born[Hazards.RACKS][rack] = now;
      loseRack(rack);
    } else if (kind == Event.SITE) {
      int site = hazards.pick(this, Hazards.SITES, random);
      born[Hazards.SITES][site] = now;
      loseSite(site, topology);
    } else {
      int[] alive = IntStream.range(0, state.length).filter(b -> state[b] != LOST).toArray();
      BurstHits hits = hazards.hits(alive.length);
      int count = wide ? hits.drawWide(random) : hits.draw(random);
      weight *= wide ? hits.weight(count) : 1;
      for (int i = 0; i < count; i++) {
        int other = i + random.nextInt(alive.length - i);
        int block = alive[other];
        alive[other] = alive[i];
        lose(block);
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
      block = hazards.pick(this, Hazards.NODES, random);
    } else {
      int at = random.nextInt(all);
      block = 0;
      while (at >= ways[block]) {
        at -= ways[block++];
      }
    }
    if (all > 0) {
      double natural = hazards.part(this, block);
      weight *= natural / (0.5 * natural + 0.5 * ways[block] / all);
    }
    lose(block);
    failed++;
  }

  /** By block, the smallest fatal patterns with it and all that is lost; else, if it is fatal. */
  private int[] ways() {
    Patterns patterns = model.patterns();
    int[] ways = new int[state.length];
    BitSet more = new BitSet();
    for (BitSet fatal : patterns.smallestFatal()) {
      more.clear();
      more.or(gone);
      more.andNot(fatal);
      if (more.isEmpty()) {
        for (int block = fatal.nextSetBit(0); block >= 0; block = fatal.nextSetBit(block + 1)) {
          ways[block] += state[block] == LOST ? 0 : 1;
        }
      }
    }
    if (IntStream.of(ways).sum() == 0 && gone.cardinality() >= patterns.promised()) {
      more.or(gone);
      for (int block = 0; block < state.length; block++) {
        more.set(block);
        ways[block] = state[block] != LOST && !patterns.survives(more) ? 1 : 0;
        more.set(block, gone.get(block));
      }
    }
    return ways;
  }

  private void loseRack(int rack) {
    for (int block = 0; block < state.length; block++) {
      if (rackOf[block] == rack && state[block] != LOST) {
        lose(block);
      }
    }
    failed += model.cluster().topology().nodesIn(rack).size();
  }

  private void loseSite(int site, Topology topology) {
    for (int rack = 0; rack < topology.racks(); rack++) {
      if (topology.siteOfRack(rack) == site) {
        loseRack(rack);
      }
    }
  }

  private void lose(int block) {
    state[block] = LOST;
    when[block] = now;
    gone.set(block);
  }

  private void afterLoss(RandomGenerator random) {
    dead = !model.patterns().survives(gone);
    if (!dead) {
      planRepair(random);
    }
  }

  private void planRepair(RandomGenerator random) {
    int missing = 0;
    for (byte block : state) {
      missing += block == LOST || block == AWAY ? 1 : 0;
    }
    repairAt =
        missing == 0
            ? Double.POSITIVE_INFINITY
            : now + model.wait(missing, Math.max(1, failed), random);
  }

  private double nextBack() {
    double next = Double.POSITIVE_INFINITY;
    for (int block = 0; block < state.length; block++) {
      if (state[block] == AWAY || state[block] == LATENT) {
        next = Math.min(next, when[block]);
      }
    }
    return next;
  }

  /** Blocks whose outage is over, or whose error is found by the scrubber. */
  private Event back(RandomGenerator random) {
    boolean found = false;
    boolean missing = false;
    for (int block = 0; block < state.length; block++) {
      if (state[block] == AWAY && when[block] <= now) {
        state[block] = OK;
      } else if (state[block] == LATENT && when[block] <= now) {
        lose(block);
        found = true;
      }
      missing |= state[block] == LOST || state[block] == AWAY;
    }
    if (found) {
      planRepair(random);
    } else if (!missing) {
      repairAt = Double.POSITIVE_INFINITY;
      failed = 0;
    }
    return Event.BACK;
  }

  private Event repair(RandomGenerator random) {
    BitSet unread = (BitSet) gone.clone();
    double back = Double.POSITIVE_INFINITY;
    for (int block = 0; block < state.length; block++) {
      if (state[block] == AWAY) {
        unread.set(block);
        back = Math.min(back, when[block]);
      }
    }
    if (!model.patterns().survives(unread)) {
      // Too few can be read: it goes on when one is back.
      repairAt = back;
      return Event.REPAIRED;
    }
    repairAt = Double.POSITIVE_INFINITY;
    if (model.course().order() == Order.TOGETHER) {
      for (int block = 0; block < state.length; block++) {
        restore(block, random);
      }
    } else {
      restore(first(), random);
      planRepair(random);
    }
    if (isWhole()) {
      failed = 0;
    }
    return Event.REPAIRED;
  }

  /** The block that was lost first; one that is away when none is lost. */
  private int first() {
    int first = -1;
    for (int block = 0; block < state.length; block++) {
      boolean better = first < 0 || state[block] > state[first];
      if (state[block] != OK
          && (better || (state[block] == state[first] && when[block] < when[first]))) {
        first = block;
      }
    }
    return first;
  }

  private void restore(int block, RandomGenerator random) {
    if (state[block] == OK) {
      return;
    }
    if (state[block] != LATENT) {
      born[Hazards.NODES][block] = now;
      if (!model.faults().trace().events().isEmpty()) {
        nodeOf[block] = otherNode(block, random);
      }
    }
    state[block] = OK;
    gone.clear(block);
  }

  /** A node of the block's rack without a block of the stripe; its own when there is none. */
  private int otherNode(int block, RandomGenerator random) {
    int[] free =
        model.cluster().topology().nodesIn(rackOf[block]).stream()
            .mapToInt(Integer::intValue)
            .filter(node -> Arrays.stream(nodeOf).noneMatch(other -> other == node))
            .toArray();
    return free.length == 0 ? nodeOf[block] : free[random.nextInt(free.length)];
  }

  private Event outage(RandomGenerator random) {
    Faults.Outages outages = model.faults().outages();
    int kind = hazards.pickOutage(this, random);
    Outage outage =
        kind == Hazards.NODES
            ? outages.node()
            : kind == Hazards.RACKS ? outages.rack() : outages.site();
    int which = hazards.pickAlive(this, kind, random);
    double until = now - Math.log1p(-random.nextDouble()) * outage.lasts();
    takeAway(kind, which, until, random);
    return Event.OUTAGE;
  }

  private void takeAway(int kind, int which, double until, RandomGenerator random) {
    boolean any = false;
    for (int block = 0; block < state.length; block++) {
      int place =
          kind == Hazards.NODES ? block : kind == Hazards.RACKS ? rackOf[block] : siteOf[block];
      if (place == which && (state[block] == OK || state[block] == AWAY)) {
        when[block] = state[block] == AWAY ? Math.max(when[block], until) : until;
        state[block] = AWAY;
        any = true;
      }
    }
    if (any) {
      planRepair(random);
    }
  }

  private boolean touches(Trace.Event event) {
    int[] places =
        switch (event.kind()) {
          case NODE -> nodeOf;
          case RACK -> rackOf;
          case SITE -> siteOf;
        };
    for (int block = 0; block < places.length; block++) {
      if (places[block] == event.index() && state[block] != LOST) {
        return true;
      }
    }
    return false;
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
      int which = kind == Hazards.NODES ? blockOn(event.index()) : event.index();
      takeAway(kind, which, event.until(), random);
      return Event.TRACED;
    }
    switch (event.kind()) {
      case NODE -> {
        lose(blockOn(event.index()));
        failed++;
      }
      case RACK -> loseRack(event.index());
      case SITE -> loseSite(event.index(), model.cluster().topology());
    }
    afterLoss(random);
    return Event.TRACED;
  }

  private int blockOn(int node) {
    int block = 0;
    while (nodeOf[block] != node) {
      block++;
    }
    return block;
  }
}
