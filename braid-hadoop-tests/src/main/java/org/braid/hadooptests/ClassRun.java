package org.braid.hadooptests;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The result of a run of a test class.
 *
 * @param name of the class
 * @param side the file system with which it ran
 * @param build the id of the class path, which distinguishes results of other builds
 * @param commit the commit of Braid; empty when unknown
 * @param end how the process ended
 * @param seconds it took
 * @param tests in the order in which they ended
 */
record ClassRun(
    String name,
    TestedHdfs side,
    String build,
    String commit,
    End end,
    double seconds,
    List<TestRun> tests) {
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
   * @param millis it took; of one that was broken off 0 where that is not known
   * @param message of its failure, or why it was skipped
   */
  record TestRun(String test, TestState state, long millis, String message) {
    private static final Pattern PORT =
        Pattern.compile("BindException|Address already in use|Port in use");

    /** Whether it failed because a port that it wanted was taken. */
    boolean portTaken() {
      return state == TestState.FAILED && PORT.matcher(message).find();
    }
  }

  ClassRun {
    commit = Objects.requireNonNullElse(commit, "");
    tests = List.copyOf(tests);
  }

  /** Whether the class has tests and each of them passed. */
  boolean passed() {
    return end == End.COMPLETE
        && !tests.isEmpty()
        && tests.stream().allMatch(test -> test.state() == TestState.PASSED);
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

  /** Whether a test failed because a port that it wanted was taken. */
  boolean portTaken() {
    return tests.stream().anyMatch(TestRun::portTaken);
  }

  /** Describes the failures in one line; empty for a clean run. */
  Optional<String> trouble() {
    return tests.stream()
        .filter(test -> test.state() == TestState.FAILED || test.state() == TestState.BROKEN_OFF)
        .map(test -> test.test() + ": " + test.message())
        .findFirst()
        .or(
            () ->
                switch (end) {
                  case COMPLETE -> Optional.empty();
                  case TIMED_OUT -> Optional.of("its time was over");
                  case DIED -> Optional.of("its process ended before its tests did");
                });
  }

  /** Whether every test passed or was skipped, and the process ended as it should. */
  boolean clean() {
    return trouble().isEmpty();
  }
}
