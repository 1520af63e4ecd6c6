package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.braid.hadooptests.Difference.Verdict;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes that pass, fail, hang and end their process, run once with and without Braid's jars. */
@Tag("slow")
final class RunnerTest {
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final List<Class<?>> REPEATED =
      List.of(
          FakeTests.Passes.class,
          FakeTests.FailsWithBraid.class,
          FakeTests.IsKnown.class,
          FakeTests.Fails.class,
          FakeTests.FailsOnce.class,
          FakeTests.CannotStart.class);
  private static final List<Class<?>> BROKEN_OFF =
      List.of(FakeTests.Hangs.class, FakeTests.Exits.class);

  @TempDir private static Path directory;
  private static HadoopClassPath classPath;
  private static Report report;
  private static String progress;

  @BeforeAll
  static void run() throws Exception {
    classPath = HadoopClassPath.ofThisProcess();
    assertFalse(classPath.braid().isEmpty(), "jars of Braid");
    report =
        run(
            BROKEN_OFF.stream().map(Class::getName).toList(),
            REPEATED.stream().map(Class::getName).toList());
  }

  @Test
  void testsAreCounted() throws Exception {
    assertEquals(List.of(), differences(FakeTests.Passes.class));
    for (TestedHdfs side : TestedHdfs.values()) {
      String name = FakeTests.Passes.class.getName();
      ClassRun run = ResultFiles.in(directory, classPath).runs(name, side).get(0);
      assertEquals(ClassRun.End.COMPLETE, run.end());
      assertEquals(3, run.count(TestState.PASSED), run::toString);
      assertEquals(2, run.count(TestState.SKIPPED), run::toString);
      assertEquals("not here", run.byName().get("isDisabled").message());
      assertTrue(run.byName().containsKey("passesFor(int)/#2"), run::toString);
    }
    assertTrue(progress.contains("/6] " + FakeTests.Passes.class.getName()), progress);
    assertTrue(progress.contains("[6/6] "), progress);
  }

  @Test
  void failureWithBraidAloneIsADifference() {
    Difference found = difference(FakeTests.FailsWithBraid.class);
    assertEquals("knowsBraid", found.test());
    assertEquals(Verdict.DIFFERENT, found.verdict());
    assertTrue(found.reason().contains("Braid is here"), found.reason());
    assertEquals(0, found.stockFailed());
    assertEquals(2, found.braidFailed());
    assertFalse(report.holds());
    assertTrue(report.text().contains("Tests fail with Braid that do not fail without it."));
  }

  @Test
  void failureOnBothSidesIsNone() {
    assertEquals(List.of(), differences(FakeTests.Fails.class));
    assertEquals(1, row(FakeTests.Fails.class).stock().orElseThrow().count(TestState.FAILED));
  }

  @Test
  void failureThatIsKnownIsExpected() {
    Difference found = difference(FakeTests.IsKnown.class);
    assertEquals(Verdict.EXPECTED, found.verdict());
    assertEquals("It looks for Braid's own classes.", found.reason());
    assertFalse(progress.contains("again " + FakeTests.IsKnown.class.getName()), progress);
  }

  @Test
  void failureThatDoesNotComeBackIsFlaky() {
    Difference found = difference(FakeTests.FailsOnce.class);
    assertEquals(Verdict.FLAKY, found.verdict());
    assertEquals(1, found.braidFailed());
    assertTrue(progress.contains("later alone: " + FakeTests.FailsOnce.class.getName()), progress);
  }

  @Test
  void testsOfAClassThatCannotStartDidNotRun() {
    Difference found = difference(FakeTests.CannotStart.class);
    assertEquals("passes", found.test());
    assertEquals(Verdict.DIFFERENT, found.verdict());
    assertTrue(found.reason().contains("no start"), found.reason());
  }

  @Test
  void testThatHangsIsBrokenOff() throws Exception {
    Report.Row row = row(FakeTests.Hangs.class);
    assertEquals(ClassRun.End.COMPLETE, row.stock().orElseThrow().end());
    assertEquals(ClassRun.End.TIMED_OUT, row.braid().end());
    assertEquals(1, row.braid().count(TestState.BROKEN_OFF));
    ClassRun run = ResultFiles.in(directory, classPath).runs(row.name(), TestedHdfs.BRAID).get(0);
    assertTrue(run.byName().get("hangs").millis() > 0, run::toString);
    assertEquals(Verdict.ONCE, difference(FakeTests.Hangs.class).verdict());
    String log = Files.readString(directory.resolve(row.name() + ".braid.log"));
    assertTrue(log.contains("time is over after 15 s"), log);
    assertTrue(log.contains("FakeTests$Hangs.hangs"), log);
  }

