package org.braid.plan.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.braid.code.Equation;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.RelocationPlanner;

/** The repair of a stripe as scheduled: helpers, destinations and plans. Immutable. */
public final class ScheduledRepair {
  private final LostStripe stripe;
  private final List<Equation> equations;
  private final Map<Integer, Integer> destinations;
  private final List<Plan> plans;
  private final Set<Integer> helpers = new TreeSet<>();
  private final Set<Integer> nodes = new TreeSet<>();

  /**
   * A repair.
   *
   * @param helpers of the lost blocks; empty when blocks are only moved
   * @param destinations by block that needs one, its destination
   */
  ScheduledRepair(
      LostStripe stripe,
      Optional<HelperChoice.Chosen> helpers,
      Map<Integer, Integer> destinations) {
    this.stripe = stripe;
    equations = helpers.map(HelperChoice.Chosen::equations).orElse(List.of());
    this.destinations = Collections.unmodifiableMap(new TreeMap<>(destinations));
    List<Plan> all = new ArrayList<>(helpers.map(HelperChoice.Chosen::plan).stream().toList());
    for (int block : stripe.moved()) {
      Integer to = destinations.get(block);
      if (to != null) {
        all.add(RelocationPlanner.move(block, stripe.code().alpha(), stripe.nodeOf()[block], to));
      }
    }
    plans = List.copyOf(all);
    for (Plan plan : plans) {
      for (Step step : plan.steps()) {
        nodes.add(step.node());
        if (step instanceof Step.Read read) {
          this.helpers.add(read.source().block());
        }
      }
    }
  }

  /** The stripe to repair. */
  public LostStripe stripe() {
    return stripe;
  }

  /** The equations of the lost blocks; none when blocks are only moved. */
  public List<Equation> equations() {
    return equations;
  }

  /** By block that needs a destination, ascending, its destination. */
  public Map<Integer, Integer> destinations() {
    return destinations;
  }

  /** The plans to run: the rebuilding first, then a move for each misplaced block. */
  public List<Plan> plans() {
    return plans;
  }

  /** The blocks that are read, ascending, moved ones included. */
  public Set<Integer> helpers() {
    return Collections.unmodifiableSet(helpers);
  }

  /** The nodes that take part, ascending. */
  public Set<Integer> nodes() {
    return Collections.unmodifiableSet(nodes);
  }

  @Override
  public String toString() {
    return stripe.id() + " from " + helpers + " to " + destinations;
  }
}
