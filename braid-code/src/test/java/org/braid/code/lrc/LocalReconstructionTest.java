package org.braid.code.lrc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCodeContract;
import org.braid.code.Gf256;
import org.braid.code.LocalGroup;
import org.braid.code.Promise;
import org.braid.code.Solver;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LocalReconstructionTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("lrc-2-1-1", 2),
        new Member("lrc-3-3-2", 3),
        new Member("lrc-4-2-1", 2),
        new Member("lrc-4-2-2", 3),
        new Member("lrc-4-2-3", 4),
        new Member("lrc-6-2-2", 3),
        new Member("lrc-6-3-1", 2),
        new Member("lrc-10-2-2", 3),
        new Member("lrc-12-2-2", 3),
        new Member("lrc-12-4-3", 4),
        new Member("lrc-10-2-4", 5),
        new Member("lrc-24-4-2", 3),
        new Member("lrc-50-5-6", 7));
  }

  private static LocalReconstruction code(int k, int l, int g) {
    return new LocalReconstruction(new LrcSettings(k, l, g));
  }

  private static LocalReconstruction code(String name) {
    return (LocalReconstruction) Codes.named(name);
  }

  /** Visits all sets of blocks. */
  private static void subsets(int n, Consumer<List<Integer>> visitor) {
    for (int bits = 0; bits < 1 << n; bits++) {
      visitor.accept(BitSet.valueOf(new long[] {bits}).stream().boxed().toList());
    }
  }

  private static long count(List<Integer> lost, List<Integer> blocks) {
    return lost.stream().filter(blocks::contains).count();
  }

  private static List<Integer> globals(LocalReconstruction code) {
    return IntStream.range(code.n() - code.settings().g(), code.n()).boxed().toList();
  }

  /** What is left to the global parities once each group has repaired one block. */
  private static long left(LocalReconstruction code, List<Integer> lost) {
    long left = count(lost, globals(code));
    for (LocalGroup group : code.groups()) {
      left += Math.max(0, count(lost, group.blocks()) - 1);
    }
    return left;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lrc-3-1-2",
        "lrc-3-3-2",
        "lrc-6-2-1",
        "lrc-8-2-2",
        "lrc-4-2-3",
        "lrc-6-3-2",
        "lrc-6-3-3",
        "lrc-4-4-2"
      })
  void recoversEveryPatternThatAnyCodeOfItsShapeCanAndNoOther(String name) {
    LocalReconstruction code = code(name);
    assertTrue(code.maximallyRecoverable());
    subsets(
        code.n(),
        lost ->
            assertEquals(
                left(code, lost) <= code.settings().g(),
                Solver.decodable(code, lost),
                lost::toString));
  }

  /** The two conditions of section 3.5 of the paper on encoding-aware replication. */
  private static boolean conditions(LocalReconstruction code, List<Integer> lost) {
    int g = code.settings().g();
    if (lost.size() > g + code.settings().l()) {
      return false;
    }
    long global = count(lost, globals(code));
    return code.groups().stream().allMatch(a -> count(lost, a.blocks()) + global <= g + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lrc-6-2-1", "lrc-6-2-3", "lrc-10-2-2"})
  void forTwoGroupsThePapersConditionsAreExact(String name) {
    LocalReconstruction code = code(name);
    subsets(
        code.n(),
        lost -> assertEquals(conditions(code, lost), Solver.decodable(code, lost), lost::toString));
  }

  @Test
  void forThreeGroupsThePapersConditionsPromiseTooMuch() {
    LocalReconstruction code = code("lrc-6-3-1");
    List<Integer> twoOfTwoGroups = List.of(0, 1, 2, 3);
    assertTrue(conditions(code, twoOfTwoGroups));
    assertEquals(2, left(code, twoOfTwoGroups));
    assertFalse(Solver.decodable(code, twoOfTwoGroups));
  }

  @Test
  void parityRowsFollowTheirDefinition() {
    LocalReconstruction code = code("lrc-10-2-2");
    assertArrayEquals(new int[] {1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, code.generator().row(10));
    assertArrayEquals(new int[] {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, code.generator().row(11));
    int[] first = code.generator().row(12);
    // powers 0, 17, 34 ... and 1, 18, 35 ... of 2 under x^8+x^4+x^3+x^2+1
    assertArrayEquals(new int[] {1, 152, 78, 10, 153, 2, 45, 156, 20, 47}, first);
    int[] squares = Arrays.stream(first).map(t -> Gf256.multiply(t, t)).toArray();
    assertArrayEquals(squares, code.generator().row(13));
  }

  @Test
  void groupsAreNeighboursAndTheirParity() {
    assertEquals(
        List.of(
            new LocalGroup("local 1", List.of(0, 1, 6), 1),
            new LocalGroup("local 2", List.of(2, 3, 7), 1),
            new LocalGroup("local 3", List.of(4, 5, 8), 1)),
        code("lrc-6-3-2").groups());
  }

  @Test
  void promisesAreTheTrueTolerance() {
    assertEquals(
        List.of(
            "1 block of each local group and any 2 more",
            "any 3 blocks",
            "any 1 block of a local group from that group"),
        code("lrc-12-4-2").promises().stream().map(Promise::text).toList());
    LocalReconstruction pyramid = code("lrc-50-5-6");
    assertFalse(pyramid.maximallyRecoverable());
    assertEquals(
        List.of("any 7 blocks", "any 1 block of a local group from that group"),
        pyramid.promises().stream().map(Promise::text).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "10-0-2,'l = 0, an LRC needs at least 1 local parity'",
    "0-2-2,'k = 0, an LRC needs at least 1 data block'",
    "10-2-0,'g = 0, an LRC needs at least 1 global parity'",
    "10-3-2,'k = 10 is not a multiple of l = 3, but all local groups of an LRC have k/l data"
        + " blocks'",
    "2-3-2,'k = 2 is not a multiple of l = 3, but all local groups of an LRC have k/l data"
        + " blocks'",
    "250-2-4,'k + l + g = 256, an LRC over GF(2^8) takes at most 255 blocks'",
    "999999999-1-999999999,'k + l + g = 1999999999, an LRC over GF(2^8) takes at most 255 blocks'"
  })
  void otherParametersAreRefusedWithTheirNumbers(String parameters, String reason) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Codes.named("lrc-" + parameters))
            .getMessage();
    assertTrue(message.contains(": " + reason + "; the pattern is lrc-K-L-G"), message);
  }

  @Test
  void theLongestStripesAreMade() {
    assertEquals(255, code(252, 2, 1).n());
    assertEquals(255, code(127, 127, 1).n());
    assertEquals(255, code(1, 1, 253).n());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    LocalReconstruction code = code(6, 2, 2);
    assertEquals(code, code(6, 2, 2));
    assertEquals(code.hashCode(), code(6, 2, 2).hashCode());
    assertNotEquals(code, code(6, 2, 1));
    assertEquals(new LrcSettings(6, 2, 2), code.settings());
  }

  /** All codes with at most 24 data blocks in 2 to 4 groups. */
  private static List<LocalReconstruction> upTo24(int g) {
    List<LocalReconstruction> codes = new ArrayList<>();
    for (int l = 2; l <= 4; l++) {
      for (int k = l; k <= 24; k += l) {
        codes.add(code(k, l, g));
      }
    }
    return codes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void withOneOrTwoGlobalParitiesAllAreMaximallyRecoverable(int g) {
    var random = Seeds.random(getClass());
    for (LocalReconstruction code : upTo24(g)) {
      assertTrue(code.maximallyRecoverable(), code::name);
      Promise promise = code.promises().get(0);
      for (int i = 0; i < 200; i++) {
        List<Integer> lost = promise.sample(random);
        assertEquals(g, left(code, lost));
        assertTrue(promise.holds(code, lost), () -> code.name() + " without " + lost);
      }
    }
  }

  @Test
  void withThreeGlobalParitiesAllAreMaximallyRecoverableThatWereFound() {
    assertEquals(
        List.of("lrc-22-2-3", "lrc-24-2-3", "lrc-24-4-3"),
        upTo24(3).stream()
            .filter(c -> !c.maximallyRecoverable())
            .map(LocalReconstruction::name)
            .toList());
  }

  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void everyPatternOfEveryCodeUpTo24(int g) {
    for (LocalReconstruction code : upTo24(g)) {
      Promise promise = code.promises().get(0);
      long[] visited = new long[1];
      promise.each(
          lost -> {
            visited[0]++;
            assertTrue(promise.holds(code, lost), () -> code.name() + " without " + lost);
            return true;
          });
      assertEquals(promise.patterns(), visited[0], code::name);
    }
  }
}
