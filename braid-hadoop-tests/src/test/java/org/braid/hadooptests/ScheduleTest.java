package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.braid.hadooptests.ClassRun.End;
import org.braid.hadooptests.ClassRun.TestRun;
import org.braid.hadooptests.Difference.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which classes run when, beside others and alone, and which of their runs count. */
final class ScheduleTest {
  private static final TestRun PASSED = new TestRun("test", TestState.PASSED, 1, "");
  private static final TestRun FAILED = new TestRun("test", TestState.FAILED, 1, "expected: 1");
  private static final TestRun PORT_TAKEN =
      new TestRun("test", TestState.FAILED, 1, "java.net.BindException: Port in use: 127.0.0.1:80");

  @TempDir private Path directory;
  private final Machine machine = new Machine();
  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();
  private ResultFiles results;
  private StockRuns stock = StockRuns.ALWAYS;
  private int changes;

  @BeforeEach
  void open() throws Exception {
    results = ResultFiles.in(directory, new HadoopClassPath(List.of(), List.of(), List.of()));
  }

  @Test
  void classesRunBesideEachOtherButNotTheSidesOfOne() throws Exception {
    machine.barrier = new CyclicBarrier(2);
    run(2, "A", "B");
    assertEquals(4, machine.ran.size(), () -> "" + machine.ran);
    assertEquals(2, changes);
    assertTrue(report("A", "B").holds());
  }

  @Test
  void classThatPassesBesideOthersIsNotRunAlone() throws Exception {
    run(2, "A");
    assertEquals(List.of("A.stock.beside", "A.braid.beside"), machine.ran);
    assertEquals(1, results.runs("A", TestedHdfs.BRAID).size());
  }

  @Test
  void failureBesideOthersDoesNotCount() throws Exception {
    machine.script("A.stock.beside", FAILED);
    run(2, "A", "B");
    assertTrue(machine.ran.containsAll(List.of("A.stock", "B.braid.beside")), "" + machine.ran);
    assertFalse(machine.ran.contains("A.braid"), "" + machine.ran);
    assertEquals(List.of(), report("A", "B").differences());
    assertEquals(1, report("A", "B").rows().get(0).stock().orElseThrow().count(TestState.PASSED));
    assertTrue(lines().contains("later alone: A stock, test: expected: 1"), lines());
  }

  @Test
  void failureThatWasHiddenByOneOfStockBesideOthersIsFound() throws Exception {
    machine.script("A.stock.beside", PORT_TAKEN);
    machine.script("A.braid.beside", PORT_TAKEN);
    machine.script("A.braid", FAILED);
    machine.script("A.braid.1", FAILED);
    run(2, "A", "B");
    assertEquals(
        List.of(Verdict.DIFFERENT),
        report("A", "B").differences().stream().map(Difference::verdict).toList());
  }

  @Test
  void failureWithBraidBesideOthersAloneIsTold() throws Exception {
    machine.script("A.braid.beside", FAILED);
    run(2, "A", "B");
    Report report = report("A", "B");
    assertEquals(1, report.differences().size());
    Difference found = report.differences().get(0);
    assertEquals(Verdict.FLAKY, found.verdict());
    assertEquals("beside other classes: expected: 1", found.reason());
    assertEquals(1, found.braidFailed());
    assertEquals(2, found.braidRuns());
    assertTrue(report.holds());
  }

  @Test
  void takenPortIsTriedAgain() throws Exception {
    machine.script("A.braid", PORT_TAKEN, PORT_TAKEN);
    run(1, "A");
    assertEquals(List.of("A.stock", "A.braid", "A.braid", "A.braid"), machine.ran);
    assertTrue(report("A").holds());
  }

  @Test
  void portThatStaysTakenIsAFailure() throws Exception {
    TestRun[] always = new TestRun[2 * Runner.PORT_TRIES];
    Arrays.fill(always, PORT_TAKEN);
    machine.script("A.braid", always);
    machine.script("A.braid.1", always);
    run(1, "A");
    assertEquals(2 + 2 * Runner.PORT_TRIES, machine.ran.size(), "" + machine.ran);
    assertFalse(report("A").holds());
  }

