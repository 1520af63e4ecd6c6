package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
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
import org.braid.plan.GroupRepairs;
import org.braid.plan.HelperOrder;
import org.braid.plan.Network;
import org.braid.plan.Plan;
import org.braid.plan.PlanCost;

/**
 * Finds helpers that decode: of a Reed-Solomon code k blocks, of a code with local groups those of
 * the group, of a code with sub-blocks those that need least. What crosses sites counts first, then
 * what crosses racks, what is read, and the weight.
 */
final class Helpers {
  /** For one search; each pattern of losses is searched once. */
  private static final RepairSearch.Effort EFFORT = new RepairSearch.Effort(20_000_000L, 1);

  private final RepairScheduler.Shaping shaping;
  private final Map<Pattern, List<List<Equation>>> searched = new HashMap<>();

  private record Pattern(String code, List<Integer> lost, List<Integer> alive) {}

  Helpers(RepairScheduler.Shaping shaping) {
    this.shaping = shaping;
  }

  /** Whether what is alive determines what is lost. */
  static boolean decodes(LostStripe stripe) {
    return Solver.solve(stripe.code(), stripe.lost(), stripe.alive()).isPresent();
  }

  /**
   * The equations of a stripe's lost blocks, parities read from their nearest copies.
   *
   * @param destinations by lost block, the node it goes to
   * @param weight by block; the higher, the rather it is read
   * @return empty when what is alive does not decode
   */
  Optional<List<Equation>> choose(
      LostStripe stripe, Map<Integer, Integer> destinations, IntToDoubleFunction weight) {
    Set<Integer> nodes = Set.copyOf(destinations.values());
    return choose(
        stripe,
        destinations,
        weight,
        (alive, weightOf) ->
            new ReadOrders(stripe, alive, weightOf).near(nodes, shaping.network()));
  }

  /** The same with helpers taken by weight alone, near or far, where the code leaves a choice. */
  Optional<List<Equation>> chooseByWeight(
      LostStripe stripe, Map<Integer, Integer> destinations, IntToDoubleFunction weight) {
    return choose(
        stripe,
        destinations,
        weight,
        (alive, weightOf) -> Set.of(new ReadOrders(stripe, alive, weightOf).byWeight()));
  }

  private Optional<List<Equation>> choose(
      LostStripe stripe,
      Map<Integer, Integer> destinations,
      IntToDoubleFunction weight,
      BiFunction<List<Integer>, double[], Set<List<Integer>>> orders) {
    double[] weightOf = new double[stripe.code().n()];
    for (int block : stripe.alive()) {
      weightOf[block] = stripe.nodeOf()[block] < 0 ? 0 : weight.applyAsDouble(block);
    }
    Set<Integer> doubtful = stripe.notes().doubtful();
    List<Integer> trusted = stripe.alive().stream().filter(b -> !doubtful.contains(b)).toList();
    Set<List<Equation>> found =
        candidates(stripe, trusted, destinations, orders.apply(trusted, weightOf));
    if (found.isEmpty() && !doubtful.isEmpty()) {
      found =
          candidates(stripe, stripe.alive(), destinations, orders.apply(stripe.alive(), weightOf));
    }
    return found.size() < 2
        ? found.stream().findFirst()
        : Optional.of(best(stripe, destinations, found, weightOf));
  }

  private Set<List<Equation>> candidates(
      LostStripe stripe,
      List<Integer> alive,
      Map<Integer, Integer> destinations,
      Set<List<Integer>> orders) {
    ErasureCode code = stripe.code();
    Set<List<Equation>> found = new LinkedHashSet<>();
    var groups =
        new GroupRepairs(
            code,
            block -> stripe.nodeOf()[block],
            block -> destinations.getOrDefault(block, -1),
            shaping.network());
    for (List<Integer> order : orders) {
      Solver.solve(code, stripe.lost(), LocalFirst.order(code, stripe.lost(), order))
          .ifPresent(found::add);
      if (found.isEmpty()) {
        return found;
      }
      if (!code.groups().isEmpty()) {
        Solver.solve(code, stripe.lost(), order).ifPresent(found::add);
        found.addAll(groups.of(stripe.lost(), order));
      }
    }
    if (code.alpha() > 1) {
      found.addAll(
          searched.computeIfAbsent(
              new Pattern(code.name(), stripe.lost(), alive), unused -> search(stripe, alive)));
    }
    Set<List<Equation>> nearest = new LinkedHashSet<>();
    for (List<Equation> equations : found) {
      nearest.add(NearestCopies.of(stripe, equations, destinations, shaping.network()));
    }
    return nearest;
  }

  private List<Equation> best(
      LostStripe stripe,
      Map<Integer, Integer> destinations,
      Set<List<Equation>> candidates,
      double[] weightOf) {
    record Weighed(
        List<Equation> equations, long doubts, long sites, long racks, int reads, double weight) {}
    Network network = shaping.of(stripe);
    return candidates.stream()
        .map(
            equations -> {
              Plan plan = plan(stripe, equations, destinations);
              Set<SubBlock> reads = reads(equations, stripe.nodeOf());
              return new Weighed(
                  equations,
                  reads.stream()
                      .filter(read -> stripe.notes().doubtful().contains(read.block()))
                      .count(),
                  PlanCost.siteCrossings(plan, network),
                  PlanCost.crossings(plan, network),
                  reads.size(),
                  reads.stream().mapToDouble(read -> weightOf[read.block()]).sum());
            })
        .min(
            Comparator.comparingLong(Weighed::doubts)
                .thenComparingLong(Weighed::sites)
                .thenComparingLong(Weighed::racks)
                .thenComparingInt(Weighed::reads)
                .thenComparingDouble(weighed -> -weighed.weight()))
        .orElseThrow()
        .equations();
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

  /** Who repairs a stripe by these equations. */
  Assignment assign(
      LostStripe stripe, List<Equation> equations, Map<Integer, Integer> destinations) {
    Optional<Plan> plan =
        equations.isEmpty() ? Optional.empty() : Optional.of(plan(stripe, equations, destinations));
    return new Assignment(stripe, equations, plan, destinations);
  }

  private Plan plan(
      LostStripe stripe, List<Equation> equations, Map<Integer, Integer> destinations) {
    int[] nodeOf = stripe.nodeOf();
    return HelperOrder.plan(
        shaping.planner(),
        equations,
        block -> nodeOf[block],
        block -> destinations.getOrDefault(block, -1),
        shaping.of(stripe));
  }
}
