package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.braid.hadooptests.Difference.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes that pass, fail, hang and end their process, run with and without Braid's jars. */
final class RunnerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private HadoopClassPath classPath;
  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

  @BeforeEach
  void find() throws IOException {
    classPath = HadoopClassPath.ofThisProcess();
    assertFalse(classPath.braid().isEmpty(), "jars of Braid");
  }

  @Test
  void testsAreCounted() throws Exception {
    Report report = run(LIMIT, KnownDifferences.parse(List.of()), FakeTests.Passes.class);
    assertEquals(List.of(), report.differences());
    assertTrue(report.holds());
    for (Side side : Side.values()) {
      ClassRun run = report.rows().get(0).of(side);
      assertEquals(ClassRun.End.COMPLETE, run.end());
      assertEquals(3, run.count(TestState.PASSED), () -> run.toString());
      assertEquals(2, run.count(TestState.SKIPPED), () -> run.toString());
      assertEquals("not here", run.byName().get("isDisabled").message());
      assertTrue(run.byName().containsKey("passesFor(int)/#2"), () -> run.toString());
    }
    assertTrue(progress().contains("[1/1] " + FakeTests.Passes.class.getName()), this::progress);
    assertEquals(List.of(), logs(), "logs of classes that pass");
  }

  @Test
  void failureWithBraidAloneIsADifference() throws Exception {
    Report report =
        run(
            LIMIT,
            KnownDifferences.parse(List.of()),
            FakeTests.FailsWithBraid.class,
            FakeTests.Fails.class);
    assertEquals(1, report.differences().size(), () -> report.text());
    Difference found = report.differences().get(0);
    assertEquals("knowsBraid", found.test());
    assertEquals(Verdict.DIFFERENT, found.verdict());
    assertTrue(found.reason().contains("Braid is here"), found.reason());
    assertEquals(0, found.stockFailed());
    assertEquals(2, found.braidFailed());
    assertFalse(report.holds());
    assertTrue(logs().contains(FakeTests.Fails.class.getName() + ".stock.log"), () -> "" + logs());
  }

  @Test
  void failureThatIsKnownIsExpected() throws Exception {
    KnownDifferences known =
        KnownDifferences.parse(
            List.of(
                FakeTests.FailsWithBraid.class.getName()
                    + "#knowsBraid: It looks for Braid's own classes."));
    Report report = run(LIMIT, known, FakeTests.FailsWithBraid.class);
    assertTrue(report.holds());
    assertEquals(Verdict.EXPECTED, report.differences().get(0).verdict());
    assertFalse(progress().contains("again"), this::progress);
  }

  @Test
  void failureThatDoesNotComeBackIsFlaky() throws Exception {
    Report report = run(LIMIT, KnownDifferences.parse(List.of()), FakeTests.FailsOnce.class);
    assertEquals(Verdict.FLAKY, report.differences().get(0).verdict(), () -> report.text());
    assertTrue(report.holds());
  }

  @Test
  void testsOfAClassThatCannotStartDidNotRun() throws Exception {
    Report report = run(LIMIT, KnownDifferences.parse(List.of()), FakeTests.CannotStart.class);
    Difference found = report.differences().get(0);
    assertEquals("passes", found.test());
    assertEquals(Verdict.DIFFERENT, found.verdict());
    assertTrue(found.reason().contains("no start"), found.reason());
  }

  @Test
  void testThatHangsOrEndsItsProcessIsBrokenOff() throws Exception {
    Report report =
        run(
            Duration.ofSeconds(5),
            KnownDifferences.parse(List.of()),
            FakeTests.Hangs.class,
            FakeTests.Exits.class);
    assertEquals(
        List.of(ClassRun.End.TIMED_OUT, ClassRun.End.DIED),
        report.rows().stream().map(row -> row.braid().end()).toList(),
        () -> report.text());
    assertEquals(
        List.of(ClassRun.End.COMPLETE, ClassRun.End.COMPLETE),
        report.rows().stream().map(row -> row.stock().end()).toList());
    for (Report.Row row : report.rows()) {
      assertEquals(1, row.braid().count(TestState.BROKEN_OFF));
    }
    assertEquals(
        List.of(Verdict.DIFFERENT, Verdict.DIFFERENT),
        report.differences().stream().map(Difference::verdict).toList());
    String log =
        Files.readString(directory.resolve(FakeTests.Hangs.class.getName() + ".braid.log"));
    assertTrue(log.contains("time is over after 5 s"), log);
    assertTrue(log.contains("FakeTests$Hangs.hangs"), log);
  }

  @Test
  void whatHasRunIsNotRunAgain() throws Exception {
    KnownDifferences none = KnownDifferences.parse(List.of());
    run(LIMIT, none, FakeTests.FailsWithBraid.class);
    List<Path> before = files();
    Map<Path, Long> times = times(before);
    Report report = run(LIMIT, none, FakeTests.FailsWithBraid.class, FakeTests.Fails.class);
    assertEquals(2, report.rows().size());
    assertEquals(times, times(before), "results that were there");
  }

  private Report run(Duration limit, KnownDifferences known, Class<?>... classes) throws Exception {
    List<String> names = List.of(classes).stream().map(Class::getName).toList();
    TestFiles files =
        TestFiles.unpack(
            classPath.jar("hadoop-hdfs-", "-test-sources.jar"), directory.resolve("files"));
    Map<String, String> environment =
        Map.of("BRAID_FAKE_MARK", directory.resolve("mark").toString());
    try (Fork fork = new Fork(classPath, files, directory, limit, environment);
        PrintStream lines = new PrintStream(progress, true, StandardCharsets.UTF_8)) {
      Runner runner =
          new Runner(fork, Results.in(directory, classPath), new Comparison(known), lines);
      runner.runOnce(names, 2);
      runner.repeat(names, 1);
      return runner.report(names);
    }
  }

  private String progress() {
    return progress.toString(StandardCharsets.UTF_8);
  }

  private List<String> logs() {
    return files().stream()
        .map(file -> file.getFileName().toString())
        .filter(name -> name.endsWith(".log"))
        .toList();
  }

  private List<Path> files() {
    try (var all = Files.list(directory)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  private static Map<Path, Long> times(List<Path> files) {
    return files.stream()
        .collect(
            java.util.stream.Collectors.toMap(file -> file, file -> file.toFile().lastModified()));
  }
}
