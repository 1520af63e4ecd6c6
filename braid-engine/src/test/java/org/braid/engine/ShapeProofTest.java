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
import org.braid.code.Promises;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.derive.Tolerance;
import org.braid.engine.symbolic.SymbolicEngine;
import org.braid.engine.symbolic.SymbolicResult;
import org.braid.placement.Topology;
import org.braid.plan.Link;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.EncodePlanner;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every shape, and the choice among them, over every family, on flat networks, in racks and at
 * sites: each single loss, all pairs of stripes up to 20 blocks, samples of others.
 */
@Tag("slow")
final class ShapeProofTest {
  /** Stripes of so many blocks have all their pairs tried. */
  private static final int EXHAUSTED = 20;

  private static final int SAMPLES = 6;
  private static final int LONG_SAMPLES = 100;

  /**
   * One code, on nodes that are numbered as its blocks are, then as many spare ones.
   *
   * @param first the node of block 0; those before are not used
   */
  private record Setting(ErasureCode code, Network network, int first, String name) {
    /** Nodes side by side. */
    static Setting flat(ErasureCode code) {
      return new Setting(code, Network.flat(), 0, "flat");
    }

    /** Racks of the blocks' nodes; a spare node stands in the rack of its block. */
    static Setting racks(ErasureCode code, int racks) {
      return sites(code, 1, racks);
    }

    /** The same with racks at sites in turn. */
    static Setting sites(ErasureCode code, int sites, int racks) {
      Topology.Builder builder = Topology.builder();
      for (int rack = 0; rack < racks; rack++) {
        // Racks are numbered as they come first; nodes must be in the order of the blocks.
        builder.add("first" + rack, "r" + rack, "s" + rack % sites);
      }
      for (int i = 0; i < 2 * code.n(); i++) {
        int rack = i % code.n() % racks;
        builder.add("n" + i, "r" + rack, "s" + rack % sites);
      }
      String name = sites + " sites, " + racks + " racks";
      return new Setting(code, Network.of(builder.build()), racks, name);
    }

    int node(int block) {
      return first + block;
    }
  }

  private static List<Setting> settings(ErasureCode code) {
    return List.of(Setting.flat(code), Setting.racks(code, 4), Setting.sites(code, 3, 6));
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
    for (Setting setting : settings(code)) {
      IntStream.range(0, code.n()).forEach(block -> prove(List.of(block), setting));
    }
  }

  /** All pairs of up to 20 blocks, each on one of the networks; samples of longer stripes. */
  @ParameterizedTest
  @MethodSource("codes")
  void everyShapeRepairsPairs(String name) {
    ErasureCode code = Codes.named(name);
    List<Setting> settings = settings(code);
    List<List<Integer>> pairs = pairs(code, SAMPLES);
    for (int i = 0; i < pairs.size(); i++) {
      prove(pairs.get(i), settings.get(i % settings.size()));
    }
  }

  @ParameterizedTest
  @MethodSource("codes")
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void everyShapeRepairsAllPairsOnAllNetworks(String name) {
    ErasureCode code = Codes.named(name);
    List<Setting> settings = new ArrayList<>(settings(code));
    settings.add(Setting.racks(code, 1));
    settings.add(Setting.racks(code, 3));
    settings.add(Setting.sites(code, 2, 5));
    for (Setting setting : settings) {
      pairs(code, LONG_SAMPLES).forEach(lost -> prove(lost, setting));
    }
  }

  /** As many losses as a code counts on, in one pass. */
  @ParameterizedTest
  @MethodSource("codes")
  void everyShapeRepairsAsManyLossesAsTheCodeCountsOn(String name) {
    ErasureCode code = Codes.named(name);
    Random random = Seeds.random(ShapeProofTest.class);
    var patterns = new Promises.Combinations(code.n(), Tolerance.counted(code));
    for (Setting setting : settings(code)) {
      prove(patterns.sample(random), setting);
    }
  }

  private static List<List<Integer>> pairs(ErasureCode code, int samples) {
    List<List<Integer>> pairs = new ArrayList<>(Patterns.singlesAndDoubles(code.n()));
    pairs.removeIf(lost -> lost.size() < 2 || !Solver.decodable(code, lost));
    if (code.n() > EXHAUSTED) {
      Collections.shuffle(pairs, Seeds.random(ShapeProofTest.class));
      return pairs.subList(0, Math.min(samples, pairs.size()));
    }
    return pairs;
  }

