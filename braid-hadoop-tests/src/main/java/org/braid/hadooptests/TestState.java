package org.braid.hadooptests;

import java.util.Locale;

/** How a test ended. */
enum TestState {
  PASSED,
  FAILED,
  /** Disabled, or an assumption of the test does not hold. */
  SKIPPED,
  /** Started, and its process ended before it did. */
  BROKEN_OFF;

  /** Its name in the lines of {@link ForkedClass}. */
  String line() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** That of such a name. */
  static TestState ofLine(String line) {
    return valueOf(line.toUpperCase(Locale.ROOT));
  }
}
