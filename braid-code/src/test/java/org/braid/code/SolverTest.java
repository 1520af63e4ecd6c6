package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SolverTest {
  private static ErasureCode rs(int k, int m) {
    return new ReedSolomon(new RsSettings(k, m));
  }

  /** Compares one erasure pattern with the rank and with the generator's rows. */
  private static void check(ErasureCode code, List<Integer> lost) {
    List<Integer> left = TestCodes.without(code, lost);
    boolean expected = TestCodes.rank(code, left) == code.k() * code.alpha();
    assertEquals(expected, Solver.decodable(code, lost), () -> code.name() + " without " + lost);
    Optional<List<Equation>> solved = Solver.solve(code, lost, left);
    assertEquals(expected, solved.isPresent(), () -> code.name() + " without " + lost);
    solved.ifPresent(equations -> checkEquations(code, lost, left, equations));
  }

  private static void checkEquations(
      ErasureCode code, List<Integer> lost, List<Integer> left, List<Equation> equations) {
    assertEquals(lost.size() * code.alpha(), equations.size());
    for (int i = 0; i < equations.size(); i++) {
      Equation equation = equations.get(i);
      assertEquals(new SubBlock(lost.get(i / code.alpha()), i % code.alpha()), equation.target());
      assertTrue(HandMade.holds(code, equation), equation::toString);
      int before = -1;
      for (Term term : equation.terms()) {
        int place = left.indexOf(term.source().block()) * code.alpha() + term.source().index();
        assertTrue(place > before, () -> "sources not in the order given: " + equation);
        assertTrue(term.coefficient() > 0 && term.coefficient() < 256, equation::toString);
        before = place;
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,4", "2,1", "3,2", "4,4", "6,3", "6,4", "8,2", "9,1"})
  void everyErasurePatternOfShortReedSolomon(int k, int m) {
    ErasureCode code = rs(k, m);
    TestCodes.subsets(
        code.n(),
        lost -> {
          check(code, lost);
          assertEquals(lost.size() <= m, Solver.decodable(code, lost), lost::toString);
        });
  }

  @ParameterizedTest
  @CsvSource({"10,4,300", "12,4,300", "200,55,4"})
  void sampledErasurePatternsOfLongReedSolomon(int k, int m, int samples) {
    Random random = Seeds.random(SolverTest.class);
    ErasureCode code = rs(k, m);
    for (int i = 0; i < samples; i++) {
      check(code, TestCodes.subset(random, code.n(), random.nextInt(m + 1)));
    }
    check(code, TestCodes.subset(random, code.n(), m));
    check(code, TestCodes.subset(random, code.n(), m + 1));
  }

  @Test
  void reedSolomonReadsTheFirstKBlocksInTheOrderGiven() {
    ErasureCode code = rs(6, 3);
    List<Integer> order = List.of(8, 1, 7, 2, 3, 5, 4, 6);
    Equation equation = Solver.solve(code, List.of(0), order).orElseThrow().get(0);
    assertEquals(
        order.subList(0, 6), equation.terms().stream().map(t -> t.source().block()).toList());
  }

  @Test
  void aParityFromAllDataIsItsGeneratorRow() {
    ErasureCode code = rs(3, 2);
    Equation equation = Solver.solve(code, List.of(4), List.of(0, 1, 2)).orElseThrow().get(0);
    for (int c = 0; c < 3; c++) {
      Term expected = new Term(new SubBlock(c, 0), code.generator().at(4, c));
      assertEquals(expected, equation.terms().get(c));
    }
  }

  @Test
  void everyErasurePatternOfACodeWithLocalGroups() {
    ErasureCode code = HandMade.twoXorGroups();
    TestCodes.subsets(code.n(), lost -> check(code, lost));
    assertTrue(Solver.decodable(code, List.of(0, 2)));
    assertEquals(false, Solver.decodable(code, List.of(0, 1)));
    assertEquals(false, Solver.decodable(code, List.of(2, 5)));
    assertEquals(Optional.empty(), Solver.solve(code, List.of(0, 1), List.of(2, 3, 4, 5)));
  }

  @Test
  void aLocalGroupIsReadAloneWhateverElseIsAvailable() {
    Equation equation =
        Solver.solve(HandMade.twoXorGroups(), List.of(3), List.of(0, 1, 2, 4, 5))
            .orElseThrow()
            .get(0);
    assertEquals(
        List.of(new Term(new SubBlock(2, 0), 1), new Term(new SubBlock(5, 0), 1)),
        equation.terms());
  }

  @Test
  void oneWantedBlockMaySolveWhereTheStripeDoesNot() {
    ErasureCode code = HandMade.twoXorGroups();
    assertEquals(false, Solver.decodable(code, List.of(0, 1, 2)));
    assertTrue(Solver.solve(code, List.of(2), List.of(3, 4, 5)).isPresent());
  }

  @Test
  void everyErasurePatternOfACodeWithTwoSubBlocks() {
    ErasureCode code = HandMade.coupled();
    TestCodes.subsets(code.n(), lost -> check(code, lost));
    assertTrue(Solver.decodable(code, List.of(0, 1)));
  }

  @Test
  void singleSubBlocksSolveOverSingleSubBlocks() {
    ErasureCode code = HandMade.coupled();
    SubBlock wanted = new SubBlock(0, 1);
    List<SubBlock> read = List.of(new SubBlock(1, 1), new SubBlock(2, 1));
    Equation equation = Solver.solveSubBlocks(code, List.of(wanted), read).orElseThrow().get(0);
    assertEquals(
        new Equation(wanted, List.of(new Term(read.get(0), 1), new Term(read.get(1), 1))),
        equation);
    assertEquals(Optional.empty(), Solver.solveSubBlocks(code, List.of(new SubBlock(0, 0)), read));
  }

  @Test
  void anAvailableBlockMayBeWantedAndSourcesMayRepeat() {
    ErasureCode code = rs(3, 2);
    List<Equation> equations =
        Solver.solve(code, List.of(1, 0), List.of(1, 1, 2, 2, 3, 4)).orElseThrow();
    assertEquals(List.of(new Term(new SubBlock(1, 0), 1)), equations.get(0).terms());
    assertTrue(HandMade.holds(code, equations.get(1)));
    assertEquals(3, equations.get(1).terms().size());
  }

  /**
   * Sources in any order, parities before data and sub-blocks mixed: each one that is used is
   * independent of all before it, which makes the equations the only ones.
   */
  @ParameterizedTest
  @CsvSource({"3,3,2", "4,2,3", "2,4,4", "6,3,1"})
  void sourcesJoinInTheirOrderAsFarAsTheyAreIndependent(int k, int m, int alpha) {
    Random random = Seeds.random(SolverTest.class);
    int solvable = 0;
    for (int run = 0; run < 60; run++) {
      // Mostly zeros: dependent rows, and parities that store a single data sub-block.
      int[][] parities = new int[m * alpha][];
      for (int p = 0; p < parities.length; p++) {
        int[] choice = {0, 0, 0, 0, 1, 2 + random.nextInt(254)};
        parities[p] = random.ints((long) k * alpha, 0, choice.length).map(i -> choice[i]).toArray();
      }
      ErasureCode code = HandMade.of(k, alpha, parities).named("mixed");
      List<SubBlock> sources = new ArrayList<>();
      for (int row = 0; row < code.generator().rows(); row++) {
        sources.add(new SubBlock(row / alpha, row % alpha));
      }
      Collections.shuffle(sources, random);
      List<SubBlock> wanted = List.copyOf(sources.subList(0, 3));
      List<SubBlock> available =
          sources.subList(random.nextInt(3), 3 + random.nextInt(sources.size() - 2));
      solvable += checkOrder(code, wanted, available) ? 1 : 0;
    }
    assertTrue(solvable > 10 && solvable < 60, solvable + " of 60 could be solved");
  }

  private static boolean checkOrder(
      ErasureCode code, List<SubBlock> wanted, List<SubBlock> available) {
    List<SubBlock> basis = new ArrayList<>();
    for (SubBlock source : available) {
      basis.add(source);
      if (rankOf(code, basis) < basis.size()) {
        basis.remove(basis.size() - 1);
      }
    }
    List<SubBlock> both = new ArrayList<>(basis);
    both.addAll(wanted);
    Optional<List<Equation>> solved = Solver.solveSubBlocks(code, wanted, available);
    assertEquals(rankOf(code, both) == basis.size(), solved.isPresent(), available::toString);
    for (Equation equation : solved.orElse(List.of())) {
      assertTrue(HandMade.holds(code, equation), equation::toString);
      List<SubBlock> used = equation.terms().stream().map(Term::source).toList();
      assertEquals(basis.stream().filter(used::contains).toList(), used, "over the basis in order");
    }
    return solved.isPresent();
  }

  private static int rankOf(ErasureCode code, List<SubBlock> subBlocks) {
    return code.generator().select(subBlocks.stream().mapToInt(code::row).toArray()).rank();
  }

  @Test
  void nothingWantedNeedsNothing() {
    assertEquals(Optional.of(List.of()), Solver.solve(rs(3, 2), List.of(), List.of()));
    assertTrue(Solver.decodable(rs(3, 2), List.of()));
  }

  @Test
  void positionsOutsideTheStripeAreRefused() {
    String outside = "block 5 is outside a stripe of rs-3-2, 0..4";
    assertMessage(outside, () -> Solver.solve(rs(3, 2), List.of(5), List.of(0, 1, 2)));
    assertMessage(outside, () -> Solver.solve(rs(3, 2), List.of(0), List.of(1, 2, 5)));
    assertMessage(outside, () -> Solver.decodable(rs(3, 2), List.of(5)));
    assertMessage(
        "block -1 is outside a stripe of rs-3-2, 0..4",
        () -> Solver.decodable(rs(3, 2), List.of(-1)));
    assertMessage(
        "sub-block 2 is outside a block of coupled, 0..1",
        () -> Solver.solveSubBlocks(HandMade.coupled(), List.of(new SubBlock(0, 2)), List.of()));
  }

  private static void assertMessage(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }
}