  @Test
  void whatWasLeftToRunAloneComesFirst() throws Exception {
    results.addBeside(machine.result("B", TestedHdfs.STOCK, FAILED));
    results.addBeside(machine.result("B", TestedHdfs.BRAID, FAILED));
    run(2, "A", "B");
    assertEquals(List.of("B.stock", "B.braid", "A.stock.beside", "A.braid.beside"), machine.ran);
  }

  @Test
  void repetitionThatWasLeftComesFirst() throws Exception {
    results.add(machine.result("B", TestedHdfs.STOCK, PASSED), 0);
    results.add(machine.result("B", TestedHdfs.BRAID, FAILED), 0);
    run(2, "A", "B");
    assertEquals(
        List.of("B.stock.1", "B.braid.1", "A.stock.beside", "A.braid.beside"), machine.ran);
  }

  @Test
  void whatHasRunIsNotRunAgain() throws Exception {
    machine.script("A.stock.beside", FAILED);
    run(2, "A", "B");
    machine.ran.clear();
    changes = 0;
    run(2, "A", "B");
    run(1, "A", "B");
    assertEquals(List.of(), machine.ran);
    assertEquals(0, changes);
  }

  @Test
  void forgottenClassRunsAgain() throws Exception {
    machine.script("A.stock.beside", FAILED);
    run(2, "A");
    results.forget("A");
    machine.ran.clear();
    run(2, "A");
    assertEquals(List.of("A.stock.beside", "A.braid.beside"), machine.ran);
  }

  @Test
  void runThatCannotBeCarriedOutEndsAll() {
    machine.broken = "B";
    IOException failed = assertThrows(IOException.class, () -> run(2, "A", "B"));
    assertTrue(failed.getMessage().contains("no space"), failed.getMessage());
  }

  @Test
  void classThatPassesWithBraidNeedNotRunWithStock() throws Exception {
    stock = StockRuns.NEEDED;
    run(1, "A");
    run(2, "B");
    run(2, "A", "B");
    assertEquals(List.of("A.braid", "B.braid.beside"), machine.ran);
    assertEquals(2, changes);
    Report report = report("A", "B");
    assertTrue(report.holds());
    assertEquals(2, report.rows().size());
    assertEquals(0, report.count(TestedHdfs.STOCK));
    assertEquals(2, report.count(TestedHdfs.BRAID));
    assertEquals(List.of("A", "B"), results.classes());
    stock = StockRuns.ALWAYS;
    run(1, "A");
    assertEquals("A.stock", machine.ran.get(2));
    assertEquals(1, report("A", "B").count(TestedHdfs.STOCK));
  }

  @Test
  void classWithATestThatDoesNotPassRunsWithStock() throws Exception {
    stock = StockRuns.NEEDED;
    machine.script("A.braid", FAILED, FAILED);
    machine.script("B.braid", new TestRun("test", TestState.SKIPPED, 1, "not with Braid"));
    machine.script("C.braid.beside", FAILED);
    run(1, "A", "B");
    assertEquals(
        List.of("A.braid", "A.stock", "A.stock.1", "A.braid.1"), machine.ran.subList(0, 4));
    assertEquals(
        List.of("B.braid", "B.stock", "B.stock.1", "B.braid.1"), machine.ran.subList(4, 8));
    machine.ran.clear();
    run(2, "C");
    assertEquals(List.of("C.braid.beside", "C.stock.beside", "C.braid"), machine.ran);
    assertEquals(
        List.of("A", "B", "C"),
        report("A", "B", "C").differences().stream().map(Difference::name).toList());
  }

  @Test
  void classThatEndsBeforeItsTestsIsNoneWithoutDifferences() throws Exception {
    for (End end : List.of(End.DIED, End.TIMED_OUT)) {
      withoutTests(TestedHdfs.STOCK, end);
      withoutTests(TestedHdfs.BRAID, end);
      Report report = report("A");
      assertEquals(List.of("A"), report.uncompared());
      assertFalse(report.holds());
      assertEquals(List.of(), report.rows());
      assertEquals(false, report.json().get("ok"));
      assertTrue(report.text().contains("Not all classes could be compared"), report.text());
    }
    results.add(machine.result("A", TestedHdfs.BRAID, FAILED), 0);
    assertFalse(report("A").holds(), "nobody knows whether it fails with stock HDFS");
    assertFalse(report("A").after(Report.EMPTY).holds());
  }