  @Test
  void testThatEndsItsProcessIsBrokenOff() {
    Report.Row row = row(FakeTests.Exits.class);
    assertEquals(ClassRun.End.COMPLETE, row.stock().orElseThrow().end());
    assertEquals(ClassRun.End.DIED, row.braid().end());
    assertEquals(1, row.braid().count(TestState.BROKEN_OFF));
  }

  @Test
  void logsStayOfWhatDoesNotPass() throws IOException {
    List<String> logs =
        files().stream()
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".log"))
            .toList();
    assertTrue(logs.contains(FakeTests.Fails.class.getName() + ".stock.log"), logs::toString);
    assertTrue(logs.contains(FakeTests.Exits.class.getName() + ".braid.log"), logs::toString);
    assertFalse(logs.contains(FakeTests.Passes.class.getName() + ".braid.log"), logs::toString);
  }

  @Test
  void whatHasRunIsNotRunAgain() throws Exception {
    Map<Path, Long> before = times();
    List<String> names = List.of(FakeTests.Passes.class.getName(), FakeTests.Fails.class.getName());
    assertEquals(2, run(List.of(), names).rows().size());
    assertEquals(before, times(), "results that were there");
  }

  @Test
  void resultsOfAnotherBuildDoNotCount() throws Exception {
    HadoopClassPath other = new HadoopClassPath(classPath.runner(), List.of(), classPath.others());
    ResultFiles results = ResultFiles.in(directory, other);
    String name = FakeTests.Passes.class.getName();
    assertEquals(1, results.runs(name, TestedHdfs.STOCK).size());
    assertEquals(List.of(), results.runs(name, TestedHdfs.BRAID));
  }

  @Test
  void runThatIsStoppedHasNoResult() throws Exception {
    Path lines = directory.resolve("stopped.lines");
    try (Fork fork = fork(Map.of())) {
      ExecutorService pool = Executors.newSingleThreadExecutor();
      Future<ClassRun> run =
          pool.submit(() -> fork.run(FakeTests.Hangs.class.getName(), TestedHdfs.BRAID, "stopped"));
      assertTimeoutPreemptively(
          LIMIT,
          () -> {
            while (!Files.exists(lines) || Files.size(lines) == 0) {
              Thread.onSpinWait();
            }
          });
      fork.close();
      pool.shutdown();
      ExecutionException stopped = assertThrows(ExecutionException.class, run::get);
      assertInstanceOf(InterruptedException.class, stopped.getCause());
    }
  }

  @Test
  void memoryBoundsTheProcessesAtOnce() {
    assertEquals(4, Fork.mostAtOnce(20L << 30));
    assertEquals(1, Fork.mostAtOnce(2L << 30));
  }

  private static Report run(List<String> once, List<String> repeated) throws Exception {
    KnownDifferences known =
        KnownDifferences.parse(
            List.of(
                FakeTests.IsKnown.class.getName()
                    + "#knowsBraid: It looks for Braid's own classes."));
    Map<String, String> environment =
        Map.of("BRAID_FAKE_MARK", directory.resolve("mark").toString());
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    try (Fork fork = fork(environment);
        PrintStream printed = new PrintStream(lines, true, StandardCharsets.UTF_8)) {
      Runner runner =
          new Runner(
              fork,
              ResultFiles.in(directory, classPath),
              new Comparison(known),
              StockRuns.ALWAYS,
              printed);
      runner.run(once, 1, 0, () -> {});
      runner.run(repeated, 4, 1, () -> {});
      return runner.report(Stream.concat(once.stream(), repeated.stream()).toList());
    } finally {
      if (progress == null) {
        progress = lines.toString(StandardCharsets.UTF_8);
      }
    }
  }

  private static Fork fork(Map<String, String> environment) throws Exception {
    TestFiles files =
        TestFiles.unpack(
            classPath.jar("hadoop-hdfs-", "-test-sources.jar"), directory.resolve("files"));
    return new Fork(classPath, files, directory, LIMIT, environment, "c0ffee");
  }

  private static Report.Row row(Class<?> name) {
    return report.rows().stream()
        .filter(row -> row.name().equals(name.getName()))
        .findFirst()
        .orElseThrow();
  }

  private static List<Difference> differences(Class<?> name) {
    return report.differences().stream()
        .filter(each -> each.name().equals(name.getName()))
        .toList();
  }

  private static Difference difference(Class<?> name) {
    List<Difference> found = differences(name);
    assertEquals(1, found.size(), found::toString);
    return found.get(0);
  }

  private static Map<Path, Long> times() throws IOException {
    Map<Path, Long> times = new TreeMap<>();
    for (Path file : files()) {
      times.put(file, file.toFile().lastModified());
    }
    return times;
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return new ArrayList<>(all.filter(Files::isRegularFile).sorted().toList());
    }
  }
}
