package org.braid.code.stair;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.Gf256;
import org.braid.code.Promise;
import org.braid.code.Schedule;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StairScheduleTest {
  private static final Random RANDOM = Seeds.random(StairScheduleTest.class);

  private static Stair stair(String name) {
    return (Stair) Codes.named(name);
  }

  /** Calls a test with each code up to a size. */
  private static int sweep(int racks, int rows, Consumer<Stair> test) {
    int count = 0;
    for (int n = 1; n <= racks; n++) {
      for (int r = 1; r <= rows; r++) {
        for (int m = 0; m < n; m++) {
          for (int l = 0; l < r; l++) {
            for (List<Integer> e : vectors(n - m, Math.max(1, l), r)) {
              boolean data = e.stream().mapToInt(i -> i).sum() - l * e.size() < (r - l) * (n - m);
              if (data && (m > 0 || l > 0 || !e.isEmpty())) {
                test.accept(new Stair(new StairSettings(n, r, m, e, l)));
                count++;
              }
            }
          }
        }
      }
    }
    return count;
  }

  /** Ascending vectors with up to so many entries. */
  private static List<List<Integer>> vectors(int most, int from, int to) {
    List<List<Integer>> all = new ArrayList<>(List.of(List.of()));
    for (int i = 0; i < all.size(); i++) {
      List<Integer> vector = all.get(i);
      int least = vector.isEmpty() ? from : vector.get(vector.size() - 1);
      for (int next = least; vector.size() < most && next <= to; next++) {
        List<Integer> longer = new ArrayList<>(vector);
        longer.add(next);
        all.add(longer);
      }
    }
    return all;
  }

  @Test
  void allSmallParameters() {
    assertEquals(947, sweep(4, 4, code -> check(code, 24, 2)));
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void allLargerParameters() {
    sweep(6, 5, code -> check(code, 100, 10));
  }

  /** Matrix, schedules and promises of a code; promises with up to so many patterns in full. */
  private void check(Stair code, int most, int samples) {
    for (Schedule schedule : code.encodings()) {
      assertEquals(code.generator(), schedule.rows(code), code::name);
      assertPruned(code, schedule);
    }
    for (Promise promise : code.promises()) {
      if (promise.patterns() <= most) {
        long[] visited = new long[1];
        promise.each(
            lost -> {
              checkLoss(code, promise, lost);
              visited[0]++;
              return true;
            });
        assertEquals(promise.patterns(), visited[0], code::name);
      } else {
        for (int i = 0; i < samples; i++) {
          checkLoss(code, promise, promise.sample(RANDOM));
        }
      }
    }
  }

  private static void checkLoss(Stair code, Promise promise, List<Integer> lost) {
    String what = code.name() + " without " + lost;
    assertTrue(promise.holds(code, lost), what);
    Optional<Schedule> upstairs = code.upstairs(lost);
    assertTrue(upstairs.isPresent(), what);
    assertRebuilds(code, lost, upstairs.orElseThrow());
    code.downstairs(lost).ifPresent(d -> assertRebuilds(code, lost, d));
  }

  /** No factor 0, no value made that nothing needs, scratch places numbered without gaps. */
  private static void assertPruned(Stair code, Schedule schedule) {
    Set<SubBlock> used = new HashSet<>();
    int scratch = code.n();
    for (Equation step : schedule.steps()) {
      step.terms().forEach(t -> used.add(t.source()));
      assertTrue(step.terms().stream().allMatch(t -> t.coefficient() > 0), step::toString);
      if (step.target().block() >= code.n()) {
        assertEquals(scratch++, step.target().block(), code::name);
      }
    }
    assertTrue(
        schedule.steps().stream()
            .map(Equation::target)
            .allMatch(t -> t.block() < code.n() || used.contains(t)),
        () -> schedule.name() + " of " + code.name());
  }

  /** Runs a schedule on the generator's rows of what is left. */
  private static void assertRebuilds(Stair code, List<Integer> lost, Schedule schedule) {
    Map<Integer, int[]> values = new HashMap<>();
    for (int block = 0; block < code.n(); block++) {
      if (!lost.contains(block)) {
        values.put(block, code.generator().row(block));
      }
    }
    Set<Integer> stored = new HashSet<>();
    for (Equation step : schedule.steps()) {
      int[] sum = new int[code.k()];
      for (Term term : step.terms()) {
        int[] row = values.get(term.source().block());
        assertTrue(row != null, () -> schedule.name() + " has no " + term.source());
        for (int c = 0; c < sum.length; c++) {
          sum[c] ^= Gf256.multiply(term.coefficient(), row[c]);
        }
      }
      int target = step.target().block();
      assertTrue(values.put(target, sum) == null, () -> "overwrites " + target);
      if (target < code.n()) {
        stored.add(target);
        String what = code.name() + " without " + lost + ", block " + target;
        assertArrayEquals(code.generator().row(target), sum, what);
      }
    }
    assertEquals(Set.copyOf(lost), stored);
    assertPruned(code, schedule);
  }

  @ParameterizedTest
  @CsvSource({
    // of 14 x 16, 9 x 11 and 12 x 20 terms of Reed-Solomon with the same parities
    "rstair-n6-r5-m1-e2.4-l1,145,118,87",
    "rstair-n5-r4-m1-e2-l1,61,42,41",
    "stair-n8-r4-m2-e1.1.2-l0,165,110,130"
  })
  void schedulesTakeFewerTermsThanTheMatrix(String name, int matrix, int upstairs, int downstairs) {
    Stair code = stair(name);
    assertEquals(matrix, Schedule.generator(code).terms());
    assertEquals(
        List.of("upstairs=" + upstairs, "downstairs=" + downstairs),
        code.encodings().stream().map(s -> s.name() + "=" + s.terms()).toList());
  }

  /** How many steps follow each other with the same sources: sources x targets, and how often. */
  private static Map<String, Integer> shapes(Schedule schedule) {
    Map<Set<SubBlock>, Integer> groups = new LinkedHashMap<>();
    Set<SubBlock> before = Set.of();
    for (Equation step : schedule.steps()) {
      Set<SubBlock> sources = step.terms().stream().map(Term::source).collect(Collectors.toSet());
      assertTrue(sources.equals(before) || !groups.containsKey(sources), "a group is torn apart");
      groups.merge(sources, 1, Integer::sum);
      before = sources;
    }
    Map<String, Integer> shapes = new TreeMap<>();
    groups.forEach((sources, count) -> shapes.merge(sources.size() + "x" + count, 1, Integer::sum));
    return shapes;
  }

  @Test
  void upstairsEncodingIsThatOfThePaper() {
    // Figure 5: S1-S3, S5, S8 make 4 from 4; S4 makes 2 from 3; S6, S7 make 1 from 4; S10 on make 1
    // from 5. S9 may use either code (section III-C), here the column's, as it has fewer terms.
    assertEquals(
        Map.of("4x4", 5, "3x2", 1, "4x1", 3, "5x1", 4),
        shapes(stair("rstair-n6-r5-m1-e2.4-l1").encodings().get(0)));
  }

  @Test
  void downstairsEncodingGoesFromTheTopDownAndFromRightToLeft() {
    // Row 0 makes H, X and X; each of rows 1 and 2 makes G, H and X; a virtual column from 3 cells;
    // row 3 makes G, G and H; each rack its V. Virtual column 7 is a multiple of its first cell.
    assertEquals(
        Map.of("5x3", 4, "3x1", 1, "4x1", 6),
        shapes(stair("rstair-n6-r5-m1-e2.4-l1").encodings().get(1)));
  }

  @ParameterizedTest
  @CsvSource({"rstair-n6-r5-m1-e2.4-l1", "rstair-n5-r4-m1-e2-l1", "stair-n8-r4-m2-e1.1.2-l0"})
  void worstLossesTakeFewerTermsThanTheSolversEquations(String name) {
    Stair code = stair(name);
    int[] sums = new int[2];
    for (int i = 0; i < 100; i++) {
      List<Integer> lost = code.promises().get(0).sample(RANDOM);
      List<Integer> left =
          IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
      sums[0] += code.upstairs(lost).orElseThrow().terms();
      List<Equation> solved = Solver.solve(code, lost, left).orElseThrow();
      sums[1] += new Schedule("solver", solved).terms();
    }
    assertTrue(sums[0] < 0.75 * sums[1], () -> sums[0] + " terms upstairs, " + sums[1] + " solved");
  }

  @Test
  void fewLossesStayLocal() {
    Stair code = stair("rstair-n6-r5-m1-e2.4-l1");
    List<Integer> racks = code.racks().orElseThrow();
    for (int lost = 0; lost < code.n(); lost++) {
      Schedule schedule = code.upstairs(List.of(lost)).orElseThrow();
      assertEquals(
          schedule, new Schedule("upstairs", code.downstairs(List.of(lost)).orElseThrow().steps()));
      assertEquals(1, schedule.steps().size());
      assertEquals(4, schedule.terms());
      int rack = racks.get(lost);
      assertTrue(
          schedule.steps().get(0).terms().stream()
              .allMatch(t -> racks.get(t.source().block()) == rack));
    }
  }

  @Test
  void nothingLostTakesNothing() {
    Stair code = stair("rstair-n5-r4-m1-e2-l1");
    assertEquals(Optional.of(new Schedule("upstairs", List.of())), code.upstairs(List.of()));
    assertEquals(Optional.of(new Schedule("downstairs", List.of())), code.downstairs(List.of()));
  }

  @Test
  void downstairsGetsStuckWhereNoRowIsWhole() {
    // Racks 0 and 1 lose different rows; with one whole rack lost, no row has n - m = 3 blocks.
    Stair code = stair("stair-n4-r2-m1-e1.1-l0");
    List<Integer> lost = lost(code, 0, 0, 1, 1, 0, 3, 1, 3);
    assertTrue(Solver.decodable(code, lost));
    assertTrue(code.upstairs(lost).isPresent());
    assertEquals(Optional.empty(), code.downstairs(lost));
  }

  /** Blocks by row and rack. */
  private static List<Integer> lost(Stair code, int... cells) {
    CanonicalStripe layout = new CanonicalStripe(code.settings());
    return IntStream.range(0, cells.length / 2)
        .map(i -> layout.block(cells[2 * i], cells[2 * i + 1]))
        .sorted()
        .boxed()
        .toList();
  }

  @Test
  void moreThanTheCoverageGetsStuck() {
    Stair code = stair("rstair-n5-r4-m1-e2-l1");
    List<Integer> lost = lost(code, 0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1);
    assertEquals(Optional.empty(), code.upstairs(lost));
    assertEquals(Optional.empty(), code.downstairs(lost));
    List<Integer> three = lost(code, 0, 0, 1, 0, 0, 1, 1, 1, 0, 2, 1, 2);
    assertEquals(Optional.empty(), code.upstairs(three));
  }

  @Test
  void blocksOutsideTheStripeAreRefused() {
    assertEquals(
        "block 20 is outside a stripe of rstair-n5-r4-m1-e2-l1, 0..19",
        assertThrows(
                IllegalArgumentException.class,
                () -> stair("rstair-n5-r4-m1-e2-l1").upstairs(List.of(3, 20)))
            .getMessage());
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void allWorstLossesOfThePapersCodes() {
    for (String name : List.of("rstair-n5-r4-m1-e2-l1", "stair-n8-r4-m2-e1.1.2-l0")) {
      check(stair(name), 200_000, 0);
    }
    check(stair("rstair-n6-r5-m1-e2.4-l1"), 10_000, 20_000);
    check(stair("rstair-n14-r8-m1-e4.4.4-l1"), 1_000, 200);
  }
}
