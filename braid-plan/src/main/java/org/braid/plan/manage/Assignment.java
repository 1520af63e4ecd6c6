package org.braid.plan.manage;

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
import org.braid.plan.RelocationPlanner;
import org.braid.plan.Step;

/** Who repairs a stripe: its helpers, its destinations and the way between them. Immutable. */
public final class Assignment {
  private final LostStripe stripe;
  private final List<Equation> equations;
  private final Map<Integer, Integer> destinations;
  private final List<Plan> plans;
  private final Set<Integer> helpers = new TreeSet<>();
  private final Set<Integer> nodes = new TreeSet<>();

  /**
   * An assignment.
   *
   * @param equations of the lost blocks; none when blocks are only moved
   * @param rebuild the plan that rebuilds the lost blocks; empty when blocks are only moved
   * @param destinations by block that needs a place, the node it goes to
   */
  Assignment(
      LostStripe stripe,
      List<Equation> equations,
      Optional<Plan> rebuild,
      Map<Integer, Integer> destinations) {
    this.stripe = stripe;
    this.equations = List.copyOf(equations);
    this.destinations = Collections.unmodifiableMap(new TreeMap<>(destinations));
    List<Plan> all = new ArrayList<>(rebuild.stream().toList());
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
          helpers.add(read.source().block());
        }
      }
    }
  }

  /** The stripe. */
  public LostStripe stripe() {
    return stripe;
  }

  /** The equations of the lost blocks; none when blocks are only moved. */
  public List<Equation> equations() {
    return equations;
  }

  /** By block that needs a place, ascending, the node it goes to. */
  public Map<Integer, Integer> destinations() {
    return destinations;
  }

  /** The plans to run: the rebuilding first, then a move for each block that stands wrong. */
  public List<Plan> plans() {
    return plans;
  }

  /** The blocks that are read, ascending; those moved among them. */
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
