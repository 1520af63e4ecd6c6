package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.LocalFirst;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.code.derive.Aim;
import org.braid.code.derive.NotRepairableException;
import org.braid.code.derive.RepairSearch;
import org.braid.plan.HelperOrder;
import org.braid.plan.Plan;

/**
 * Finds helpers that decode, by weight: of a Reed-Solomon code the best k; of a code with local
 * groups those of the group; of a code with sub-blocks those that need least. What is read least
 * counts first, then the weight.
 */
final class Helpers {
  /** For one search; each pattern of losses is searched once. */
  private static final RepairSearch.Effort EFFORT = new RepairSearch.Effort(20_000_000L, 1);

  /** More than any weight. */
  private static final double DOUBT = 1e12;

  private final RepairScheduler.Shaping shaping;
  private final Map<Pattern, List<List<Equation>>> searched = new HashMap<>();

  private record Pattern(String code, List<Integer> lost, List<Integer> alive) {}

  Helpers(RepairScheduler.Shaping shaping) {
    this.shaping = shaping;
  }

  /**
   * The equations of a stripe's lost blocks.
   *
   * @param weight by block; the higher, the rather it is read
   * @return empty when what is alive does not decode
   */
  Optional<List<Equation>> choose(LostStripe stripe, IntToDoubleFunction weight) {
    Set<Integer> doubtful = stripe.notes().doubtful();
    if (!doubtful.isEmpty()) {
      List<Integer> trusted = stripe.alive().stream().filter(b -> !doubtful.contains(b)).toList();
      Optional<List<Equation>> found = choose(stripe, trusted, weight);
      if (found.isPresent()) {
        return found;
      }
    }
    return choose(
        stripe,
        stripe.alive(),
        block -> weight.applyAsDouble(block) - (doubtful.contains(block) ? DOUBT : 0));
  }

  private Optional<List<Equation>> choose(
      LostStripe stripe, List<Integer> alive, IntToDoubleFunction weight) {
    ErasureCode code = stripe.code();
    int[] nodeOf = stripe.nodeOf();
    double[] weightOf = new double[code.n()];
    for (int block : alive) {
      weightOf[block] = nodeOf[block] < 0 ? 0 : weight.applyAsDouble(block);
    }
    // Zeros cost nothing.
    List<Integer> order =
        alive.stream()
            .sorted(
                Comparator.comparingInt((Integer block) -> nodeOf[block] < 0 ? 0 : 1)
                    .thenComparingDouble(block -> -weightOf[block])
                    .thenComparingInt(block -> block))
            .toList();
    List<List<Equation>> candidates = new ArrayList<>();
    Solver.solve(code, stripe.lost(), LocalFirst.order(code, stripe.lost(), order))
        .ifPresent(candidates::add);
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    if (!code.groups().isEmpty()) {
      Solver.solve(code, stripe.lost(), order).ifPresent(candidates::add);
    }
    if (code.alpha() > 1) {
      candidates.addAll(
          searched.computeIfAbsent(
              new Pattern(code.name(), stripe.lost(), alive), unused -> search(stripe, alive)));
    }
    record Weighed(List<Equation> equations, int reads, double weight) {}
    return candidates.stream()
        .map(
            equations -> {
              Set<SubBlock> reads = reads(equations, nodeOf);
              double sum =
                  reads.stream().mapToInt(SubBlock::block).mapToDouble(b -> weightOf[b]).sum();
              return new Weighed(equations, reads.size(), sum);
            })
        .min(
            Comparator.comparingInt(Weighed::reads)
                .thenComparingDouble(weighed -> -weighed.weight()))
        .map(Weighed::equations);
  }

  private static List<List<Equation>> search(LostStripe stripe, List<Integer> alive) {
    ErasureCode code = stripe.code();
    List<List<Equation>> found = new ArrayList<>();
    List<SubBlock> wanted = Solver.subBlocks(code, stripe.lost());
    for (List<SubBlock> set : code.repairSets(Set.copyOf(stripe.lost()))) {
      if (alive.containsAll(set.stream().map(SubBlock::block).toList())) {
        Solver.solveSubBlocks(code, wanted, set).ifPresent(found::add);
      }
    }
    try {
      found.add(RepairSearch.find(code, stripe.lost(), alive, Aim.BYTES, EFFORT).equations());
    } catch (NotRepairableException e) {
      return List.of(); // the caller has found that out already
    }
    return found;
  }

  private static Set<SubBlock> reads(List<Equation> equations, int[] nodeOf) {
    Set<SubBlock> reads = new LinkedHashSet<>();
    for (Equation equation : equations) {
      for (Term term : equation.terms()) {
        if (nodeOf[term.source().block()] >= 0) {
          reads.add(term.source());
        }
      }
    }
    return reads;
  }

  /** Who repairs a stripe by these equations, parities read from their nearest copies. */
  Assignment assign(LostStripe stripe, List<Equation> chosen, Map<Integer, Integer> destinations) {
    if (chosen.isEmpty()) {
      return new Assignment(stripe, chosen, Optional.empty(), destinations);
    }
    List<Equation> equations = NearestCopies.of(stripe, chosen, destinations, shaping.of(stripe));
    int[] nodeOf = stripe.nodeOf();
    Plan plan =
        HelperOrder.plan(
            shaping.planner(),
            equations,
            block -> nodeOf[block],
            block -> destinations.getOrDefault(block, -1),
            shaping.of(stripe));
    return new Assignment(stripe, equations, Optional.of(plan), destinations);
  }
}