  /** It would not have run with stock HDFS at all where that was not needed. */
  @Test
  void whatPassesWithBraidCannotDifferHoweverStockEnds() throws Exception {
    results.add(machine.result("A", TestedHdfs.BRAID, PASSED), 0);
    for (End end : List.of(End.DIED, End.TIMED_OUT)) {
      withoutTests(TestedHdfs.STOCK, end);
      Report report = report("A");
      assertEquals(List.of(), report.uncompared());
      assertTrue(report.holds());
      assertEquals(end, report.rows().get(0).stock().orElseThrow().end());
      assertEquals(1, report.rows().get(0).braid().count(TestState.PASSED));
    }
    results.addBeside(machine.result("A", TestedHdfs.BRAID, FAILED));
    assertEquals(List.of("A"), report("A").uncompared(), "it failed beside other classes");
  }

  @Test
  void helperWithoutTestsIsLeftOut() throws Exception {
    withoutTests(TestedHdfs.STOCK, End.COMPLETE);
    withoutTests(TestedHdfs.BRAID, End.COMPLETE);
    assertTrue(report("A").holds());
    assertEquals(List.of(), report("A").rows());
    withoutTests(TestedHdfs.BRAID, End.DIED);
    assertFalse(report("A").holds());
  }

  private void withoutTests(TestedHdfs side, End end) throws Exception {
    String build = machine.result("A", side, PASSED).build();
    results.add(new ClassRun("A", side, build, "c0ffee", end, 1, List.of()), 0);
  }

  private void run(int jobs, String... names) throws Exception {
    runner().run(List.of(names), jobs, 1, () -> changes++);
  }

  private Report report(String... names) throws Exception {
    return runner().report(List.of(names));
  }

  private Runner runner() throws Complaint {
    return new Runner(
        machine,
        results,
        new Comparison(KnownDifferences.parse(List.of())),
        stock,
        new PrintStream(progress, true, StandardCharsets.UTF_8));
  }

  private String lines() {
    return progress.toString(StandardCharsets.UTF_8);
  }

  /** Gives results at once, and sees what runs at the same time. */
  private static final class Machine implements Forks {
    private final List<String> ran = new ArrayList<>();
    private final Map<String, Deque<TestRun>> scripts = new HashMap<>();
    private final Set<String> running = ConcurrentHashMap.newKeySet();
    private CyclicBarrier barrier = new CyclicBarrier(1);
    private String broken = "";

    /** What the test of a run gives, the first time and the next; it passes from then on. */
    void script(String run, TestRun... tests) {
      scripts.put(run, new ArrayDeque<>(List.of(tests)));
    }

    @Override
    public ClassRun run(String name, TestedHdfs side, String run)
        throws IOException, InterruptedException {
      assertTrue(running.add(name), () -> "both sides of " + name + " at once");
      try {
        if (name.equals(broken)) {
          throw new IOException("no space");
        }
        if (run.endsWith(".beside")) {
          barrier.await(10, TimeUnit.SECONDS);
        } else {
          assertEquals(Set.of(name), running, "alone");
        }
        synchronized (this) {
          ran.add(run);
          Deque<TestRun> script = scripts.getOrDefault(run, new ArrayDeque<>());
          return result(name, side, script.isEmpty() ? PASSED : script.remove());
        }
      } catch (BrokenBarrierException | TimeoutException alone) {
        throw new IOException("runs alone", alone);
      } finally {
        running.remove(name);
      }
    }

    ClassRun result(String name, TestedHdfs side, TestRun test) throws IOException {
      String build = new HadoopClassPath(List.of(), List.of(), List.of()).build(side);
      return new ClassRun(name, side, build, "c0ffee", End.COMPLETE, 1, List.of(test));
    }
  }
}
