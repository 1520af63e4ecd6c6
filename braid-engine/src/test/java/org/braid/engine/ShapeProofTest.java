package org.braid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.placement.Topology;
import org.braid.plan.EncodePlanner;
import org.braid.plan.HelperChoice;
import org.braid.plan.Network;
import org.braid.plan.Plan;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every shape over every family, on networks without racks and with: each single loss, pairs of
 * small stripes, samples of others.
 */
final class ShapeProofTest {
  private static final int SAMPLES = 6;

  /** One code, on nodes that are numbered as its blocks are, then as many spare ones. */
  private record Stage(ErasureCode code, Network network, String name) {
    /** Racks of the blocks' nodes; a spare node stands in the rack of its block. */
    static Stage racks(ErasureCode code, int racks) {
      Topology.Builder builder = Topology.builder();
      for (int rack = 0; rack < racks; rack++) {
        // Racks are numbered as they come first; nodes must be in the order of the blocks.
        builder.add("first" + rack, "r" + rack);
      }
      for (int node = racks; node < racks + 2 * code.n(); node++) {
        builder.add("n" + node, "r" + (node - racks) % code.n() % racks);
      }
      return new Stage(code, Network.of(builder.build()), racks + " racks");
    }

    /** The node of a block; the first nodes of the racks are not used. */
    int node(int block, int racks) {
      return racks + block;
    }
  }

  static Stream<String> codes() {
    return Stream.concat(
        Codes.families().stream().map(CodeFamily::example),
        Stream.of(
            "rs-12-4", "lrc-12-2-2", "rotated-rs-12-4-4", "hitchhiker-xor-6-3", "clay-3-3-4"));
  }

  @ParameterizedTest
  @MethodSource("codes")
  void everyShapeRepairsEverySingleLoss(String name) {
    ErasureCode code = Codes.named(name);
    for (int block = 0; block < code.n(); block++) {
      prove(code, List.of(block), block % 2 == 0 ? 1 : 4);
    }
  }

  @ParameterizedTest
  @MethodSource("codes")
  void everyShapeRepairsSeveralLosses(String name) {
    ErasureCode code = Codes.named(name);
    List<List<Integer>> pairs = pairs(code);
    Collections.shuffle(pairs, Seeds.random(ShapeProofTest.class));
    pairs.subList(0, Math.min(SAMPLES, pairs.size())).forEach(lost -> prove(code, lost, 3));
  }

  @ParameterizedTest
  @MethodSource("codes")
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void everyShapeRepairsAllPairsOnAllNetworks(String name) {
    ErasureCode code = Codes.named(name);
    List<List<Integer>> pairs = pairs(code);
    if (code.n() > 20) {
      Collections.shuffle(pairs, Seeds.random(ShapeProofTest.class));
      pairs = pairs.subList(0, 100);
    }
    for (int racks : new int[] {1, 3, 5}) {
      pairs.forEach(lost -> prove(code, lost, racks));
      IntStream.range(0, code.n()).forEach(block -> prove(code, List.of(block), racks));
    }
  }

  private static List<List<Integer>> pairs(ErasureCode code) {
    List<List<Integer>> pairs = new ArrayList<>(Patterns.singlesAndDoubles(code.n()));
    pairs.removeIf(lost -> lost.size() < 2 || !Solver.decodable(code, lost));
    return pairs;
  }

  /** Roots are spare nodes in the racks of the lost blocks, then one of them for all. */
  private static void prove(ErasureCode code, List<Integer> lost, int racks) {
    Stage stage = Stage.racks(code, racks);
    IntUnaryOperator nodeOf = block -> stage.node(block, racks);
    List<Integer> alive =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    List<IntUnaryOperator> roots = new ArrayList<>();
    roots.add(block -> stage.node(block + code.n(), racks));
    if (lost.size() > 1) {
      roots.add(block -> stage.node(lost.get(0) + code.n(), racks));
      // A root that stores a block of the stripe, which helps the others.
      roots.add(block -> block == lost.get(0) ? stage.node(alive.get(0), racks) : 0);
    }
    for (IntUnaryOperator root : roots) {
      HelperChoice choice = new HelperChoice(code, lost, alive, nodeOf, root, stage.network());
      for (RepairPlanner planner : RepairPlanners.shapes()) {
        Plan plan = choice.plan(planner).orElseThrow();
        String title = code.name() + " " + lost + " by " + plan.shape() + ", " + stage.name();
        SymbolicEngine.prove(plan, code);
        SymbolicResult result = SymbolicEngine.run(plan, code);
        Map<SubBlock, Integer> expected = new HashMap<>();
        for (int block : lost) {
          for (int s = 0; s < code.alpha(); s++) {
            expected.put(new SubBlock(block, s), root.applyAsInt(block));
          }
        }
        assertEquals(expected, result.storedAt(), title);
        assertRacksSendOnce(stage, planner, lost, result, title);
      }
    }
  }

