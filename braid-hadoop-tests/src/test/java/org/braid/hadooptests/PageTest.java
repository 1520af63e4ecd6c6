package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.braid.hadooptests.ClassRun.End;
import org.braid.hadooptests.Difference.Verdict;
import org.junit.jupiter.api.Test;

/** The page of results is read as it was written. */
final class PageTest {
  private static final String A = "org.apache.hadoop.hdfs.TestA";
  private static final String B = "org.apache.hadoop.hdfs.server.TestB";
  private static final String C = "org.braid.TestC";
  private static final String D = "org.apache.hadoop.hdfs.TestD";
  private static final String E = "org.apache.hadoop.hdfs.TestE";
  private static final Path PAGE = Path.of("..", "docs", "HADOOP-TESTS.md");

  @Test
  void pageIsReadAsItWasWritten() throws Complaint {
    Report report =
        new Report(
            List.of(row(A, 3, "1234abcd"), row(B, 1, ""), row(C, 2, "c0ffee")),
            List.of(
                new Difference(A, "#1/t(int)", Verdict.ONCE, "a | b < c &lt; d", 0, 1, 1, 1),
                new Difference(B, "t", Verdict.FLAKY, "expected: <2>", 1, 2, 1, 2),
                new Difference(C, "t", Verdict.DIFFERENT, "no", 0, 2, 2, 2)));
    String text = text(report);
    assertTrue(text.contains("\nThe tests are those of Hadoop 3.5.0, and ran with 3.5.0. "), text);
    assertTrue(text.contains("Hadoop's own tests of 3.4 were not run: "), text);
    assertTrue(text.contains("3 of the 5 classes of tests of HDFS 3.5.0"), text);
    assertTrue(text.contains("2 of them with stock HDFS, too, "), text);
    assertTrue(text.contains("All tests of the other 1 passed with Braid"), text);
    assertTrue(text.contains("The results come from different states of Braid (3)"), text);
    Report read = Page.parse(text, comparison());
    assertEquals(report.rows(), read.rows());
    assertEquals(
        List.of(
            report.differences().get(1), report.differences().get(0), report.differences().get(2)),
        read.differences());
    assertEquals(text, text(read));
  }

  @Test
  void classesThatFailWithStockAreNamedHoweverTheyEndWithBraid() throws Complaint {
    Outcome passed = new Outcome(End.COMPLETE, 1, Map.of(TestState.PASSED, 2L));
    Outcome failed = new Outcome(End.COMPLETE, 1, Map.of(TestState.FAILED, 2L));
    Outcome hung = new Outcome(End.TIMED_OUT, 1, Map.of(TestState.BROKEN_OFF, 1L));
    Outcome died = new Outcome(End.DIED, 1, Map.of());
    Report report =
        new Report(
            List.of(
                new Report.Row(A, Optional.of(failed), hung, ""),
                new Report.Row(B, Optional.of(passed), failed, ""),
                new Report.Row(C, Optional.empty(), passed, ""),
                new Report.Row(D, Optional.of(died), passed, ""),
                new Report.Row(E, Optional.of(hung), passed, "")),
            List.of());
    String text = text(report);
    String legend = "Numbers of tests that passed / failed / were skipped / were broken off.\n\n";
    String table = "| class | stock | Braid |\n|---|---|---|\n";
    String both =
        "\n## Classes with failures on both sides: 1\n\n"
            + legend
            + table
            + "| hdfs.TestA | 0 / 2 / 0 / 0 | 0 / 0 / 0 / 1, timed out |\n";
    String alone =
        "\n## Classes with failures with stock HDFS alone: 2\n\n"
            + legend
            + table
            + "| hdfs.TestD | 0 / 0 / 0 / 0, died | 2 / 0 / 0 / 0 |\n"
            + "| hdfs.TestE | 0 / 0 / 0 / 1, timed out | 2 / 0 / 0 / 0 |\n";
    assertTrue(text.contains(both + alone), text);
    assertEquals(text, text(Page.parse(text, comparison())));
    String none = text(Report.EMPTY);
    assertTrue(none.contains("\n## Classes with failures on both sides: 0\n\nNone.\n"), none);
  }

  /** Nobody takes the table for all classes. */
  @Test
  void classesWithoutResultsAreNamed() throws Complaint {
    String some = text(new Report(List.of(row(A, 3, ""), row(B, 1, ""), row(C, 1, "")), List.of()));
    String table =
        "| class | why |\n|---|---|\n| hdfs.TestD | It is abstract. |\n| hdfs.TestE |  |\n";
    assertTrue(some.contains("\n## Classes without results: 2\n\nThose without a reason"), some);
    assertTrue(some.contains("](#classes-without-results-2), 2 of them, "), some);
    assertTrue(some.contains("\n\n" + table + "\n## Classes\n"), some);
    assertEquals(List.of(D, E), Page.parse(some, comparison()).missing(List.of(A, B, C, D, E)));
    List<Report.Row> rows = Stream.of(A, B, C, D, E).map(name -> row(name, 3, "")).toList();
    String all = text(new Report(rows, List.of()));
    assertTrue(all.contains("\n## Classes without results: 0\n\nNone.\n"), all);
  }

