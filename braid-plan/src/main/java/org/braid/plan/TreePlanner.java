package org.braid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;

/**
 * Helpers add up what they have on its way along a tree ({@link Reduction}). All that is wanted
 * goes along one tree, unless a tree for each block moves less, as it does when blocks have few
 * helpers in common.
 */
final class TreePlanner implements RepairPlanner {
  private final String name;
  private final List<Variant> variants;

  /** Makes the tree of some helpers. */
  interface Tree {
    /**
     * One hop from each helper, in an order in which what a node receives comes first.
     *
     * @param helpers in the order of preference
     * @param root the node that the first target is for, no helper
     */
    List<Hop> hops(List<Integer> helpers, int root, Network network);
  }

  /**
   * One of several trees of the same idea; the one that takes least time is taken.
   *
   * @param note what is special about it, for people
   */
  record Variant(String note, Tree tree) {}

  TreePlanner(String name, List<Variant> variants) {
    this.name = name;
    this.variants = List.copyOf(variants);
  }

  /**
   * Partial parallel repair: partial sums meet along a binomial tree that ends at the root, in
   * ceil(log2(k+1)) logical steps for k helper nodes (PPR sections 4.1 and 4.2, figures 2 and 4).
   */
  static TreePlanner ppr() {
    return of("ppr", (helpers, root, network) -> Hop.binomial(helpers));
  }

  /**
   * Repair pipelining: helpers stand in a line, each adds its part to what it receives and sends
   * the sum on; the last one sends to the root. Run slice by slice it takes about the time of
   * copying one block, however many helpers there are ("Repair Pipelining for Erasure-Coded
   * Storage", section 3).
   */
  static TreePlanner chain() {
    return of("chain", (helpers, root, network) -> Hop.chain(helpers));
  }

  private static TreePlanner of(String name, Tree tree) {
    return new TreePlanner(name, List.of(new Variant("", tree)));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Plan plan(
      List<Equation> equations,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network) {
    List<Target> targets = Target.of(equations, nodeOfBlock, rootOfBlock);
    List<Plan> plans = new ArrayList<>();
    for (Variant variant : variants) {
      plans.add(Target.together(targets, groups -> trees(groups, variant, network), network));
    }
    return plans.size() == 1 ? plans.get(0) : PlanTime.fastest(plans, network);
  }

  private Plan trees(List<List<Target>> groups, Variant variant, Network network) {
    Plan.Builder plan = Plan.builder(name).note(variant.note());
    groups.forEach(group -> Target.readAll(group, plan));
    for (List<Target> group : groups) {
      int root = group.get(0).root();
      List<Integer> helpers = Reduction.helpers(group);
      Reduction.add(plan, group, variant.tree().hops(helpers, root, network));
    }
    return plan.build();
  }
}
