package org.braid.code.derive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.HandMade;
import org.braid.code.LocalGroup;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.code.derive.RepairSearch.Effort;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RepairSearchTest {
  /** The equations hold for all data, and the reads are what they read. */
  private static Repair checked(ErasureCode code, Repair repair) {
    TreeMap<Integer, TreeSet<Integer>> read = new TreeMap<>();
    int at = 0;
    for (Equation equation : repair.equations()) {
      int lost = repair.lost().get(at / code.alpha());
      assertEquals(new SubBlock(lost, at++ % code.alpha()), equation.target());
      assertTrue(HandMade.holds(code, equation), equation::toString);
      for (Term term : equation.terms()) {
        assertTrue(!repair.lost().contains(term.source().block()), equation::toString);
        read.computeIfAbsent(term.source().block(), b -> new TreeSet<>())
            .add(term.source().index());
      }
    }
    assertEquals(repair.lost().size() * code.alpha(), at);
    assertEquals(List.copyOf(read.keySet()), repair.reads().stream().map(r -> r.block()).toList());
    double traffic = 0;
    for (Repair.Read r : repair.reads()) {
      assertEquals(List.copyOf(read.getOrDefault(r.block(), new TreeSet<>())), r.subBlocks());
      assertEquals(r.subBlocks().size() / (double) code.alpha(), r.fraction());
      traffic += r.fraction();
    }
    assertEquals(traffic, repair.traffic(), 1e-9);
    return repair;
  }

  private static Repair find(ErasureCode code, RepairAim aim, Integer... lost) {
    return checked(code, RepairSearch.find(code, List.of(lost), aim, Effort.MANY));
  }

  @ParameterizedTest
  @CsvSource({
    "rs-6-3, 0, 6, 6",
    "rs-12-4, 15, 12, 12",
    "rep-3, 2, 1, 1",
    "xorbas-10-6-5, 0, 5, 5",
    "xorbas-10-6-5, 13, 5, 5",
    "mxor-10-7, 3, 2, 2",
    "mxor-10-7, 12, 2, 2",
    "mxor-10-7, 15, 5, 5",
    "flr-n14-g4-l2, 1, 4, 4",
    "rstair-n6-r5-m1-e2.4-l1, 7, 4, 1"
  })
  void singleBlocksOfThePapers(String name, int lost, int blocks, int racks) {
    ErasureCode code = Codes.named(name);
    Repair few = find(code, RepairAim.BLOCKS, lost);
    assertEquals(blocks, few.reads().size());
    assertTrue(few.exact());
    assertEquals(blocks, few.cost());
    assertEquals(blocks, find(code, RepairAim.BYTES, lost).traffic());
    Repair near = find(code, RepairAim.RACKS, lost);
    assertEquals(racks, near.racks());
    assertTrue(near.exact());
  }

  /** The fewest blocks by trying all subsets. */
  private static int fewest(ErasureCode code, List<Integer> lost) {
    return IntStream.range(0, 1 << code.n())
        .filter(bits -> lost.stream().noneMatch(b -> (bits >> b & 1) == 1))
        .filter(
            bits ->
                Solver.solve(
                        code,
                        lost,
                        IntStream.range(0, code.n())
                            .filter(b -> (bits >> b & 1) == 1)
                            .boxed()
                            .toList())
                    .isPresent())
        .map(Integer::bitCount)
        .min()
        .orElse(-1);
  }

  /** The fewest sub-blocks by trying all subsets. */
  private static int fewestSubBlocks(ErasureCode code, int lost) {
    int alpha = code.alpha();
    List<SubBlock> wanted = IntStream.range(0, alpha).mapToObj(s -> new SubBlock(lost, s)).toList();
    List<SubBlock> all =
        IntStream.range(0, code.n() * alpha)
            .filter(i -> i / alpha != lost)
            .mapToObj(i -> new SubBlock(i / alpha, i % alpha))
            .toList();
    return IntStream.range(0, 1 << all.size())
        .filter(
            bits ->
                Solver.solveSubBlocks(
                        code,
                        wanted,
                        IntStream.range(0, all.size())
                            .filter(i -> (bits >> i & 1) == 1)
                            .mapToObj(all::get)
                            .toList())
                    .isPresent())
        .map(Integer::bitCount)
        .min()
        .orElse(-1);
  }

  private static HandMade random(Random random, int k, int m, int alpha) {
    int[][] parity = new int[m * alpha][k * alpha];
    for (int[] row : parity) {
      for (int c = 0; c < row.length; c++) {
        row[c] = random.nextBoolean() ? random.nextInt(256) : 0;
      }
      // A parity that is always zero needs nothing read, which is no repair.
      row[random.nextInt(row.length)] = 1 + random.nextInt(255);
    }
    return HandMade.of(k, alpha, parity);
  }

  @Test
  void exactRepairsOfRandomCodesAreAsBruteForceSays() {
    Random random = Seeds.random(RepairSearchTest.class);
    int found = 0;
    for (int i = 0; i < 40; i++) {
      ErasureCode code = random(random, 2 + random.nextInt(4), 1 + random.nextInt(3), 1);
      List<Integer> lost =
          i % 2 == 0 ? List.of(random.nextInt(code.n())) : List.of(0, code.n() - 1);
      int fewest = fewest(code, lost);
      if (fewest < 0) {
        assertThrows(
            NotRepairableException.class,
            () -> RepairSearch.find(code, lost, RepairAim.BLOCKS, Effort.MANY));
        continue;
      }
      found++;
      Repair repair = checked(code, RepairSearch.find(code, lost, RepairAim.BLOCKS, Effort.MANY));
      assertTrue(repair.exact());
      assertEquals(fewest, repair.reads().size(), () -> code + " " + lost);
    }
    assertTrue(found > 5, "only " + found + " could be repaired");
  }

  @Test
  void exactPartialReadsOfRandomCodesAreAsBruteForceSays() {
    Random random = Seeds.random(RepairSearchTest.class);
    for (int i = 0; i < 8; i++) {
      HandMade code = random(random, 3, 2, 2);
      int fewest = fewestSubBlocks(code, 0);
      if (fewest >= 0) {
        Repair repair = find(code, RepairAim.BYTES, 0);
        assertTrue(repair.exact());
        assertEquals(fewest, Math.round(repair.traffic() * 2), code::toString);
      }
    }
  }

  @Test
  void aRepairSetIsUsedWhereTheSearchIsTooShort() {
    Random random = Seeds.random(RepairSearchTest.class);
    var none = new Effort(0, 1);
    int helped = 0;
    for (int i = 0; i < 100 && helped == 0; i++) {
      HandMade code = random(random, 4, 3, 2);
      if (fewest(code, List.of(0)) < 0) {
        continue;
      }
      Repair best = find(code, RepairAim.BYTES, 0);
      List<SubBlock> set =
          best.reads().stream()
              .flatMap(r -> r.subBlocks().stream().map(s -> new SubBlock(r.block(), s)))
              .toList();
      double without = RepairSearch.find(code, List.of(0), RepairAim.BYTES, none).traffic();
      double with =
          RepairSearch.find(code.repairedFrom(set), List.of(0), RepairAim.BYTES, none).traffic();
      assertEquals(best.traffic(), with);
      helped += with < without ? 1 : 0;
    }
    assertTrue(helped > 0, "no walk was worse than a search");
  }

  @Test
  void racksAreSparedBeforeBlocks() {
    // Block 0: alone from block 4 and 1 of other racks, or from the three others of its rack.
    HandMade code =
        HandMade.of(4, 1, new int[] {1, 1, 0, 0}, new int[] {1, 0, 1, 1})
            .inRacks(0, 1, 0, 0, 2, 0)
            .grouped(new LocalGroup("rack 0", List.of(0, 2, 3, 5), 1));
    Repair blocks = find(code, RepairAim.BLOCKS, 0);
    assertEquals(List.of(1, 4), blocks.reads().stream().map(Repair.Read::block).toList());
    assertEquals(2, blocks.racks());
    assertEquals(2, blocks.crossRack());
    Repair racks = find(code, RepairAim.RACKS, 0);
    assertEquals(List.of(2, 3, 5), racks.reads().stream().map(Repair.Read::block).toList());
    assertEquals(1, racks.racks());
    assertEquals(0, racks.crossRack());
    assertEquals(1, racks.cost());
  }

  @Test
  void aCopyIsTheLeastHoweverShortTheSearch() {
    Repair repair =
        RepairSearch.find(Codes.named("rep-3"), List.of(2), RepairAim.BLOCKS, new Effort(0, 1));
    assertEquals(1, repair.cost());
    assertTrue(repair.exact());
  }

  @Test
  void onlyBlocksAliveAreRead() {
    ErasureCode code = Codes.named("mxor-10-7");
    Repair repair =
        checked(
            code,
            RepairSearch.find(
                code,
                List.of(0),
                IntStream.range(1, 17).filter(b -> b != 10).boxed().toList(),
                RepairAim.BYTES,
                Effort.MANY));
    assertEquals(5, repair.traffic());
  }

  @Test
  void whatCannotBeRepairedSaysHowMuchIsMissing() {
    ErasureCode code = Codes.named("rs-6-3");
    var four =
        assertThrows(NotRepairableException.class, () -> find(code, RepairAim.BYTES, 0, 1, 2, 3));
    assertEquals(
        "blocks [0, 1, 2, 3] of rs-6-3 cannot be rebuilt from the 5 blocks alive:"
            + " at least 1 more is needed",
        four.getMessage());
    assertEquals(1, four.missing());
    var few =
        assertThrows(
            NotRepairableException.class,
            () ->
                RepairSearch.find(
                    code, List.of(7), List.of(0, 1, 2, 3), RepairAim.RACKS, Effort.MANY));
    // One block is lost, so one more value, block 7 itself, would do.
    assertEquals(1, few.missing());
  }

  @Test
  void wrongPositionsAreRefused() {
    ErasureCode code = Codes.named("rs-6-3");
    assertMessage(
        "block 9 is outside a stripe of rs-6-3, 0..8",
        () -> RepairSearch.find(code, List.of(9), RepairAim.BYTES, Effort.MANY));
    assertMessage(
        "block 3 is both lost and alive",
        () -> RepairSearch.find(code, List.of(3), List.of(2, 3), RepairAim.BYTES, Effort.MANY));
    assertMessage(
        "no block is lost, so there is nothing to repair",
        () -> RepairSearch.find(code, List.of(), RepairAim.BYTES, Effort.MANY));
  }

  private static void assertMessage(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }
}
