package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.hadooptests.ClassRun.End;
import org.braid.hadooptests.ClassRun.TestRun;
import org.braid.hadooptests.Difference.Verdict;
import org.junit.jupiter.api.Test;

/** What differs between runs of a class, and what that means. */
final class ComparisonTest {
  private static final TestRun PASSED = new TestRun("test", TestState.PASSED, 1, "");
  private static final TestRun FAILED = new TestRun("test", TestState.FAILED, 1, "expected: 1");
  private static final TestRun BROKEN_OFF =
      new TestRun("test", TestState.BROKEN_OFF, 0, "did not end");

  @Test
  void failureOfOneRunIsNotJudged() throws Complaint {
    assertEquals(
        List.of(Verdict.ONCE),
        verdicts(List.of(run(TestedHdfs.STOCK, PASSED)), List.of(run(TestedHdfs.BRAID, FAILED))));
  }

  @Test
  void failureThatComesBackIsADifference() throws Complaint {
    assertEquals(
        List.of(Verdict.DIFFERENT),
        verdicts(
            List.of(run(TestedHdfs.STOCK, PASSED), run(TestedHdfs.STOCK, PASSED)),
            List.of(run(TestedHdfs.BRAID, FAILED), run(TestedHdfs.BRAID, FAILED))));
  }

  @Test
  void failureThatComesBackOnBothSidesIsFlaky() throws Complaint {
    assertEquals(
        List.of(Verdict.FLAKY),
        verdicts(
            List.of(run(TestedHdfs.STOCK, PASSED), run(TestedHdfs.STOCK, FAILED)),
            List.of(run(TestedHdfs.BRAID, FAILED), run(TestedHdfs.BRAID, FAILED))));
  }

  @Test
  void repetitionWithStockThatDoesNotReachATestExcusesNoFailure() throws Complaint {
    List<ClassRun> braid = List.of(run(TestedHdfs.BRAID, FAILED), run(TestedHdfs.BRAID, FAILED));
    TestRun whole = new TestRun("(class)", TestState.FAILED, 1, "no start");
    TestRun skipped = new TestRun("test", TestState.SKIPPED, 1, "not now");
    for (ClassRun again :
        List.of(
            timedOut(TestedHdfs.STOCK),
            run(TestedHdfs.STOCK, whole),
            run(TestedHdfs.STOCK, skipped))) {
      assertEquals(
          List.of(Verdict.DIFFERENT),
          verdicts(List.of(run(TestedHdfs.STOCK, PASSED), again), braid),
          again::toString);
    }
  }

  /** A test that is known to fail by chance may fail for another reason, too. */
  @Test
  void chanceIsTheReasonOfAFailureThatDoesNotComeBack() throws Complaint {
    KnownDifferences racy =
        KnownDifferences.parse(List.of("a.TestB#test: It asks before there is an answer."));
    Comparison comparison = new Comparison(KnownDifferences.NONE, racy);
    Difference once = comparison.judged("a.TestB", "test", "expected: 1", 0, 2, 1, 2);
    assertEquals(Verdict.FLAKY, once.verdict());
    assertEquals("It asks before there is an answer.", once.reason());
    Difference twice = comparison.judged("a.TestB", "test", "expected: 1", 0, 2, 2, 2);
    assertEquals(Verdict.DIFFERENT, twice.verdict());
    assertEquals("expected: 1", twice.reason());
    Difference first = comparison.judged("a.TestB", "test", "expected: 1", 0, 1, 1, 1);
    assertEquals(Verdict.ONCE, first.verdict());
    assertEquals("expected: 1", first.reason());
  }

  @Test
  void failureOfStockAloneIsNone() throws Complaint {
    assertEquals(
        List.of(),
        verdicts(List.of(run(TestedHdfs.STOCK, FAILED)), List.of(run(TestedHdfs.BRAID, PASSED))));
  }

  @Test
  void testThatIsSkippedWithBraidAloneIsADifference() throws Complaint {
    TestRun skipped = new TestRun("test", TestState.SKIPPED, 1, "no");
    assertEquals(
        List.of(Verdict.ONCE),
        verdicts(List.of(run(TestedHdfs.STOCK, PASSED)), List.of(run(TestedHdfs.BRAID, skipped))));
  }

  @Test
  void testThatIsSkippedWithStockAndFailsWithBraidIsADifferenceThatSaysSo() throws Complaint {
    TestRun skipped = new TestRun("test", TestState.SKIPPED, 1, "no");
    ClassRun stock = run(TestedHdfs.STOCK, skipped);
    Difference once =
        new Comparison(KnownDifferences.NONE)
            .differences(List.of(stock), List.of(run(TestedHdfs.BRAID, FAILED)))
            .get(0);
    assertEquals(Verdict.ONCE, once.verdict());
    assertEquals("skipped without, failed with Braid: expected: 1", once.reason());
    assertEquals(
        List.of(Verdict.DIFFERENT),
        verdicts(
            List.of(stock, stock),
            List.of(run(TestedHdfs.BRAID, FAILED), run(TestedHdfs.BRAID, BROKEN_OFF))));
    assertEquals(
        List.of(Verdict.FLAKY),
        verdicts(
            List.of(stock, stock),
            List.of(run(TestedHdfs.BRAID, FAILED), run(TestedHdfs.BRAID, skipped))));
    assertEquals(List.of(), verdicts(List.of(stock), List.of(run(TestedHdfs.BRAID, PASSED))));
    assertEquals(List.of(), verdicts(List.of(stock), List.of(run(TestedHdfs.BRAID, skipped))));
    assertEquals(List.of(), verdicts(List.of(stock), List.of(run(TestedHdfs.BRAID))));
    assertEquals(
        List.of(),
        verdicts(
            List.of(timedOut(TestedHdfs.STOCK, skipped)),
            List.of(timedOut(TestedHdfs.BRAID, BROKEN_OFF))));
  }

