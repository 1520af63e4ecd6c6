package org.braid.code.stair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.ErasureCodeContract;
import org.braid.code.Promise;
import org.braid.code.Solver;
import org.braid.code.Term;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StairTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("stair-n1-r3-m0-e2-l0", 2),
        new Member("stair-n2-r2-m0-e1.1-l0", 1),
        new Member("stair-n3-r3-m1-e1-l0", 2),
        new Member("stair-n5-r2-m1-e1.1-l0", 3),
        new Member("stair-n4-r3-m2-e0-l0", 2),
        new Member("rstair-n3-r3-m0-e0-l1", 1),
        new Member("rstair-n3-r3-m1-e2-l1", 5),
        new Member("rstair-n5-r2-m1-e1.2-l1", 5),
        new Member("rstair-n2-r5-m0-e4-l2", 4),
        new Member("rstair-n4-r5-m1-e3-l2", 7),
        new Member("rstair-n5-r4-m1-e2-l1", 5),
        new Member("rstair-n6-r5-m1-e2.4-l1", 7),
        new Member("stair-n8-r4-m2-e1.1.2-l0", 5),
        new Member("rstair-n14-r8-m4-e0-l1", 9),
        new Member("rstair-n14-r8-m1-e4.4.4-l1", 9));
  }

  @ParameterizedTest
  @CsvSource({
    // figure 2(c)
    "rstair-n6-r5-m1-e2.4-l1,30,16,1.8750",
    // section V-A: R-STAIR 1.37; codes without coverage vector are its RS 1.40 and its HLR 1.60
    "rstair-n14-r8-m1-e4.4.4-l1,112,82,1.3659",
    "rstair-n14-r8-m1-e2.3.7-l1,112,82,1.3659",
    "stair-n14-r8-m4-e0-l0,112,80,1.4000",
    "rstair-n14-r8-m4-e0-l1,112,70,1.6000",
    // section V-B
    "rstair-n5-r4-m1-e2-l1,20,11,1.8182"
  })
  void storageIsThatOfThePaper(String name, int n, int k, String overhead) {
    ErasureCode code = Codes.named(name);
    assertEquals(n, code.n());
    assertEquals(k, code.k());
    assertEquals(overhead, String.format(Locale.ROOT, "%.4f", (double) code.n() / code.k()));
  }

  @Test
  void blocksAreOrderedAsDocumented() {
    // figure 3, cells in the order data, vertical, global, horizontal
    assertEquals(
        List.of(
            0, 1, 2, 3, 4, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, // D
            0, 1, 2, 3, 4, // V
            4, 4, 3, 4, // G
            5, 5, 5, 5, 5), // H
        Codes.named("rstair-n6-r5-m1-e2.4-l1").racks().orElseThrow());
  }

  @Test
  void promisesSayWhatTheyMean() {
    assertEquals(
        List.of(
            "any whole rack, any 2 and 4 blocks of 2 racks more, any 1 block of each rack left",
            "any whole rack, any 2 and 4 blocks of 2 racks more",
            "any block of a rack from that rack alone"),
        texts("rstair-n6-r5-m1-e2.4-l1"));
    assertEquals(
        List.of("any 2 whole racks, any 1, 1 and 2 blocks of 3 racks more"),
        texts("stair-n8-r4-m2-e1.1.2-l0"));
    assertEquals(List.of("any 1 block of 1 rack"), texts("stair-n3-r3-m0-e1-l0"));
    assertEquals(
        List.of("any 2 blocks of each rack", "any 2 blocks of a rack from that rack alone"),
        texts("rstair-n3-r3-m0-e0-l2"));
    assertEquals(
        List.of(
            "any whole rack, any 1 block of 1 rack more",
            "any block of a rack from that rack alone"),
        texts("rstair-n2-r3-m1-e1-l1"));
  }

  private static List<String> texts(String name) {
    return Codes.named(name).promises().stream().map(Promise::text).toList();
  }

  @Test
  void theStrongestPromiseUsesEveryParity() {
    for (Member member : members()) {
      ErasureCode code = Codes.named(member.name());
      code.promises()
          .get(0)
          .each(
              lost -> {
                assertEquals(code.m(), lost.size(), member::name);
                return false;
              });
    }
  }

  @Test
  void aRackRepairsItsSingleLossByXor() {
    ErasureCode code = Codes.named("rstair-n6-r5-m1-e2.4-l1");
    for (int lost = 0; lost < code.n(); lost++) {
      int block = lost;
      List<Integer> rack =
          code.groups().stream()
              .filter(g -> g.blocks().contains(block))
              .findFirst()
              .orElseThrow()
              .without(List.of(block));
      Equation equation = Solver.solve(code, List.of(lost), rack).orElseThrow().get(0);
      assertEquals(rack, equation.terms().stream().map(t -> t.source().block()).toList());
      assertTrue(equation.terms().stream().map(Term::coefficient).allMatch(c -> c == 1));
    }
  }

  @Test
  void withoutCoverageAndLocalParitiesEachRowIsReedSolomonOfItsOwn() {
    ErasureCode code = Codes.named("stair-n5-r2-m2-e0-l0");
    for (int row = 0; row < 2; row++) {
      for (int parity = 0; parity < 2; parity++) {
        int[] values = code.generator().row(6 + 2 * row + parity);
        int others = 1 - row;
        assertTrue(IntStream.range(0, 3).allMatch(i -> values[3 * others + i] == 0));
        assertTrue(IntStream.range(3 * row, 3 * row + 3).allMatch(i -> values[i] != 0));
      }
    }
  }

  @Test
  void equalSettingsAreEqualCodes() {
    StairSettings settings = new StairSettings(5, 4, 1, List.of(2), 1);
    assertEquals(new Stair(settings), Codes.named("rstair-n5-r4-m1-e2-l1"));
    assertEquals(new Stair(settings).hashCode(), Codes.named(settings.name()).hashCode());
    assertNotEquals(new Stair(settings), Codes.named("rstair-n5-r4-m1-e3-l1"));
    assertEquals(settings, new Stair(settings).settings());
  }
}
