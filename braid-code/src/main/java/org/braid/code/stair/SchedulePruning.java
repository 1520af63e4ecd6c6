package org.braid.code.stair;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.braid.code.Equation;
import org.braid.code.Gf256;
import org.braid.code.Schedule;
import org.braid.code.SubBlock;
import org.braid.code.Term;

/** Removes unneeded steps of a {@link StairSchedule} and numbers the rest as a {@link Schedule}. */
final class SchedulePruning {
  private SchedulePruning() {}

  /**
   * The pruned schedule.
   *
   * @param steps the steps in order
   * @param wanted the cells to compute
   */
  static Schedule schedule(
      String name, CanonicalStripe stripe, List<CellEquation> steps, Set<Integer> wanted) {
    return number(name, stripe, inline(needed(steps, wanted), wanted));
  }

  /** The steps that wanted cells depend on. */
  private static List<CellEquation> needed(List<CellEquation> steps, Set<Integer> wanted) {
    Set<Integer> live = new HashSet<>(wanted);
    List<CellEquation> kept = new ArrayList<>();
    for (int i = steps.size() - 1; i >= 0; i--) {
      if (live.contains(steps.get(i).target())) {
        kept.add(0, steps.get(i));
        live.addAll(steps.get(i).terms().keySet());
      }
    }
    return kept;
  }

  /**
   * Inlines cells that are multiples of one other cell. Cells with more terms stay, even if they
   * are used once: computing them together with others from the same sources costs less than
   * reading the sources again.
   */
  private static List<CellEquation> inline(List<CellEquation> steps, Set<Integer> wanted) {
    List<CellEquation> rest = new ArrayList<>(steps);
    for (int i = 0; i < rest.size(); i++) {
      CellEquation step = rest.get(i);
      if (step.terms().size() == 1 && !wanted.contains(step.target())) {
        rest.remove(i--);
        rest.replaceAll(s -> s.terms().containsKey(step.target()) ? substitute(s, step) : s);
      }
    }
    return rest;
  }

  private static CellEquation substitute(CellEquation user, CellEquation step) {
    Map<Integer, Integer> terms = new TreeMap<>(user.terms());
    int factor = terms.remove(step.target());
    step.terms()
        .forEach(
            (source, coefficient) -> {
              int sum = terms.getOrDefault(source, 0) ^ Gf256.multiply(factor, coefficient);
              if (sum == 0) {
                terms.remove(source);
              } else {
                terms.put(source, sum);
              }
            });
    return new CellEquation(user.target(), terms);
  }

  /** Numbers real cells by their blocks, and scratch cells after them in order of appearance. */
  private static Schedule number(String name, CanonicalStripe stripe, List<CellEquation> steps) {
    int[] places = new int[stripe.rows() * stripe.columns()];
    int next = stripe.settings().n() * stripe.settings().r();
    for (int block = 0; block < next; block++) {
      places[stripe.cellOf(block)] = block;
    }
    List<Equation> equations = new ArrayList<>();
    for (CellEquation step : steps) {
      List<Term> terms =
          new TreeMap<>(step.terms())
              .entrySet().stream()
                  .map(t -> new Term(new SubBlock(places[t.getKey()], 0), t.getValue()))
                  .toList();
      if (!stripe.isReal(step.target() / stripe.columns(), step.target() % stripe.columns())) {
        places[step.target()] = next++;
      }
      equations.add(new Equation(new SubBlock(places[step.target()], 0), terms));
    }
    return new Schedule(name, equations);
  }
}
