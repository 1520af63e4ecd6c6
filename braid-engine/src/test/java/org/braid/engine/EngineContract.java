package org.braid.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.SubBlock;
import org.braid.code.derive.ParityCopies;
import org.braid.engine.symbolic.SymbolicEngine;
import org.braid.engine.symbolic.SymbolicResult;
import org.braid.plan.Link;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.EncodePlanner;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every engine that moves bytes keeps: it stores what the code defines, where the plan says,
 * and moves as many bytes over each link as the symbolic engine counts. Needs 16 nodes, 0 to 15;
 * block b is at node b, node 15 stores nothing.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EngineContract {
  /** A node that stores no block of any stripe: a new home, or a reading client. */
  protected static final int SPARE = 15;

  private static final int SECOND_SPARE = 14;

  /** One run of the contract. */
  public record Scenario(ErasureCode code, Plan plan, List<Integer> lost, String title) {
    @Override
    public String toString() {
      return code.name() + " " + title;
    }
  }

  /**
   * Runs a plan.
   *
   * @param blocks by node, the sub-blocks that it stores
   * @param length bytes of each sub-block
   */
  protected abstract PlanResult run(
      Plan plan, ErasureCode code, Map<Integer, Map<SubBlock, byte[]>> blocks, int length)
      throws Exception;

  /** Bytes of the engine's slices. */
  protected abstract int sliceBytes();

  /** Lengths to run each scenario with: by default whole slices, a rest, and less than a slice. */
  protected List<Integer> lengths() {
    return List.of(2 * sliceBytes(), 3 * sliceBytes() + 17, sliceBytes() - 1, 1);
  }

  /** The scenarios: encodings, repairs, degraded reads and moves. */
  protected List<Scenario> scenarios() {
    List<Scenario> all = new ArrayList<>();
    for (String name : List.of("rs-3-2", "rs-6-3", "rs-10-4")) {
      ErasureCode code = Codes.named(name);
      int k = code.k();
      addEncodings(code, all);
      for (int block : new int[] {0, k - 1, k}) {
        Plan move = RelocationPlanner.move(block, code.alpha(), block, SPARE);
        all.add(new Scenario(code, move, List.of(), "move of block " + block));
      }
      for (RepairPlanner planner : RepairPlanners.shapes()) {
        for (List<Integer> lost :
            List.of(
                List.of(0),
                List.of(k - 1),
                List.of(code.n() - 1),
                List.of(0, 1),
                List.of(1, k),
                List.of(k, k + 1))) {
          addRepairs(code, planner, lost, all);
        }
      }
    }
    addEncodings(new ParityCopies(Codes.named("rs-3-2"), 2), all);
    for (String name : List.of("rotated-rs-6-3-4", "hitchhiker-xor-6-3", "clay-4-2-5")) {
      ErasureCode code = Codes.named(name);
      addEncodings(code, all);
      for (RepairPlanner planner : RepairPlanners.shapes()) {
        addPartialReads(code, planner, 0, all);
        addPartialReads(code, planner, code.k() - 1, all);
      }
    }
    return all;
  }

  /** Repairs that read single sub-blocks. */
  private static void addPartialReads(
      ErasureCode code, RepairPlanner planner, int lost, List<Scenario> all) {
    List<List<Equation>> sets = Patterns.partialReads(code, lost);
    assertTrue(!sets.isEmpty(), code + " names no reads for block " + lost);
    for (List<Equation> equations : sets) {
      Plan plan = planner.plan(equations, IntUnaryOperator.identity(), SPARE);
      String title = planner.name() + " of " + lost + " from parts of blocks";
      all.add(new Scenario(code, plan, List.of(lost), title));
    }
  }

  private static void addEncodings(ErasureCode code, List<Scenario> all) {
    int[] sources = IntStream.range(0, code.k()).toArray();
    int[] parityNodes = IntStream.range(code.k(), code.n()).toArray();
    List<Integer> parities = IntStream.of(parityNodes).boxed().toList();
    for (int encoder : new int[] {0, code.k(), SPARE}) {
      Plan plan = EncodePlanner.gather(code, sources, encoder, parityNodes);
      all.add(new Scenario(code, plan, parities, "encoding at node " + encoder));
    }
    Plan line = EncodePlanner.pipelined(code, sources, parityNodes, Network.flat());
    all.add(new Scenario(code, line, parities, "pipelined encoding"));
  }

  private static void addRepairs(
      ErasureCode code, RepairPlanner planner, List<Integer> lost, List<Scenario> all) {
    String title = planner.name() + " of " + lost;
    // A root that stores nothing is a new home or a reading client; one may also be a helper.
    int helper =
        IntStream.range(0, code.k() + 1).filter(b -> !lost.contains(b)).findFirst().orElseThrow();
    Map<String, IntUnaryOperator> roots =
        Map.of(
            " at a node that stores nothing", block -> SPARE,
            " at a helper", block -> helper,
            " at two nodes", block -> block == lost.get(0) ? SPARE : SECOND_SPARE);
    roots.forEach(
        (where, root) -> {
          boolean twice = lost.size() < 2 && where.endsWith("two nodes");
          if (!twice) {
            Plan plan =
                planner.plan(Patterns.equations(code, lost), IntUnaryOperator.identity(), root);
            all.add(new Scenario(code, plan, lost, title + where));
          }
        });
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  final void storesWhatTheCodeDefinesAndMovesWhatThePlanSays(Scenario scenario) throws Exception {
    Random random = Seeds.random(getClass());
    ErasureCode code = scenario.code();
    SymbolicResult symbolic = SymbolicEngine.run(scenario.plan(), code);
    SymbolicEngine.prove(scenario.plan(), code);
    for (int length : lengths()) {
      Map<SubBlock, byte[]> stripe = stripe(code, length, random);
      PlanResult run = run(scenario.plan(), code, available(stripe, scenario), length);
      assertStored(symbolic, stripe, run, scenario + ", " + length + " bytes");
      Map<Link, Long> expected = new HashMap<>();
      symbolic.units().forEach((link, units) -> expected.put(link, (long) units * length));
      assertEquals(expected, run.bytes(), scenario + ", " + length + " bytes");
      assertOutcomes(expected, run, stripe);
    }
  }

  /** A plan over a range of the block is the same plan on shorter values. */
  @ParameterizedTest
  @MethodSource("someScenarios")
  final void aRangeOfTheBlockIsTheSameRangeOfWhatIsStored(Scenario scenario) throws Exception {
    Random random = Seeds.random(getClass());
    ErasureCode code = scenario.code();
    SymbolicResult symbolic = SymbolicEngine.run(scenario.plan(), code);
    int whole = Collections.max(lengths());
    Map<SubBlock, byte[]> stripe = stripe(code, whole, random);
    PlanResult full = run(scenario.plan(), code, available(stripe, scenario), whole);
    assertStored(symbolic, stripe, full, scenario + ", whole");
    for (int most : lengths()) {
      int length = (most + 1) / 2;
      int from = random.nextInt(whole - length + 1);
      Map<SubBlock, byte[]> range = new HashMap<>();
      stripe.forEach((s, bytes) -> range.put(s, Arrays.copyOfRange(bytes, from, from + length)));
      PlanResult part = run(scenario.plan(), code, available(range, scenario), length);
      String title = scenario + ", " + length + " bytes from " + from;
      assertStored(symbolic, range, part, title);
      full.bytes()
          .forEach(
              (link, bytes) -> assertEquals(bytes / whole * length, part.bytes().get(link), title));
    }
  }

  /** Every seventh: each kind of plan and each shape is among them. */
  final List<Scenario> someScenarios() {
    List<Scenario> all = scenarios();
    return IntStream.range(0, all.size()).filter(i -> i % 7 == 0).mapToObj(all::get).toList();
  }

  /** By node, what it stores of a stripe: block b is at node b, but for the lost ones. */
  private static Map<Integer, Map<SubBlock, byte[]>> available(
      Map<SubBlock, byte[]> stripe, Scenario scenario) {
    Map<Integer, Map<SubBlock, byte[]>> blocks = new HashMap<>();
    stripe.forEach(
        (subBlock, bytes) -> {
          if (!scenario.lost().contains(subBlock.block())) {
            blocks
                .computeIfAbsent(subBlock.block(), node -> new HashMap<>())
                .put(subBlock, bytes.clone());
          }
        });
    return blocks;
  }

  private static void assertStored(
      SymbolicResult symbolic, Map<SubBlock, byte[]> stripe, PlanResult run, String message) {
    Map<SubBlock, Integer> storedAt = new HashMap<>();
    run.stored()
        .forEach(
            (node, targets) ->
                targets.forEach(
                    (target, bytes) -> {
                      assertArrayEquals(stripe.get(target), bytes, message + ": " + target);
                      storedAt.put(target, node);
                    }));
    assertEquals(symbolic.storedAt(), storedAt, message);
  }

  private static void assertOutcomes(
      Map<Link, Long> expected, PlanResult run, Map<SubBlock, byte[]> stripe) {
    Map<Link, Long> sent = new HashMap<>();
    Map<Link, Long> received = new HashMap<>();
    Map<SubBlock, Integer> stored = new HashMap<>();
    run.outcomes()
        .forEach(
            (node, result) -> {
              result.sentBytes().forEach((to, bytes) -> sent.put(new Link(node, to), bytes));
              result
                  .receivedBytes()
                  .forEach((from, bytes) -> received.put(new Link(from, node), bytes));
              result
                  .readCrcs()
                  .forEach((source, crc) -> assertEquals(crc(stripe, source), crc, "" + source));
              stored.putAll(result.storeCrcs());
              assertTrue(result.cpuNanos() >= 0);
            });
    assertEquals(expected, sent);
    assertEquals(expected, received);
    assertTrue(!stored.isEmpty());
    stored.forEach((target, crc) -> assertEquals(crc(stripe, target), crc, "" + target));
  }

  private static int crc(Map<SubBlock, byte[]> stripe, SubBlock subBlock) {
    CRC32C crc = new CRC32C();
    crc.update(stripe.getOrDefault(subBlock, new byte[0]));
    return (int) crc.getValue();
  }

  /** A stripe by the definition: generator times random data, byte by byte. */
  private static Map<SubBlock, byte[]> stripe(ErasureCode code, int length, Random random) {
    int columns = code.k() * code.alpha();
    byte[][] data = new byte[columns][length];
    for (byte[] bytes : data) {
      random.nextBytes(bytes);
    }
    Map<SubBlock, byte[]> stripe = new HashMap<>();
    for (int row = 0; row < code.n() * code.alpha(); row++) {
      byte[] out = new byte[length];
      for (int column = 0; column < columns; column++) {
        int coefficient = code.generator().at(row, column);
        for (int i = 0; coefficient != 0 && i < length; i++) {
          out[i] ^= (byte) Gf256.multiply(coefficient, data[column][i] & 0xff);
        }
      }
      stripe.put(new SubBlock(row / code.alpha(), row % code.alpha()), out);
    }
    return stripe;
  }
}