  /** Roots are spare nodes in the racks of the lost blocks, then one of them for all. */
  private static void prove(List<Integer> lost, Setting setting) {
    ErasureCode code = setting.code();
    List<Integer> alive =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    List<IntUnaryOperator> roots = new ArrayList<>();
    roots.add(block -> setting.node(block + code.n()));
    if (lost.size() > 1) {
      roots.add(block -> setting.node(lost.get(0) + code.n()));
      // A root that stores a block of the stripe, which helps the others.
      int helper = setting.node(alive.get(0));
      int spare = setting.node(lost.get(0) + code.n());
      roots.add(block -> block == lost.get(0) ? helper : spare);
    }
    for (IntUnaryOperator root : roots) {
      HelperChoice choice =
          new HelperChoice(code, lost, alive, setting::node, root, setting.network());
      // The choice among the shapes is one of them: once is enough.
      for (RepairPlanner planner :
          root.equals(roots.get(0)) ? RepairPlanners.all() : RepairPlanners.shapes()) {
        Plan plan = choice.plan(planner).orElseThrow();
        String title = code.name() + " " + lost + " by " + plan.shape() + ", " + setting.name();
        SymbolicResult result = SymbolicEngine.prove(plan, code);
        Map<SubBlock, Integer> expected = new HashMap<>();
        Solver.subBlocks(code, lost).forEach(s -> expected.put(s, root.applyAsInt(s.block())));
        assertEquals(expected, result.storedAt(), title);
        assertRacksSendOnce(setting, planner, lost, result, title);
      }
    }
  }

  private static void assertRacksSendOnce(
      Setting setting,
      RepairPlanner planner,
      List<Integer> lost,
      SymbolicResult result,
      String title) {
    if (!planner.name().equals("racktree") || lost.size() > 1) {
      return;
    }
    Map<Integer, Set<Link>> leaving = new HashMap<>();
    Map<Integer, Integer> values = new HashMap<>();
    result
        .units()
        .forEach(
            (link, units) -> {
              if (!setting.network().sameRack(link.from(), link.to())) {
                int rack = setting.network().rackOf(link.from());
                leaving.computeIfAbsent(rack, unused -> new HashSet<>()).add(link);
                values.merge(rack, units, Integer::sum);
              }
            });
    leaving.forEach((rack, links) -> assertEquals(1, links.size(), title + ": rack " + rack));
    values.forEach(
        (rack, units) -> assertTrue(units <= setting.code().alpha(), title + ": rack " + rack));
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

  /** The same for every code whose blocks are not divided, with its own number of helpers. */
  @ParameterizedTest
  @MethodSource("codes")
  void loadsAreTheorysForEveryNumberOfHelpers(String name) {
    ErasureCode code = Codes.named(name);
    for (int block = 0; code.alpha() == 1 && block < code.n(); block++) {
      var equations = Patterns.equations(code, List.of(block));
      int helpers = equations.get(0).terms().size();
      int logarithm = Integer.SIZE - Integer.numberOfLeadingZeros(helpers);
      Map<String, Integer> theory = Map.of("star", helpers, "ppr", logarithm, "chain", 1);
      theory.forEach(
          (shape, load) -> {
            Plan plan = RepairPlanners.named(shape).plan(equations, b -> b, 300);
            assertEquals(load, busiest(plan, code), name + ", " + shape);
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

  /** Gathered encoding is right: at a node that has data, that gets parity, that has nothing. */
  @ParameterizedTest
  @MethodSource("codes")
  void gatheredEncoding(String name) {
    ErasureCode code = Codes.named(name);
    int[] sources = IntStream.range(0, code.k()).toArray();
    int[] parities = IntStream.range(code.k(), code.n()).toArray();
    for (int encoder : new int[] {0, code.k(), code.n()}) {
      Plan plan = EncodePlanner.gather(code, sources, encoder, parities);
      SymbolicEngine.prove(plan, code);
      Map<SubBlock, Integer> expected = new HashMap<>();
      Solver.subBlocks(code, IntStream.of(parities).boxed().toList())
          .forEach(s -> expected.put(s, s.block()));
      assertEquals(expected, SymbolicEngine.prove(plan, code).storedAt());
    }
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
    Network sites = Network.of(Topology.of(2, 3, (code.n() + 5) / 6));
    for (int[] parities : List.of(apart, shared)) {
      SymbolicEngine.prove(EncodePlanner.pipelined(code, sources, parities, sites), code);
      SymbolicEngine.prove(EncodePlanner.pipelined(code, sources, parities, Network.flat()), code);
      Plan plan = EncodePlanner.pipelined(code, sources, parities, network);
      Map<SubBlock, Integer> storedAt = SymbolicEngine.prove(plan, code).storedAt();
      assertEquals(code.m() * code.alpha(), storedAt.size());
      storedAt.forEach((target, node) -> assertEquals(parities[target.block() - code.k()], node));
    }
    Plan plan = EncodePlanner.pipelined(code, sources, apart, network);
    assertTrue(busiest(plan, code) <= code.m() * code.alpha(), code.name());
  }
}
