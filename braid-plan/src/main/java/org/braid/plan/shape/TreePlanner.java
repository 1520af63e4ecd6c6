package org.braid.plan.shape;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.braid.code.Equation;
import org.braid.plan.Link;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanTime;

/**
 * Repair along a tree: each helper adds its part to what it receives and sends the sum on ({@link
 * Reduction}). All lost blocks go along one tree, unless a tree for each block moves less, as it
 * does when blocks have few helpers in common.
 */
abstract class TreePlanner implements RepairPlanner {
  /**
   * A tree.
   *
   * @param note the variant, for people; empty if there is one only
   * @param edges one from each helper; a node's incoming edges come before its own
   */
  record Tree(String note, List<TreeEdge> edges) {}

  /**
   * The variants of the tree: always the same number, in the same order. The planner takes the
   * fastest.
   *
   * @param helpers in the order of preference
   * @param root the node that the first target is for, no helper
   */
  abstract List<Tree> trees(List<Integer> helpers, int root, Network network);

  @Override
  public final Plan plan(
      List<Equation> equations,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network) {
    List<RepairTarget> targets = RepairTarget.of(equations, nodeOfBlock, rootOfBlock);
    if (targets.size() == 1) {
      return ofOne(targets, network);
    }
    List<List<RepairTarget>> apart = RepairTarget.apart(targets);
    List<Tree> whole = trees(targets, network);
    List<List<Tree>> each = apart.stream().map(group -> trees(group, network)).toList();
    List<Plan> plans = new ArrayList<>();
    Set<List<List<TreeEdge>>> seen = new HashSet<>();
    for (int i = 0; i < whole.size(); i++) {
      int variant = i;
      List<Tree> one = List.of(whole.get(i));
      List<Tree> many = each.stream().map(of -> of.get(variant)).toList();
      // If racks have few helpers, variants are often the same tree.
      if (seen.add(Stream.concat(one.stream(), many.stream()).map(Tree::edges).toList())) {
        Plan together = plan(List.of(targets), one);
        plans.add(
            many.isEmpty()
                ? together
                : RepairTarget.lessTraffic(together, plan(apart, many), network));
      }
    }
    return PlanTime.fastest(plans, network);
  }

  /** The trees are compared by their edges, and only the best one becomes a plan. */
  private Plan ofOne(List<RepairTarget> target, Network network) {
    List<Tree> all = trees(target, network);
    Tree best = fastest(all, target.get(0).root(), network);
    return plan(List.of(target), List.of(best));
  }

  /** The fastest tree; of equally fast ones the one that crosses racks least, then the first. */
  private static Tree fastest(List<Tree> trees, int root, Network network) {
    Tree best = trees.get(0);
    long bestNanos = Long.MAX_VALUE;
    long bestCrossings = Long.MAX_VALUE;
    Set<List<TreeEdge>> seen = new HashSet<>();
    for (Tree tree : trees.size() > 1 ? trees : List.<Tree>of()) {
      if (!seen.add(tree.edges())) {
        continue;
      }
      List<Link> links = tree.edges().stream().map(edge -> edge.link(root)).toList();
      // Rounded, so that equal trees are equal whatever the order of additions.
      long nanos = Math.round(PlanTime.seconds(links, network) * 1e9);
      long crossings =
          links.stream().filter(link -> !network.sameRack(link.from(), link.to())).count();
      if (nanos < bestNanos || (nanos == bestNanos && crossings < bestCrossings)) {
        best = tree;
        bestNanos = nanos;
        bestCrossings = crossings;
      }
    }
    return best;
  }

  private List<Tree> trees(List<RepairTarget> group, Network network) {
    return trees(TreeReduction.helpers(group), group.get(0).root(), network);
  }

  /** The plan of a tree for each group of targets. */
  private Plan plan(List<List<RepairTarget>> groups, List<Tree> along) {
    Plan.Builder plan = Plan.builder(name()).note(along.get(0).note());
    groups.forEach(group -> RepairTarget.readAll(group, plan));
    for (int i = 0; i < groups.size(); i++) {
      TreeReduction.add(plan, groups.get(i), along.get(i).edges());
    }
    return plan.build();
  }
}
