package org.braid.hadooptests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares the runs of a class. */
final class Comparison {
  /** Excess over twice the other side's time above which a test is not late by chance. */
  private static final long SLOWER_MILLIS = 60_000;

  private final KnownDifferences known;
  private final KnownDifferences racy;

  Comparison(KnownDifferences known) {
    this(known, KnownDifferences.NONE);
  }

  /**
   * The same with tests that fail by chance.
   *
   * @param racy give the reason of a test that failed once, and excuse none that fails again
   */
  Comparison(KnownDifferences known, KnownDifferences racy) {
    this.known = known;
    this.racy = racy;
  }

  /**
   * The tests that pass in the first run with stock HDFS and not in the first run with Braid, and
   * those that are skipped with stock HDFS and fail with Braid, which the reason states.
   *
   * @param stock the runs of a class with stock HDFS
   * @param braid those with Braid
   */
  List<Difference> differences(List<ClassRun> stock, List<ClassRun> braid) {
    List<Difference> differences = new ArrayList<>();
    if (stock.isEmpty() || braid.isEmpty()) {
      return differences;
    }
    String name = stock.get(0).name();
    Map<String, ClassRun.TestRun> others = braid.get(0).byName();
    // Where both sides run out of time, one gets further by chance, unless its test hangs.
    boolean timedOut =
        stock.get(0).end() == ClassRun.End.TIMED_OUT
            && braid.get(0).end() == ClassRun.End.TIMED_OUT;
    for (ClassRun.TestRun test : stock.get(0).tests()) {
      ClassRun.TestRun other = others.get(test.test());
      if (!differs(test, other, timedOut)) {
        continue;
      }
      boolean skipped = test.state() == TestState.SKIPPED;
      String message = message(braid.get(0), other);
      int stockFailed = failedItself(stock, test.test());
      int braidFailed = skipped ? failedItself(braid, test.test()) : failed(braid, test.test());
      differences.add(
          judged(
              name,
              test.test(),
              skipped ? "skipped without, failed with Braid: " + message : message,
              stockFailed,
              stock.size(),
              braidFailed,
              braid.size()));
    }
    return differences;
  }

  /**
   * Whether a test fared worse with Braid.
   *
   * @param timedOut whether both sides ran out of time
   */
  private static boolean differs(
      ClassRun.TestRun stock, ClassRun.@Nullable TestRun braid, boolean timedOut) {
    boolean late = timedOut && !ended(braid);
    return switch (stock.state()) {
      case PASSED ->
          (braid == null || braid.state() != TestState.PASSED) && (!late || hangs(braid, stock));
      case SKIPPED -> braid != null && isFailure(braid) && !late;
      case FAILED, BROKEN_OFF -> false;
    };
  }

  /**
   * The tests that passed alone, but failed with Braid concurrently with other classes, where they
   * passed with stock HDFS. A port that another class used is no failure.
   *
   * @param stock the runs of a class with stock HDFS, first the concurrent one
   * @param braid those with Braid, first the concurrent one
   */
  List<Difference> beside(List<ClassRun> stock, List<ClassRun> braid) {
    List<Difference> differences = new ArrayList<>();
    if (stock.isEmpty() || braid.size() < 2) {
      return differences;
    }
    for (ClassRun.TestRun test : braid.get(0).tests()) {
      boolean failed = isFailure(test) && !test.portTaken();
      if (failed
          && failed(stock.subList(0, 1), test.test()) == 0
          && failed(braid.subList(1, 2), test.test()) == 0) {
        differences.add(
            judged(
                braid.get(0).name(),
                test.test(),
                "beside other classes: " + test.message(),
                failedItself(stock, test.test()),
                stock.size(),
                failed(braid, test.test()),
                braid.size()));
      }
    }
    return differences;
  }

  /** The difference of these numbers of runs that a test failed. */
  Difference judged(
      String name,
      String test,
      String message,
      int stockFailed,
      int stockRuns,
      int braidFailed,
      int braidRuns) {
    Optional<KnownDifferences.Known> expected = known.find(name, test);
    Difference.Verdict verdict =
        expected.isPresent()
            ? Difference.Verdict.EXPECTED
            : verdict(stockFailed, braidRuns, braidFailed);
    Optional<KnownDifferences.Known> listed =
        verdict == Difference.Verdict.FLAKY ? racy.find(name, test) : expected;
    return new Difference(
        name,
        test,
        verdict,
        listed.map(KnownDifferences.Known::reason).orElse(message),
        stockFailed,
        stockRuns,
        braidFailed,
        braidRuns);
  }

  private static boolean ended(ClassRun.@Nullable TestRun test) {
    return test != null && test.state() != TestState.BROKEN_OFF;
  }

  /** Whether a test that did not end ran much longer than on the other side. */
  private static boolean hangs(ClassRun.@Nullable TestRun test, ClassRun.TestRun elsewhere) {
    return test != null && test.millis() > 2 * elsewhere.millis() + SLOWER_MILLIS;
  }

  private static Difference.Verdict verdict(int stockFailed, int braidRuns, int braidFailed) {
    if (braidRuns == 1) {
      return Difference.Verdict.ONCE;
    }
    return stockFailed == 0 && braidFailed > 1
        ? Difference.Verdict.DIFFERENT
        : Difference.Verdict.FLAKY;
  }

  /**
   * Number of runs in which a test itself failed. One that was not reached, as its class or another
   * test failed before it, tells nothing of it, and excuses no failure with Braid.
   */
  private static int failedItself(List<ClassRun> runs, String test) {
    return (int)
        runs.stream()
            .map(run -> run.byName().get(test))
            .filter(run -> run != null && isFailure(run))
            .count();
  }

  private static boolean isFailure(ClassRun.TestRun test) {
    return test.state() == TestState.FAILED || test.state() == TestState.BROKEN_OFF;
  }

  /** Number of runs in which a test did not pass, whyever. */
  private static int failed(List<ClassRun> runs, String test) {
    return (int)
        runs.stream()
            .map(run -> run.byName().get(test))
            .filter(run -> run == null || run.state() != TestState.PASSED)
            .count();
  }

  private static String message(ClassRun run, ClassRun.@Nullable TestRun test) {
    if (test != null) {
      return test.message();
    }
    String whole =
        run.tests().stream()
            .filter(each -> each.state() == TestState.FAILED)
            .map(each -> ", and " + each.test() + " failed: " + each.message())
            .findFirst()
            .orElse("");
    return switch (run.end()) {
      case COMPLETE -> "it did not run" + whole;
      case TIMED_OUT -> "it did not run before the time was over";
      case DIED -> "it did not run before the process ended";
    };
  }
}
