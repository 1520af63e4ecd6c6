package org.braid.plan.helper;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.code.derive.ParityCopies;
import org.braid.plan.cost.Network;

/**
 * Reads each parity from its nearest copy: as copies are the same row of the matrix, one may stand
 * for another in any equation (Geo-MXOR section V-D).
 *
 * @param code a code with copies of parities
 * @param readable blocks that may be read
 * @param roots the nodes that the lost blocks are for
 */
record NearestCopies(
    ParityCopies code,
    IntPredicate readable,
    IntUnaryOperator nodeOfBlock,
    Set<Integer> roots,
    Network network) {
  /** The same equations, with copies at a root's site first, then in its rack. */
  List<Equation> of(List<Equation> equations) {
    Map<Integer, Integer> nearest = new HashMap<>();
    for (Equation equation : equations) {
      for (Term term : equation.terms()) {
        nearest.computeIfAbsent(term.source().block(), this::nearest);
      }
    }
    return equations.stream().map(equation -> reading(equation, nearest)).toList();
  }

  private int nearest(int block) {
    return code.copiesOf(block).stream()
        .filter(copy -> copy == block || readable(copy))
        .min(
            Comparator.<Integer>comparingLong(this::far)
                .thenComparing(copy -> copy != block)
                .thenComparing(copy -> copy))
        .orElse(block);
  }

  private boolean readable(int copy) {
    return readable.test(copy) && nodeOfBlock.applyAsInt(copy) >= 0;
  }

  /** Roots at other sites than a block, then in other racks. */
  private long far(int block) {
    int node = nodeOfBlock.applyAsInt(block);
    long sites = roots.stream().filter(r -> network.siteOf(r) != network.siteOf(node)).count();
    long racks = roots.stream().filter(r -> network.rackOf(r) != network.rackOf(node)).count();
    return (sites << 32) + racks;
  }

  private static Equation reading(Equation equation, Map<Integer, Integer> nearest) {
    return new Equation(
        equation.target(),
        equation.terms().stream()
            .map(
                term -> {
                  SubBlock source = term.source();
                  int block = nearest.getOrDefault(source.block(), source.block());
                  return new Term(new SubBlock(block, source.index()), term.coefficient());
                })
            .toList());
  }
}
