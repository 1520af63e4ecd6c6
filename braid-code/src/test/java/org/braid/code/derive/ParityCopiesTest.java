package org.braid.code.derive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.LocalGroup;
import org.braid.code.Promises.Combinations;
import org.braid.code.Solver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParityCopiesTest {
  private static List<Integer> others(ErasureCode code, List<Integer> lost) {
    return IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
  }

  @Test
  void copiesAreFoundByPosition() {
    ErasureCode code = Codes.named("rs-6-3");
    ParityCopies copied = new ParityCopies(code, 3);
    assertEquals("rs-6-3, parity x3", copied.name());
    assertEquals(15, copied.n());
    assertEquals(List.of(5), copied.copiesOf(5));
    assertEquals(List.of(7, 10, 13), copied.copiesOf(7));
    assertEquals(copied.copiesOf(7), copied.copiesOf(13));
    assertSame(code, ParityCopies.original(copied));
    assertSame(code, ParityCopies.original(code));
    assertEquals(List.of(3, 1), List.of(ParityCopies.of(copied), ParityCopies.of(code)));
  }

  /** What a group says it can rebuild, whichever copies are lost, it can. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "lrc-10-2-2", "mxor-10-7", "rotated-rs-6-3-4"})
  void groupsRebuildWhatTheySay(String name) {
    ErasureCode code = new ParityCopies(Codes.named(name), 2);
    assertTrue(code.groups().size() >= code.m() / 2);
    for (LocalGroup group : code.groups()) {
      new Combinations(group.blocks().size(), group.losses())
          .each(
              picked -> {
                List<Integer> lost = picked.stream().map(group.blocks()::get).toList();
                assertTrue(
                    Solver.solve(code, lost, group.without(lost)).isPresent(),
                    () -> group + " without " + lost);
                return true;
              });
    }
  }

  /** What is counted on is proven by trying all patterns; copies of parity save no data blocks. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "lrc-10-2-2", "mxor-10-7"})
  void toleranceIsNotOverstated(String name) {
    ErasureCode code = Codes.named(name);
    ErasureCode copied = new ParityCopies(code, 2);
    int any = Tolerance.of(code).proven();
    int counted = Tolerance.counted(copied);
    assertEquals(Tolerance.of(copied).proven(), counted);
    // A data block with both parities over it is fatal to the one, not to the other any more.
    assertEquals(name.startsWith("mxor") ? any + 1 : any, counted);
    assertEquals(any, Tolerance.spare(copied, List.of(code.k()), any));
    assertTrue(Tolerance.spare(copied, List.of(0, 1), counted) < counted);
  }

  @Test
  void readsThatACodeNamesAreKept() {
    ErasureCode code = Codes.named("rotated-rs-6-3-4");
    ErasureCode copied = new ParityCopies(code, 2);
    assertEquals(code.repairSets(Set.of(0)), copied.repairSets(Set.of(0)));
    assertEquals(List.of(), copied.repairSets(Set.of(0, 10)));
    List<Integer> lost = List.of(10);
    assertEquals(
        Set.of(7),
        Set.copyOf(
            RepairSearch.find(
                    copied, lost, others(copied, lost), RepairAim.BYTES, RepairSearch.Effort.MANY)
                .equations()
                .stream()
                .flatMap(equation -> equation.terms().stream())
                .map(term -> term.source().block())
                .toList()));
  }
}
