package org.braid.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.code.SubBlock;
import org.jspecify.annotations.Nullable;

/**
 * A DAG of linear combinations over sub-blocks, spread over nodes: topologically ordered steps. It
 * names no bytes, no clock and no cluster; an engine gives it those. Immutable.
 *
 * <p>A plan that exists is well formed: step ids are unique, each value is made before it is used
 * and used only at the node where it is, a send has two different ends, a stored sub-block is
 * stored once and never used again.
 */
public final class Plan {
  private final String shape;
  private final String note;
  private final List<Step> steps;

  /** Computed when first asked for, as most plans are compared and never run. */
  private volatile @Nullable List<Fragment> fragments;

  private Plan(String shape, String note, List<Step> steps) {
    this.shape = shape;
    this.note = note;
    this.steps = List.copyOf(steps);
    Validator validator = new Validator(this.steps.size());
    this.steps.forEach(validator::check);
  }

  /**
   * A plan from its steps.
   *
   * @param shape the name of its shape, for example {@code star}
   * @param steps in an order in which each value is made before it is used
   * @throws IllegalArgumentException when the steps are not well formed
   */
  public static Plan of(String shape, List<Step> steps) {
    return new Plan(shape, "", steps);
  }

  /** Starts an empty plan of a shape. */
  public static Builder builder(String shape) {
    return new Builder(shape);
  }

  /** The name of the plan's shape, for example {@code star}. */
  public String shape() {
    return shape;
  }

  /** The variant of the shape, for people; empty without one. */
  public String note() {
    return note;
  }

  /** The steps in topological order. */
  public List<Step> steps() {
    return steps;
  }

  /**
   * The fragments, one for each node in order of appearance. Every fragment keeps the plan's order.
   * Neighbouring combinations of a node that share inputs are merged into one operation; a
   * combination that changes nothing is omitted.
   */
  public List<Fragment> fragments() {
    List<Fragment> split = fragments;
    if (split == null) {
      split = Fragmenter.split(steps);
      fragments = split;
    }
    return split;
  }

  /**
   * The fragment of a node.
   *
   * @throws IllegalArgumentException when the plan has no step at the node
   */
  public Fragment fragment(int node) {
    for (Fragment fragment : fragments()) {
      if (fragment.node() == node) {
        return fragment;
      }
    }
    throw new IllegalArgumentException(
        "node " + node + " has no part in the " + shape + " plan; nodes: " + nodes());
  }

  /** The nodes of the plan, in order of appearance. */
  public Set<Integer> nodes() {
    Set<Integer> nodes = new LinkedHashSet<>();
    fragments().forEach(fragment -> nodes.add(fragment.node()));
    return nodes;
  }

  /** The sub-blocks that the plan stores, in order. */
  public List<Step.Store> stores() {
    return steps.stream().filter(Step.Store.class::isInstance).map(Step.Store.class::cast).toList();
  }

  @Override
  public String toString() {
    return shape + " " + steps;
  }

  /** Checks each step against the earlier ones. */
  private static final class Validator {
    /** Stands for the node of a step that makes no value. */
    private static final int NO_VALUE = -1;

    private final Map<Integer, Integer> nodeOfValue;
    private final Set<SubBlock> targets = new HashSet<>();

    Validator(int steps) {
      nodeOfValue = new HashMap<>(2 * steps);
    }

    void check(Step step) {
      require(step.node() >= 0, step, "has no node");
      require(!nodeOfValue.containsKey(step.id()), step, "has the id of an earlier step");
      if (step instanceof Step.Combine combine) {
        Set<Integer> seen = new HashSet<>();
        for (Step.Input input : combine.inputs()) {
          at(step, input.value(), combine.node());
          if (!seen.add(input.value())) {
            throw wrong(step, "names value " + input.value() + " twice");
          }
          if (input.coefficient() < 1 || input.coefficient() > 255) {
            throw wrong(step, "has coefficient " + input.coefficient() + ", not one of 1..255");
          }
        }
      } else if (step instanceof Step.Send send) {
        at(step, send.value(), send.from());
        require(send.from() != send.node(), step, "sends to its own node");
      } else if (step instanceof Step.Store store) {
        at(step, store.value(), store.node());
        require(targets.add(store.target()), step, "stores what an earlier step stores");
      }
      nodeOfValue.put(step.id(), step instanceof Step.Store ? NO_VALUE : step.node());
    }

    private void at(Step step, int value, int node) {
      Integer where = nodeOfValue.get(value);
      if (where == null || where == NO_VALUE) {
        throw new IllegalArgumentException(
            step + " uses value " + value + ", which no earlier step makes");
      }
      if (where != node) {
        throw wrong(step, "uses value " + value + " at node " + node + ", but it is at " + where);
      }
    }

    private static void require(boolean condition, Step step, String problem) {
      if (!condition) {
        throw wrong(step, problem);
      }
    }

    private static IllegalArgumentException wrong(Step step, String problem) {
      return new IllegalArgumentException(step + " " + problem);
    }
  }

  /**
   * Collects and numbers steps. Each method except {@link #store} returns the id of the new value.
   */
  public static final class Builder {
    private final String shape;
    private String note = "";
    private final List<Step> steps = new ArrayList<>();
    private final Map<Place, Integer> reads = new HashMap<>();

    private Builder(String shape) {
      this.shape = shape;
    }

    /** Names the variant of the shape. */
    public Builder note(String text) {
      note = text;
      return this;
    }

    /**
     * Reads a sub-block at a node. A second call for the same sub-block returns the first value.
     */
    public int read(int node, SubBlock source) {
      Place place = new Place(node, source);
      Integer known = reads.get(place);
      if (known != null) {
        return known;
      }
      int id = add(new Step.Read(steps.size(), node, source));
      reads.put(place, id);
      return id;
    }

    /** Combines values of a node; without inputs the value is zero. */
    public int combine(int node, List<Step.Input> inputs) {
      return add(new Step.Combine(steps.size(), node, inputs));
    }

    /** Sends a value to another node. */
    public int send(int value, int to) {
      return add(new Step.Send(steps.size(), nodeOf(value), to, value));
    }

    /** Stores a value as a sub-block at the node where it is. */
    public void store(int value, SubBlock target) {
      steps.add(new Step.Store(steps.size(), nodeOf(value), target, value));
    }

    /** The node where a value is. */
    public int nodeOf(int value) {
      // A step's number is its place.
      if (value < 0 || value >= steps.size() || steps.get(value) instanceof Step.Store) {
        throw new IllegalArgumentException("no step makes value " + value);
      }
      return steps.get(value).node();
    }

    /** The plan of the steps so far. */
    public Plan build() {
      return new Plan(shape, note, steps);
    }

    private int add(Step step) {
      steps.add(step);
      return step.id();
    }

    private record Place(int node, SubBlock source) {}
  }
}