  @Test
  void endsOfProcessesAreReadAsTheyWereWritten() {
    for (End end : End.values()) {
      Outcome outcome = new Outcome(end, 7, counts(2));
      assertEquals(outcome, Outcome.parse(outcome.numbers(), 7).orElseThrow());
    }
  }

  @Test
  void differenceIsExpectedOnceItIsListed() throws Complaint {
    Report report =
        new Report(
            List.of(row(A, 3, "")),
            List.of(new Difference(A, "t", Verdict.DIFFERENT, "no", 0, 2, 2, 2)));
    KnownDifferences known =
        KnownDifferences.parse(List.of(A + "#t: It casts to Hadoop's own class."));
    Report read = Page.parse(text(report), new Comparison(known));
    assertEquals(Verdict.EXPECTED, read.differences().get(0).verdict());
    assertEquals("It casts to Hadoop's own class.", read.differences().get(0).reason());
    assertTrue(read.holds());
  }

  @Test
  void differenceOfNoClassOnThePageIsRefused() {
    Complaint complaint =
        assertThrows(
            Complaint.class,
            () -> Page.parse("| TestA#t | 0 of 1 | 1 of 1 | no |\n", comparison()));
    assertEquals(
        "the page has a difference of TestA and 0 classes of that name", complaint.getMessage());
  }

  @Test
  void classesThatAreMissingOrDifferAreOpen() {
    Report report =
        new Report(
            List.of(row(A, 1, ""), row(B, 1, "")),
            List.of(
                new Difference(A, "t", Verdict.FLAKY, "no", 0, 2, 1, 2),
                new Difference(B, "t", Verdict.ONCE, "no", 0, 1, 1, 1)));
    assertEquals(List.of(B, C), report.open(List.of(A, B, C)));
  }

  @Test
  void newResultsTakeThePlaceOfEarlierOnes() {
    Difference earlierOfA = new Difference(A, "t", Verdict.ONCE, "no", 0, 1, 1, 1);
    Difference earlierOfB = new Difference(B, "t", Verdict.FLAKY, "no", 0, 2, 1, 2);
    Report earlier =
        new Report(List.of(row(A, 1, ""), row(B, 1, "")), List.of(earlierOfA, earlierOfB));
    Report found = new Report(List.of(row(C, 5, "c"), row(A, 2, "c")), List.of()).after(earlier);
    assertEquals(List.of(row(A, 2, "c"), row(B, 1, ""), row(C, 5, "c")), found.rows());
    assertEquals(List.of(earlierOfB), found.differences());
  }

  /** Classes on the page of this repository are not run again. */
  @Test
  void pageOfTheDocumentationIsRead() throws Exception {
    String text = Files.readString(PAGE);
    Report read = Page.parse(text, new Comparison(HadoopTests.known(), HadoopTests.racy()));
    assertTrue(read.rows().size() >= 182, read.rows().size() + " classes");
    String known = "org.apache.hadoop.fs.TestResolveHdfsSymlink";
    assertEquals(List.of(), read.open(List.of(known)));
    assertTrue(read.differences().stream().anyMatch(each -> each.name().equals(known)));
  }

  /**
   * Where the program has changed, {@code braid-hadoop-tests/run --report --page
   * docs/HADOOP-TESTS.md} writes the page anew.
   */
  @Test
  void pageOfTheDocumentationIsAsTheProgramWritesIt() throws Exception {
    String text = Files.readString(PAGE);
    Report read = Page.parse(text, new Comparison(HadoopTests.known(), HadoopTests.racy()));
    HadoopClassPath classPath = HadoopClassPath.ofThisProcess();
    TestClasses all = TestClasses.in(classPath.jar("hadoop-hdfs-", "-tests.jar"));
    // This test runs on other JDKs, too.
    String here = text.replaceFirst("on JDK \\d+", "on JDK " + Runtime.version().feature());
    assertEquals(
        here, Page.text(read, classPath.hadoop(), all.names(), HadoopTests.withoutResults()));
  }

  private static String text(Report report) throws Complaint {
    KnownDifferences without = KnownDifferences.parse(List.of(D + "#*: It is abstract."));
    return Page.text(report, "3.5.0", List.of(A, B, C, D, E), without);
  }

  private static Report.Row row(String name, long passed, String commit) {
    return new Report.Row(
        name,
        passed == 2 ? Optional.empty() : Optional.of(new Outcome(End.COMPLETE, 12, counts(passed))),
        new Outcome(End.TIMED_OUT, 900, counts(passed - 1)),
        commit);
  }

  private static Map<TestState, Long> counts(long passed) {
    return Map.of(
        TestState.PASSED,
        passed,
        TestState.FAILED,
        1L,
        TestState.SKIPPED,
        0L,
        TestState.BROKEN_OFF,
        2L);
  }

  private static Comparison comparison() throws Complaint {
    return new Comparison(KnownDifferences.parse(List.of()));
  }
}
