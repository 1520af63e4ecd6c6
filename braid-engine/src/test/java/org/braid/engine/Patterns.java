package org.braid.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.SubBlock;

/** Losses and their equations, for tests of engines. */
public final class Patterns {
  private Patterns() {}

  /** All losses of one block and of two. */
  public static List<List<Integer>> singlesAndDoubles(int n) {
    List<List<Integer>> all = new ArrayList<>();
    for (int a = 0; a < n; a++) {
      all.add(List.of(a));
      for (int b = a + 1; b < n; b++) {
        all.add(List.of(a, b));
      }
    }
    return all;
  }

  /** The equations that repair a loss from all other blocks. */
  public static List<Equation> equations(ErasureCode code, Collection<Integer> lost) {
    List<Integer> left =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    return Solver.solve(code, lost, left)
        .orElseThrow(() -> new AssertionError(code.name() + " cannot repair " + lost));
  }

  /** The equations that repair one block from each set of sub-blocks that its code names. */
  public static List<List<Equation>> partialReads(ErasureCode code, int lost) {
    List<SubBlock> wanted = Solver.subBlocks(code, List.of(lost));
    return code.repairSets(Set.of(lost)).stream()
        .map(set -> Solver.solveSubBlocks(code, wanted, set).orElseThrow())
        .toList();
  }
}