  private static void assertRacksSendOnce(
      Stage stage, RepairPlanner planner, List<Integer> lost, SymbolicResult result, String title) {
    if (!planner.name().equals("racktree") || lost.size() > 1) {
      return;
    }
    Map<Integer, Set<Link>> leaving = new HashMap<>();
    Map<Integer, Integer> values = new HashMap<>();
    result
        .units()
        .forEach(
            (link, units) -> {
              if (!stage.network().sameRack(link.from(), link.to())) {
                int rack = stage.network().rackOf(link.from());
                leaving.computeIfAbsent(rack, unused -> new HashSet<>()).add(link);
                values.merge(rack, units, Integer::sum);
              }
            });
    leaving.forEach((rack, links) -> assertEquals(1, links.size(), title + ": rack " + rack));
    values.forEach(
        (rack, units) -> assertTrue(units <= stage.code().alpha(), title + ": rack " + rack));
  }

  /** The load of the busiest link is k, ceil(log2(k+1)) and 1 blocks (PPR section 4.2). */
  @ParameterizedTest
  @ValueSource(strings = {"rs-3-2", "rs-6-3", "rs-8-3", "rs-10-4", "rs-12-4", "rs-20-5"})
  void loadsAreTheorysForReedSolomon(String name) {
    ErasureCode code = Codes.named(name);
    int logarithm = Integer.SIZE - Integer.numberOfLeadingZeros(code.k());
    Map<String, Integer> theory = Map.of("star", code.k(), "ppr", logarithm, "chain", 1);
    for (int lost = 0; lost < code.n(); lost++) {
      int block = lost;
      theory.forEach(
          (shape, load) -> {
            Plan plan =
                RepairPlanners.named(shape)
                    .plan(Patterns.equations(code, List.of(block)), b -> b, 100);
            assertEquals(load, busiest(plan, code), shape + " of " + block);
          });
    }
  }

  /** What trees save at the root they never pay elsewhere, whatever the sub-blocks read. */
  @ParameterizedTest
  @ValueSource(
      strings = {"clay-4-2-5", "clay-3-3-4", "hitchhiker-xor-10-4", "rotated-rs-12-4-4", "rs-6-3"})
  void noLinkCarriesMoreThanTheStarsBusiest(String name) {
    ErasureCode code = Codes.named(name);
    Random random = Seeds.random(ShapeProofTest.class);
    for (int block = 0; block < code.n(); block++) {
      var sets = new ArrayList<>(Patterns.partialReads(code, block));
      sets.add(Patterns.equations(code, List.of(block)));
      int second = (block + 1 + random.nextInt(code.n() - 1)) % code.n();
      sets.add(Patterns.equations(code, new LinkedHashSet<>(List.of(block, second))));
      for (var equations : sets) {
        int star = busiest(RepairPlanners.named("star").plan(equations, b -> b, 100), code);
        for (RepairPlanner planner : RepairPlanners.all()) {
          Plan plan = planner.plan(equations, b -> b, 100);
          assertTrue(busiest(plan, code) <= star, name + " " + block + " by " + plan.shape());
        }
      }
    }
  }

  private static int busiest(Plan plan, ErasureCode code) {
    Map<Integer, Integer> in = new HashMap<>();
    Map<Integer, Integer> out = new HashMap<>();
    SymbolicEngine.run(plan, code)
        .units()
        .forEach(
            (link, units) -> {
              out.merge(link.from(), units, Integer::sum);
              in.merge(link.to(), units, Integer::sum);
            });
    return Stream.concat(in.values().stream(), out.values().stream())
        .mapToInt(Integer::intValue)
        .max()
        .orElse(0);
  }

  /** Pipelined encoding is right, also where parity nodes hold data, and no link carries more. */
  @ParameterizedTest
  @MethodSource("codes")
  void pipelinedEncoding(String name) {
    ErasureCode code = Codes.named(name);
    int[] sources = IntStream.range(0, code.k()).toArray();
    int[] apart = IntStream.range(code.k(), code.n()).toArray();
    int[] shared = IntStream.range(0, code.m()).map(i -> i % 2 == 0 ? 0 : code.k()).toArray();
    Network network = Network.of(Topology.of(4, (code.n() + 3) / 4));
    for (int[] parities : List.of(apart, shared)) {
      Plan plan = EncodePlanner.pipelined(code, sources, parities, network);
      SymbolicEngine.prove(plan, code);
      Map<SubBlock, Integer> storedAt = SymbolicEngine.run(plan, code).storedAt();
      assertEquals(code.m() * code.alpha(), storedAt.size());
      storedAt.forEach((target, node) -> assertEquals(parities[target.block() - code.k()], node));
    }
    Plan plan = EncodePlanner.pipelined(code, sources, apart, network);
    assertTrue(busiest(plan, code) <= code.m() * code.alpha(), code.name());
  }
}
