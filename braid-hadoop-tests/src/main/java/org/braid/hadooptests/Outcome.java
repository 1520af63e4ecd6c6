package org.braid.hadooptests;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a class of tests ended with a side.
 *
 * @param end how its process ended
 * @param seconds it took
 * @param counts number of tests that ended in each way
 */
record Outcome(ClassRun.End end, double seconds, Map<TestState, Long> counts) {
  private static final Pattern NUMBERS =
      Pattern.compile("(\\d+) / (\\d+) / (\\d+) / (\\d+)(|, timed out|, died)");

  Outcome {
    counts = Map.copyOf(counts);
  }

  static Outcome of(ClassRun run) {
    Map<TestState, Long> counts = new EnumMap<>(TestState.class);
    for (TestState state : TestState.values()) {
      counts.put(state, run.count(state));
    }
    return new Outcome(run.end(), run.seconds(), counts);
  }

  /** Parses the result of {@link #numbers}; empty when it is malformed. */
  static Optional<Outcome> parse(String numbers, double seconds) {
    Matcher matcher = NUMBERS.matcher(numbers);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Map<TestState, Long> counts = new EnumMap<>(TestState.class);
    int group = 1;
    for (TestState state : TestState.values()) {
      counts.put(state, Long.parseLong(matcher.group(group++)));
    }
    ClassRun.End end =
        switch (matcher.group(5)) {
          case "" -> ClassRun.End.COMPLETE;
          case ", died" -> ClassRun.End.DIED;
          default -> ClassRun.End.TIMED_OUT;
        };
    return Optional.of(new Outcome(end, seconds, counts));
  }

  /** Whether every test passed or was skipped, and the process ended as it should. */
  boolean clean() {
    return end == ClassRun.End.COMPLETE
        && count(TestState.FAILED) == 0
        && count(TestState.BROKEN_OFF) == 0;
  }

  /** Number of tests that ended so. */
  long count(TestState state) {
    return counts.getOrDefault(state, 0L);
  }

  /** The numbers of tests that passed, failed, were skipped and were broken off. */
  String numbers() {
    String numbers =
        Arrays.stream(TestState.values())
            .map(state -> String.valueOf(count(state)))
            .collect(Collectors.joining(" / "));
    return switch (end) {
      case COMPLETE -> numbers;
      case TIMED_OUT -> numbers + ", timed out";
      case DIED -> numbers + ", died";
    };
  }
}
