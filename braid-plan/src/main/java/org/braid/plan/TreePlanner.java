package org.braid.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.braid.code.Equation;

/**
 * Helpers add up what they have on its way along a tree ({@link Reduction}). All that is wanted
 * goes along one tree, unless a tree for each block moves less, as it does when blocks have few
 * helpers in common.
 */
final class TreePlanner implements RepairPlanner {
  private final String name;
  private final Trees trees;

  /** Makes trees of some helpers: always as many, in the same order. */
  @FunctionalInterface
  interface Trees {
    /**
     * Trees of the same idea; the one that takes least time is taken.
     *
     * @param helpers in the order of preference
     * @param root the node that the first target is for, no helper
     */
    List<Tree> of(List<Integer> helpers, int root, Network network);
  }

  /**
   * A tree.
   *
   * @param note what is special about it, for people
   * @param hops one from each helper, in an order in which what a node receives comes first
   */
  record Tree(String note, List<Hop> hops) {}

  TreePlanner(String name, Trees trees) {
    this.name = name;
    this.trees = trees;
  }

  /**
   * Partial parallel repair: partial sums meet along a binomial tree that ends at the root, in
   * ceil(log2(k+1)) logical steps for k helper nodes (PPR sections 4.1 and 4.2, figures 2 and 4).
   */
  static TreePlanner ppr() {
    return of("ppr", Hop::binomial);
  }

  /**
   * Repair pipelining: helpers stand in a line, each adds its part to what it receives and sends
   * the sum on; the last one sends to the root. Run slice by slice it takes about the time of
   * copying one block, however many helpers there are ("Repair Pipelining for Erasure-Coded
   * Storage", section 3).
   */
  static TreePlanner chain() {
    return of("chain", Hop::chain);
  }

  private static TreePlanner of(String name, Function<List<Integer>, List<Hop>> tree) {
    return new TreePlanner(
        name, (helpers, root, network) -> List.of(new Tree("", tree.apply(helpers))));
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
    if (targets.size() == 1) {
      return ofOne(targets, network);
    }
    List<List<Target>> apart = Target.apart(targets);
    List<Tree> whole = trees(targets, network);
    List<List<Tree>> each = apart.stream().map(group -> trees(group, network)).toList();
    List<Plan> plans = new ArrayList<>();
    Set<List<List<Hop>>> seen = new HashSet<>();
    for (int i = 0; i < whole.size(); i++) {
      int variant = i;
      List<Tree> one = List.of(whole.get(i));
      List<Tree> many = each.stream().map(of -> of.get(variant)).toList();
      // Where racks have few helpers, variants are often the same tree.
      if (seen.add(Stream.concat(one.stream(), many.stream()).map(Tree::hops).toList())) {
        Plan together = plan(List.of(targets), one);
        plans.add(
            many.isEmpty() ? together : Target.lessTraffic(together, plan(apart, many), network));
      }
    }
    return PlanTime.fastest(plans, network);
  }

  /** The trees are compared by their hops, and only the best one becomes a plan. */
  private Plan ofOne(List<Target> target, Network network) {
    List<Tree> all = trees(target, network);
    Tree best = all.get(PlanTime.fastest(all, target.get(0).root(), network));
    return plan(List.of(target), List.of(best));
  }

  private List<Tree> trees(List<Target> group, Network network) {
    return trees.of(Reduction.helpers(group), group.get(0).root(), network);
  }

  /** The plan of a tree for each group of targets. */
  private Plan plan(List<List<Target>> groups, List<Tree> along) {
    Plan.Builder plan = Plan.builder(name).note(along.get(0).note());
    groups.forEach(group -> Target.readAll(group, plan));
    for (int i = 0; i < groups.size(); i++) {
      Reduction.add(plan, groups.get(i), along.get(i).hops());
    }
    return plan.build();
  }
}
