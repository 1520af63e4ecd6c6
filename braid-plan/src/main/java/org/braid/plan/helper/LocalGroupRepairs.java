package org.braid.plan.helper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.code.Solver;
import org.braid.plan.cost.Network;

/** Repairs of lost blocks by local groups of the code. */
final class LocalGroupRepairs {
  private final ErasureCode code;
  private final IntUnaryOperator nodeOfBlock;
  private final IntUnaryOperator rootOfBlock;
  private final Network network;

  /**
   * Repairs of a stripe's blocks.
   *
   * @param nodeOfBlock the node that stores a block; negative for a virtual block of zeros
   * @param rootOfBlock the node that a lost block is for
   */
  LocalGroupRepairs(
      ErasureCode code,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network) {
    this.code = code;
    this.nodeOfBlock = nodeOfBlock;
    this.rootOfBlock = rootOfBlock;
    this.network = network;
  }

  /**
   * The repair of each lost block by its nearest group. For a single lost block, also its repair by
   * each other group.
   *
   * @param order blocks that may be read, the preferred ones first
   * @return empty unless every lost block has a group that decodes it
   */
  List<List<Equation>> of(Collection<Integer> lost, List<Integer> order) {
    List<List<Equation>> repairs = new ArrayList<>();
    List<Equation> all = new ArrayList<>();
    for (int block : lost) {
      List<List<Equation>> found = of(block, order);
      if (found.isEmpty()) {
        return List.of();
      }
      if (lost.size() == 1) {
        repairs.addAll(found);
      }
      int root = rootOfBlock.applyAsInt(block);
      found.sort(
          Comparator.<List<Equation>>comparingLong(e -> far(e, network::siteOf, root))
              .thenComparingLong(e -> far(e, network::rackOf, root))
              .thenComparingInt(e -> e.stream().mapToInt(one -> one.terms().size()).sum()));
      all.addAll(found.get(0));
    }
    repairs.add(all);
    return repairs;
  }

  private List<List<Equation>> of(int block, List<Integer> order) {
    List<List<Equation>> found = new ArrayList<>();
    for (LocalGroup group : code.groups()) {
      if (group.blocks().contains(block)) {
        List<Integer> helpers = order.stream().filter(group.blocks()::contains).toList();
        Solver.solve(code, List.of(block), helpers).ifPresent(found::add);
      }
    }
    return found;
  }

  /** The number of terms whose helpers are at another place than the root. */
  private long far(List<Equation> equations, IntUnaryOperator placeOf, int root) {
    return equations.stream()
        .flatMap(equation -> equation.terms().stream())
        .map(term -> nodeOfBlock.applyAsInt(term.source().block()))
        .filter(node -> node >= 0 && placeOf.applyAsInt(node) != placeOf.applyAsInt(root))
        .count();
  }
}
