package org.braid.code.derive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.HandMade;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.Promises;
import org.braid.code.Schedule;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.code.derive.Verification.Check;
import org.braid.code.derive.Verification.Options;
import org.braid.code.derive.Verification.PromiseResult;
import org.junit.jupiter.api.Test;

final class VerificationTest {
  private static Verification verify(ErasureCode code, Options options) {
    return Verification.of(code, options, (promise, done, total) -> {});
  }

  private static List<String> problems(ErasureCode code) {
    Verification result = verify(code, Options.DEFAULT);
    List<String> problems =
        result.checks().stream().map(Check::problem).flatMap(Optional::stream).toList();
    assertEquals(problems.isEmpty(), result.holds());
    return problems;
  }

  @Test
  void allPatternsOfAShortPromise() {
    List<Long> heard = new ArrayList<>();
    Verification result =
        Verification.of(
            Codes.named("rs-6-3"), Options.DEFAULT, (promise, done, total) -> heard.add(done));
    assertTrue(result.holds());
    assertEquals(
        List.of(new PromiseResult("any 3 blocks", 84, 84, true, 0, List.of())), result.promises());
    assertEquals(Optional.empty(), result.promises().get(0).sample());
    assertEquals(List.of(84L), heard);
  }

  @Test
  void manyPatternsAreDrawnBySeed() {
    Verification result = verify(Codes.named("rs-10-4"), new Options(500, 3));
    PromiseResult promise = result.promises().get(0);
    assertEquals(1001, promise.patterns());
    assertEquals(500, promise.checked());
    assertFalse(promise.exhaustive());
    assertEquals(Optional.of(new PatternSample(500)), promise.sample());
    assertTrue(result.holds());
  }

  @Test
  void brokenPromisesAreCountedAndShown() {
    ErasureCode code = HandMade.twoXorGroups().promising(Promises.any(6, 2));
    PromiseResult all = verify(code, Options.DEFAULT).promises().get(0);
    assertEquals(15, all.checked());
    assertEquals(6, all.failed());
    assertEquals(Verification.SHOWN, all.failures().size());
    assertEquals(List.of(0, 1), all.failures().get(0));
    assertFalse(all.holds());
    PromiseResult some = verify(code, new Options(10, 1)).promises().get(0);
    assertTrue(some.failed() > 0 && some.failed() < 10, some::toString);
    assertEquals(Optional.empty(), some.sample());
    assertFalse(verify(code, Options.DEFAULT).holds());
  }

  @Test
  void matricesMustBeginWithTheData() {
    HandMade code = HandMade.of(2, 1, new int[] {1, 1});
    assertEquals(List.of(), problems(code));
    assertEquals(
        List.of("the first 2 rows are not the identity"),
        problems(code.with(Matrix.of(3, 2, 1, 0, 1, 1, 0, 1))));
    assertEquals(
        List.of("the matrix is 4 x 2, not 3 x 2"),
        problems(code.with(Matrix.of(4, 2, 1, 0, 0, 1, 1, 1, 1, 2))));
  }

  @Test
  void encodingsMustEqualTheMatrix() {
    HandMade code = HandMade.of(2, 1, new int[] {1, 1});
    SubBlock parity = new SubBlock(2, 0);
    Equation wrong =
        new Equation(
            parity, List.of(new Term(new SubBlock(0, 0), 1), new Term(new SubBlock(1, 0), 2)));
    assertEquals(List.of(), problems(code.encodedBy(Schedule.generator(code))));
    assertEquals(
        List.of("short makes other parity"),
        problems(code.encodedBy(new Schedule("short", List.of(wrong)))));
    assertEquals(
        List.of("empty does not make " + parity),
        problems(code.encodedBy(new Schedule("empty", List.of()))));
  }

  @Test
  void groupsAndRepairSetsMustSuffice() {
    HandMade code = HandMade.twoXorGroups();
    assertEquals(List.of(), problems(code.grouped(new LocalGroup("a", List.of(0, 1, 4), 1))));
    assertEquals(
        List.of("1 of 4 losses are not repaired, for example [2]"),
        problems(code.grouped(new LocalGroup("a", List.of(0, 1, 2, 4), 1))));
    List<SubBlock> set = List.of(new SubBlock(1, 0), new SubBlock(4, 0));
    // It is offered for each block that is not in it, and only good for block 0.
    assertEquals(List.of("block 2 is not rebuilt from " + set), problems(code.repairedFrom(set)));
  }

  @Test
  void aLimitChecksSomething() {
    assertEquals(
        "limit = 0, at least 1 is needed",
        assertThrows(IllegalArgumentException.class, () -> new Options(0, 1)).getMessage());
  }
}
