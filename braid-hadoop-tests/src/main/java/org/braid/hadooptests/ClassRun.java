package org.braid.hadooptests;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a run of a class of tests gave.
 *
 * @param name of the class
 * @param side with what it ran
 * @param build names the class path, so that results of others are told apart
 * @param end how the process ended
 * @param seconds it took
 * @param tests in the order in which they ended
 */
record ClassRun(
    String name, Side side, String build, End end, double seconds, List<TestRun> tests) {
  /** How the process ended. */
  enum End {
    /** All tests ended. */
    COMPLETE,
    /** The time for the class was over. */
    TIMED_OUT,
    /** It ended before its tests did. */
    DIED
  }

  /**
   * One test.
   *
   * @param test its name below the class: the method, and which invocation of it
   * @param message of its failure, or why it was skipped
   */
  record TestRun(String test, TestState state, long millis, String message) {}

  ClassRun {
    tests = List.copyOf(tests);
  }

  /** Number of tests that ended so. */
  long count(TestState state) {
    return tests.stream().filter(test -> test.state() == state).count();
  }

  /** Tests by name; of one that is reported twice the worse. */
  Map<String, TestRun> byName() {
    return tests.stream().collect(Collectors.toMap(TestRun::test, test -> test, ClassRun::worse));
  }

  private static TestRun worse(TestRun one, TestRun other) {
    return one.state() == TestState.PASSED ? other : one;
  }

  /** Whether every test passed or was skipped, and the process ended as it should. */
  boolean clean() {
    return end == End.COMPLETE && count(TestState.FAILED) == 0 && count(TestState.BROKEN_OFF) == 0;
  }
}
