package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.braid.kernel.Kernels;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What every registered code keeps. A new family adds a subclass that names some of its codes,
 * short ones among them: up to {@link #EXHAUSTIVE} blocks all erasure patterns are tried.
 */
public abstract class ErasureCodeContract {
  /** The longest stripe of which all erasure patterns are tried. */
  protected static final int EXHAUSTIVE = 10;

  private static final int SAMPLES = 60;

  /** Promises with at most so many patterns are checked with all of them. */
  private static final long MAX_PATTERNS = 10_000;

  /**
   * A code, and how many lost blocks it survives whichever they are.
   *
   * @param name its registered name
   * @param tolerance lost blocks that it always survives
   */
  public record Member(String name, int tolerance) {}

  /** The codes to try. */
  protected abstract List<Member> members();

  private List<DynamicTest> each(Consumer<Member> test) {
    return members().stream()
        .map(p -> DynamicTest.dynamicTest(p.name(), () -> test.accept(p)))
        .toList();
  }

  @TestFactory
  final List<DynamicTest> nameIsRegisteredAndKept() {
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          assertEquals(p.name(), code.name());
          assertEquals(p.name(), code.toString());
          ErasureCode again = Codes.make(p.name());
          assertEquals(code, again);
          assertEquals(code.generator(), again.generator());
          assertEquals(Codes.digest(code), Codes.digest(again));
          assertEquals(code.n(), Codes.sizeOf(p.name()).blocks());
          assertEquals(code.alpha(), Codes.sizeOf(p.name()).perBlock());
        });
  }

  @TestFactory
  final List<DynamicTest> generatorIsSystematic() {
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          int width = code.k() * code.alpha();
          assertTrue(code.k() >= 1 && code.n() > code.k() && code.alpha() >= 1, p::toString);
          assertEquals(code.n() - code.k(), code.m());
          assertEquals(code.n() * code.alpha(), code.generator().rows());
          assertEquals(width, code.generator().columns());
          assertEquals(
              Matrix.identity(width), code.generator().select(IntStream.range(0, width).toArray()));
          for (int row = width; row < code.generator().rows(); row++) {
            assertTrue(
                Arrays.stream(code.generator().row(row)).anyMatch(v -> v != 0),
                "row " + row + " stores nothing");
          }
        });
  }

  /** Every pattern as far as that is feasible, otherwise samples of every size. */
  private static void patterns(ErasureCode code, Random random, Consumer<List<Integer>> visitor) {
    if (code.n() <= EXHAUSTIVE) {
      TestCodes.subsets(code.n(), visitor);
      return;
    }
    for (int i = 0; i < SAMPLES; i++) {
      int size = 1 + i % (code.m() + 1);
      visitor.accept(TestCodes.subset(random, code.n(), size));
    }
  }

  @TestFactory
  final List<DynamicTest> everyPatternIsSolvedExactlyWhenTheRankSaysSo() {
    Random random = Seeds.random(getClass());
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          patterns(
              code,
              random,
              lost -> {
                List<Integer> left = TestCodes.without(code, lost);
                boolean full = TestCodes.rank(code, left) == code.k() * code.alpha();
                String what = p.name() + " without " + lost;
                assertEquals(full, Solver.decodable(code, lost), what);
                Optional<List<Equation>> solved = Solver.solve(code, lost, left);
                assertEquals(full, solved.isPresent(), what);
                for (Equation equation : solved.orElse(List.of())) {
                  assertTrue(HandMade.holds(code, equation), () -> what + ": " + equation);
                }
              });
        });
  }

  @TestFactory
  final List<DynamicTest> toleranceIsAsPromisedAndNoMore() {
    Random random = Seeds.random(getClass());
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          patterns(
              code,
              random,
              lost -> {
                List<Integer> within = lost.subList(0, Math.min(lost.size(), p.tolerance()));
                assertTrue(Solver.decodable(code, within), () -> p.name() + " without " + within);
              });
          if (code.n() <= EXHAUSTIVE) {
            List<List<Integer>> fatal = new ArrayList<>();
            TestCodes.subsets(
                code.n(),
                lost -> {
                  if (lost.size() == p.tolerance() + 1 && !Solver.decodable(code, lost)) {
                    fatal.add(lost);
                  }
                });
            assertTrue(!fatal.isEmpty(), p.name() + " survives more than " + p.tolerance());
          }
        });
  }

  @TestFactory
  final List<DynamicTest> promisesHold() {
    Random random = Seeds.random(getClass());
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          assertTrue(!code.promises().isEmpty(), p.name() + " promises nothing");
          for (Promise promise : code.promises()) {
            assertTrue(promise.patterns() > 0, promise::text);
            if (promise.patterns() <= MAX_PATTERNS) {
              long[] visited = new long[1];
              promise.each(
                  lost -> {
                    assertHolds(code, promise, lost);
                    visited[0]++;
                    return true;
                  });
              assertEquals(promise.patterns(), visited[0], promise::text);
            }
            for (int i = 0; i < SAMPLES; i++) {
              assertHolds(code, promise, promise.sample(random));
            }
          }
        });
  }

  private static void assertHolds(ErasureCode code, Promise promise, List<Integer> lost) {
    assertTrue(promise.holds(code, lost), () -> code.name() + ", " + promise.text() + ": " + lost);
  }

  @TestFactory
  final List<DynamicTest> groupsRepairThemselves() {
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          if (code.groups().isEmpty()) {
            return;
          }
          Promise all = Promises.withinGroups("groups", code.groups());
          all.each(
              lost -> {
                assertHolds(code, all, lost);
                return true;
              });
        });
  }

  @TestFactory
  final List<DynamicTest> racksNameEveryBlock() {
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          code.racks()
              .ifPresent(
                  racks -> {
                    assertEquals(code.n(), racks.size());
                    int count = racks.stream().mapToInt(r -> r).max().orElseThrow() + 1;
                    assertEquals(count, racks.stream().distinct().count());
                    assertTrue(racks.stream().allMatch(r -> r >= 0));
                  });
        });
  }

  @TestFactory
  final List<DynamicTest> schedulesEqualTheMatrix() {
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          assertEquals(code.generator(), Schedule.generator(code).rows(code));
          for (Schedule schedule : code.encodings()) {
            assertEquals(code.generator(), schedule.rows(code), schedule.name());
          }
        });
  }

  @TestFactory
  final List<DynamicTest> repairSetsSuffice() {
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          for (int lost = 0; lost < code.n(); lost++) {
            List<SubBlock> wanted = new ArrayList<>();
            for (int s = 0; s < code.alpha(); s++) {
              wanted.add(new SubBlock(lost, s));
            }
            for (List<SubBlock> set : code.repairSets(Set.of(lost))) {
              int block = lost;
              assertTrue(set.stream().noneMatch(s -> s.block() == block), set::toString);
              assertTrue(Solver.solveSubBlocks(code, wanted, set).isPresent(), set::toString);
            }
          }
        });
  }

  @TestFactory
  final List<DynamicTest> bytesComeBack() {
    Random random = Seeds.random(getClass());
    return each(
        p -> {
          ErasureCode code = Codes.named(p.name());
          int length = 37;
          byte[][] stripe = encode(code, random, length);
          List<Integer> lost = TestCodes.subset(random, code.n(), p.tolerance());
          List<Integer> left = new ArrayList<>(TestCodes.without(code, lost));
          Collections.shuffle(left, random);
          for (Equation equation : Solver.solve(code, lost, left).orElseThrow()) {
            int count = equation.terms().size();
            int[] row = equation.terms().stream().mapToInt(Term::coefficient).toArray();
            byte[] rebuilt = new byte[length];
            Kernels.scalar()
                .transform(Matrix.of(1, count, row))
                .apply(
                    equation.terms().stream()
                        .map(t -> ByteBuffer.wrap(stripe[code.row(t.source())]))
                        .toArray(ByteBuffer[]::new),
                    new ByteBuffer[] {ByteBuffer.wrap(rebuilt)},
                    length);
            assertArrayEquals(stripe[code.row(equation.target())], rebuilt, equation::toString);
          }
        });
  }

  /** All sub-blocks of a stripe over random data, by the generator's rows. */
  private static byte[][] encode(ErasureCode code, Random random, int length) {
    int width = code.k() * code.alpha();
    byte[][] stripe = new byte[code.n() * code.alpha()][length];
    for (int i = 0; i < width; i++) {
      random.nextBytes(stripe[i]);
    }
    int[] parity = IntStream.range(width, stripe.length).toArray();
    ByteBuffer[] all = Arrays.stream(stripe).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
    Kernels.active()
        .transform(code.generator().select(parity))
        .apply(Arrays.copyOf(all, width), Arrays.copyOfRange(all, width, all.length), length);
    return stripe;
  }
}
