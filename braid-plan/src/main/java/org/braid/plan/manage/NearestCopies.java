package org.braid.plan.manage;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.code.Equation;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.code.derive.ParityCopies;
import org.braid.plan.Network;

/**
 * Reads each parity from its nearest copy: as copies are the same row of the matrix, one may stand
 * for another in any equation (Geo-MXOR section V-D).
 */
final class NearestCopies {
  private NearestCopies() {}

  /**
   * The same equations with helpers as near to the destinations as copies allow: at their site
   * first, then in their rack.
   */
  static List<Equation> of(
      LostStripe stripe,
      List<Equation> equations,
      Map<Integer, Integer> destinations,
      Network network) {
    if (!(stripe.code() instanceof ParityCopies code)) {
      return equations;
    }
    Set<Integer> roots = new HashSet<>();
    equations.forEach(e -> roots.add(destinations.getOrDefault(e.target().block(), -1)));
    roots.removeIf(node -> node < 0);
    Map<Integer, Integer> nearest = new HashMap<>();
    for (Equation equation : equations) {
      for (Term term : equation.terms()) {
        int block = term.source().block();
        nearest.computeIfAbsent(
            block,
            unused ->
                code.copiesOf(block).stream()
                    .filter(copy -> copy == block || readable(stripe, copy))
                    .min(
                        Comparator.<Integer>comparingLong(
                                copy -> far(stripe.nodeOf()[copy], roots, network))
                            .thenComparing(copy -> copy != block)
                            .thenComparing(copy -> copy))
                    .orElse(block));
      }
    }
    return equations.stream().map(equation -> reading(equation, nearest)).toList();
  }

  private static boolean readable(LostStripe stripe, int copy) {
    return stripe.alive().contains(copy)
        && stripe.nodeOf()[copy] >= 0
        && !stripe.notes().doubtful().contains(copy);
  }

  /** Destinations at other sites, then in other racks than a node. */
  private static long far(int node, Set<Integer> roots, Network network) {
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