  @Test
  void testThatNeverBeganSaysWhy() throws Complaint {
    Comparison comparison = new Comparison(KnownDifferences.parse(List.of()));
    ClassRun died = new ClassRun("a.TestB", TestedHdfs.BRAID, "1", "", End.DIED, 1, List.of());
    List<Difference> found =
        comparison.differences(List.of(run(TestedHdfs.STOCK, PASSED)), List.of(died));
    assertEquals("it did not run before the process ended", found.get(0).reason());
    assertTrue(found.get(0).counts());
  }

  @Test
  void sidesThatBothRunOutOfTimeAreComparedSoFarAsBothGot() throws Complaint {
    ClassRun stock = timedOut(TestedHdfs.STOCK, PASSED);
    assertEquals(
        List.of(), verdicts(List.of(stock), List.of(timedOut(TestedHdfs.BRAID, BROKEN_OFF))));
    assertEquals(List.of(), verdicts(List.of(stock), List.of(timedOut(TestedHdfs.BRAID))));
    assertEquals(
        List.of(Verdict.ONCE),
        verdicts(List.of(stock), List.of(timedOut(TestedHdfs.BRAID, FAILED))));
    assertEquals(
        List.of(Verdict.ONCE),
        verdicts(
            List.of(run(TestedHdfs.STOCK, PASSED)),
            List.of(timedOut(TestedHdfs.BRAID, BROKEN_OFF))));
  }

  @Test
  void testThatHangsIsADifferenceThoughBothSidesRunOutOfTime() throws Complaint {
    ClassRun stock = timedOut(TestedHdfs.STOCK, new TestRun("test", TestState.PASSED, 100_000, ""));
    TestRun slow = new TestRun("test", TestState.BROKEN_OFF, 200_000, "did not end");
    TestRun hanging = new TestRun("test", TestState.BROKEN_OFF, 800_000, "did not end");
    assertEquals(List.of(), verdicts(List.of(stock), List.of(timedOut(TestedHdfs.BRAID, slow))));
    assertEquals(
        List.of(Verdict.ONCE),
        verdicts(List.of(stock), List.of(timedOut(TestedHdfs.BRAID, hanging))));
  }

  @Test
  void resultOfATestThatIsReportedTwiceIsTheWorse() {
    assertEquals(FAILED, run(TestedHdfs.BRAID, PASSED, FAILED).byName().get("test"));
    assertEquals(FAILED, run(TestedHdfs.BRAID, FAILED, PASSED).byName().get("test"));
  }

  @Test
  void failureBesideOtherClassesIsToldUnlessStockOrAPortFailed() throws Complaint {
    ClassRun passed = run(TestedHdfs.STOCK, PASSED);
    ClassRun failed = run(TestedHdfs.STOCK, FAILED);
    TestRun port =
        new TestRun("test", TestState.FAILED, 1, "java.net.BindException: Port in use: a:50071");
    assertEquals(List.of(Verdict.FLAKY), beside(List.of(passed), FAILED, PASSED));
    assertEquals(List.of(Verdict.FLAKY), beside(List.of(passed), BROKEN_OFF, PASSED));
    assertEquals(List.of(), beside(List.of(failed, passed), FAILED, PASSED));
    assertEquals(List.of(), beside(List.of(passed), port, PASSED));
    assertEquals(List.of(), beside(List.of(passed), PASSED, PASSED));
    assertEquals(List.of(), beside(List.of(passed), FAILED, FAILED), "not beside others alone");
  }

  private static List<Verdict> beside(List<ClassRun> stock, TestRun beside, TestRun alone)
      throws Complaint {
    List<ClassRun> braid = List.of(run(TestedHdfs.BRAID, beside), run(TestedHdfs.BRAID, alone));
    return new Comparison(KnownDifferences.parse(List.of()))
        .beside(stock, braid).stream().map(Difference::verdict).toList();
  }

  private static List<Verdict> verdicts(List<ClassRun> stock, List<ClassRun> braid)
      throws Complaint {
    return new Comparison(KnownDifferences.parse(List.of()))
        .differences(stock, braid).stream().map(Difference::verdict).toList();
  }

  private static ClassRun run(TestedHdfs side, TestRun... tests) {
    return new ClassRun("a.TestB", side, "1", "", End.COMPLETE, 1, List.of(tests));
  }

  private static ClassRun timedOut(TestedHdfs side, TestRun... tests) {
    return new ClassRun("a.TestB", side, "1", "", End.TIMED_OUT, 1, List.of(tests));
  }
}
