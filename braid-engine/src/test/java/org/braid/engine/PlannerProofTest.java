package org.braid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.derive.ParityCopies;
import org.braid.engine.symbolic.SymbolicEngine;
import org.braid.plan.Link;
import org.braid.plan.Plan;
import org.braid.plan.shape.EncodePlanner;
import org.braid.plan.shape.HelperOrder;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every planner's plans are right for all data: small stripes exhausted, large ones sampled. */
final class PlannerProofTest {
  static List<ErasureCode> small() {
    Stream<ErasureCode> named =
        Stream.of("rs-3-2", "rs-6-3", "lrc-4-2-1", "rotated-rs-2-2-2").map(Codes::named);
    Stream<ErasureCode> copied =
        Stream.of("rs-3-2", "rotated-rs-2-2-2").map(name -> new ParityCopies(Codes.named(name), 2));
    return Stream.concat(named, copied).toList();
  }

  static List<ErasureCode> large() {
    return List.of(Codes.named("rs-10-4"), Codes.named("rs-12-4"), Codes.named("rs-20-5"));
  }

  @ParameterizedTest
  @MethodSource("small")
  void allSinglesAndDoublesOfSmallStripes(ErasureCode code) {
    for (List<Integer> lost : Patterns.singlesAndDoubles(code.n())) {
      if (Solver.decodable(code, lost)) {
        proveRepairs(code, lost, IntUnaryOperator.identity());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("large")
  void randomLossesOfLargeStripes(ErasureCode code) {
    Random random = Seeds.random(PlannerProofTest.class);
    for (int round = 0; round < 40; round++) {
      List<Integer> blocks = new ArrayList<>(IntStream.range(0, code.n()).boxed().toList());
      Collections.shuffle(blocks, random);
      // Blocks share nodes, so that helpers have several and roots may have some.
      int nodes = 2 + random.nextInt(code.n());
      int[] nodeOf = random.ints(code.n(), 0, nodes).toArray();
      List<Integer> lost = List.copyOf(blocks.subList(0, 1 + random.nextInt(code.m())));
      proveRepairs(code, lost, block -> nodeOf[block]);
    }
  }

  static List<ErasureCode> withSubBlocks() {
    return List.of(
        Codes.named("rotated-rs-6-3-4"),
        Codes.named("rotated-rs-10-4-6"),
        Codes.named("hitchhiker-xor-10-4"),
        Codes.named("clay-4-2-5"),
        Codes.named("clay-3-3-4"));
  }

  /** Repairs from parts of blocks are right, and star moves what the code says they read. */
  @ParameterizedTest
  @MethodSource("withSubBlocks")
  void repairsFromPartsOfBlocks(ErasureCode code) {
    int proven = 0;
    for (int lost = 0; lost < code.n(); lost++) {
      List<List<Equation>> sets = Patterns.partialReads(code, lost);
      for (int i = 0; i < sets.size(); i++) {
        proveRepairs(code, List.of(lost), sets.get(i), IntUnaryOperator.identity());
        Plan star = RepairPlanners.named("star").plan(sets.get(i), block -> block, 100);
        Map<Integer, Integer> moved = new TreeMap<>();
        SymbolicEngine.run(star, code).units().forEach((link, n) -> moved.put(link.from(), n));
        Map<Integer, Integer> read = new TreeMap<>();
        code.repairSets(Set.of(lost)).get(i).forEach(s -> read.merge(s.block(), 1, Integer::sum));
        assertEquals(read, moved, code.name() + " without " + lost);
        proven++;
      }
    }
    assertTrue(proven >= code.k(), code.name() + ": " + proven);
  }

  /** One root that stores nothing, one that is a helper, and one a block. */
  private static void proveRepairs(
      ErasureCode code, List<Integer> lost, IntUnaryOperator nodeOfBlock) {
    proveRepairs(code, lost, Patterns.equations(code, lost), nodeOfBlock);
  }

  private static void proveRepairs(
      ErasureCode code,
      List<Integer> lost,
      List<Equation> equations,
      IntUnaryOperator nodeOfBlock) {
    int helper = nodeOfBlock.applyAsInt(equations.get(0).terms().get(0).source().block());
    for (RepairPlanner planner : RepairPlanners.all()) {
      List<IntUnaryOperator> roots =
          List.of(block -> 100, block -> helper, block -> 100 + block, block -> 0);
      for (IntUnaryOperator root : roots) {
        Plan plan = planner.plan(equations, nodeOfBlock, root);
        SymbolicEngine.prove(plan, code);
        Map<SubBlock, Integer> storedAt = SymbolicEngine.run(plan, code).storedAt();
        assertEquals(lost.size() * code.alpha(), storedAt.size());
        storedAt.forEach((target, node) -> assertEquals(root.applyAsInt(target.block()), node));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("small")
  void encodings(ErasureCode code) {
    proveEncoding(code);
  }

  @ParameterizedTest
  @MethodSource("large")
  void encodingsOfLargeStripes(ErasureCode code) {
    proveEncoding(code);
  }

  private static void proveEncoding(ErasureCode code) {
    int[] sources = IntStream.range(0, code.k()).toArray();
    int[] parityNodes = IntStream.range(code.k(), code.n()).toArray();
    for (int encoder : new int[] {0, code.k(), code.n()}) {
      Plan plan = EncodePlanner.gather(code, sources, encoder, parityNodes);
      SymbolicEngine.prove(plan, code);
      Map<SubBlock, Integer> storedAt = SymbolicEngine.run(plan, code).storedAt();
      assertEquals(code.m() * code.alpha(), storedAt.size());
      storedAt.forEach((target, node) -> assertEquals(target.block(), node));
    }
  }

  /** Stripes of 1 to k real blocks: encoded, and each real or parity block repaired. */
  @ParameterizedTest
  @MethodSource("small")
  void shortStripes(ErasureCode code) {
    for (int real = 1; real <= code.k(); real++) {
      int blocks = real;
      Set<Integer> zeros = Set.copyOf(IntStream.range(real, code.k()).boxed().toList());
      int[] sources = IntStream.range(0, code.k()).map(b -> b < blocks ? b : -1).toArray();
      int[] parityNodes = IntStream.range(code.k(), code.n()).toArray();
      SymbolicEngine.prove(EncodePlanner.gather(code, sources, 0, parityNodes), code, zeros);
      for (int lost = 0; lost < code.n(); lost++) {
        if (!zeros.contains(lost)) {
          for (RepairPlanner planner : RepairPlanners.all()) {
            Plan plan =
                planner.plan(
                    Patterns.equations(code, List.of(lost)),
                    block -> zeros.contains(block) ? -1 : block,
                    100);
            SymbolicEngine.prove(plan, code, zeros);
            assertTrue(
                plan.nodes().stream().noneMatch(zeros::contains), "no virtual block is read");
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("small")
  void moves(ErasureCode code) {
    for (int block = 0; block < code.n(); block++) {
      SymbolicEngine.prove(RelocationPlanner.move(block, code.alpha(), block, 50), code);
    }
  }

  @Test
  void anyOrderOfHelpersWillDo() {
    Random random = Seeds.random(PlannerProofTest.class);
    ErasureCode code = Codes.named("rs-10-4");
    List<Equation> equations = Patterns.equations(code, List.of(2, 11));
    List<Integer> order = new ArrayList<>(IntStream.range(0, code.n()).boxed().toList());
    for (int round = 0; round < 20; round++) {
      Collections.shuffle(order, random);
      List<Equation> sorted = HelperOrder.apply(order, equations, IntUnaryOperator.identity());
      for (RepairPlanner planner : RepairPlanners.all()) {
        SymbolicEngine.prove(planner.plan(sorted, IntUnaryOperator.identity(), 100), code);
      }
    }
  }

  @Test
  void everyUnitIsCounted() {
    ErasureCode code = Codes.named("rs-3-2");
    Plan plan =
        RepairPlanners.named("ppr")
            .plan(Patterns.equations(code, List.of(0)), IntUnaryOperator.identity(), 9);
    assertEquals(
        Map.of(new Link(1, 2), 1, new Link(3, 9), 1, new Link(2, 9), 1),
        SymbolicEngine.run(plan, code).units());
    assertEquals(
        Arrays.toString(new int[] {1, 0, 0}),
        Arrays.toString(SymbolicEngine.run(plan, code).rows().values().iterator().next().row(0)));
  }
}
