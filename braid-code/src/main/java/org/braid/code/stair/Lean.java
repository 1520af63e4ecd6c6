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

/** Makes a schedule of the steps of a {@link Walk}, without what it need not compute. */
final class Lean {
  private Lean() {}

  /**
   * The schedule of some steps.
   *
   * @param steps in order
   * @param wanted the cells to compute
   */
  static Schedule schedule(String name, Layout layout, List<Step> steps, Set<Integer> wanted) {
    return number(name, layout, inline(needed(steps, wanted), wanted));
  }

  /** Drops the steps that no wanted cell needs. */
  private static List<Step> needed(List<Step> steps, Set<Integer> wanted) {
    Set<Integer> live = new HashSet<>(wanted);
    List<Step> kept = new ArrayList<>();
    for (int i = steps.size() - 1; i >= 0; i--) {
      if (live.contains(steps.get(i).target())) {
        kept.add(0, steps.get(i));
        live.addAll(steps.get(i).terms().keySet());
      }
    }
    return kept;
  }

  /**
   * Puts cells that are mere multiples of others into the steps that use them. Cells with more
   * terms stay, even where a single use would save one: made together with others from the same
   * sources they cost less than sources read again.
   */
  private static List<Step> inline(List<Step> steps, Set<Integer> wanted) {
    List<Step> rest = new ArrayList<>(steps);
    for (int i = 0; i < rest.size(); i++) {
      Step step = rest.get(i);
      if (step.terms().size() == 1 && !wanted.contains(step.target())) {
        rest.remove(i--);
        rest.replaceAll(s -> s.terms().containsKey(step.target()) ? substitute(s, step) : s);
      }
    }
    return rest;
  }

  private static Step substitute(Step user, Step step) {
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
    return new Step(user.target(), terms);
  }

  /** Real cells get the numbers of their blocks, scratch cells those beyond, as they appear. */
  private static Schedule number(String name, Layout layout, List<Step> steps) {
    int[] places = new int[layout.rows() * layout.columns()];
    int next = layout.settings().n() * layout.settings().r();
    for (int block = 0; block < next; block++) {
      places[layout.cellOf(block)] = block;
    }
    List<Equation> equations = new ArrayList<>();
    for (Step step : steps) {
      List<Term> terms =
          new TreeMap<>(step.terms())
              .entrySet().stream()
                  .map(t -> new Term(new SubBlock(places[t.getKey()], 0), t.getValue()))
                  .toList();
      if (!layout.isReal(step.target() / layout.columns(), step.target() % layout.columns())) {
        places[step.target()] = next++;
      }
      equations.add(new Equation(new SubBlock(places[step.target()], 0), terms));
    }
    return new Schedule(name, equations);
  }
}
