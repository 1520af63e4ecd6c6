package org.braid.code.derive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Promises.Combinations;
import org.braid.code.Solver;
import org.braid.code.derive.SpareSearch.Spare;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SpareSearchTest {
  /** The answer by its definition: every pattern of every size, each decided by the solver. */
  private static int byForce(ErasureCode code, List<Integer> lost, int limit) {
    if (!Solver.decodable(code, lost)) {
      return -1;
    }
    List<Integer> left =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    for (int more = 1; more <= Math.min(limit, left.size()); more++) {
      boolean[] good = {true};
      new Combinations(left.size(), more)
          .each(
              places -> {
                List<Integer> all = new ArrayList<>(lost);
                places.forEach(i -> all.add(left.get(i)));
                good[0] = Solver.decodable(code, all);
                return good[0];
              });
      if (!good[0]) {
        return more - 1;
      }
    }
    return limit;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rs-4-3",
        "rep-4",
        "lrc-6-2-2",
        "mxor-6-5",
        "xorbas-6-4-3",
        "hitchhiker-xor-4-2",
        "rstair-n4-r3-m1-e1-l1"
      })
  void asTryingEverythingSays(String name) {
    ErasureCode code = Codes.named(name);
    Random random = Seeds.random(SpareSearchTest.class);
    for (int round = 0; round < 60; round++) {
      int count = random.nextInt(code.m() + 2);
      List<Integer> lost = new Combinations(code.n(), count).sample(random);
      for (int limit : new int[] {1, Tolerance.counted(code), code.m()}) {
        assertEquals(
            byForce(code, lost, limit), Tolerance.spare(code, lost, limit), name + " " + lost);
      }
    }
  }

  /** All patterns of nine more of 29 blocks are ten million; none is tried. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-20-10", "rs-200-55"})
  void codesThatSurviveAsMuchAsAnyNeedNoSearch(String name) {
    ErasureCode code = Codes.named(name);
    for (int lost = 0; lost <= code.m(); lost++) {
      List<Integer> first = IntStream.range(0, lost).boxed().toList();
      assertEquals(
          new Spare(code.m() - lost, true, 0),
          SpareSearch.find(code, first, code.m(), Tolerance.SPARE_WORK));
    }
    List<Integer> all = IntStream.rangeClosed(0, code.m()).boxed().toList();
    assertEquals(-1, Tolerance.spare(code, all, code.m()));
  }

  @Test
  void theSearchEndsWithTheBudgetAndSaysWhatIsProven() {
    ErasureCode code = Codes.named("lrc-48-4-6");
    int counted = Tolerance.counted(code);
    // One loss in each group leaves more than what any seven losses would.
    List<Integer> lost = List.of(0, 12, 24, 36);
    long budget = 3_000_000;
    Spare spare = SpareSearch.find(code, lost, counted, budget);
    assertEquals(false, spare.exact());
    assertTrue(spare.blocks() >= counted - lost.size(), spare::toString);
    assertTrue(spare.blocks() < counted, spare::toString);
    // It looks at the budget before every step, and none takes a hundredth.
    assertTrue(spare.work() > budget && spare.work() < budget * 1.01, spare::toString);
    Spare more = SpareSearch.find(code, lost, counted, 10 * budget);
    assertTrue(more.blocks() >= spare.blocks(), more + " after " + spare);
  }
}
