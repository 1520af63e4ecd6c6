package org.braid.hadooptests;

/**
 * A test that passes with stock HDFS and not with Braid, or is skipped with stock HDFS and fails
 * with Braid.
 *
 * @param name of its class
 * @param verdict the meaning of the difference
 * @param reason why it is expected or fails by chance, else the message of the test
 * @param stockFailed number of its failed runs with stock HDFS
 * @param stockRuns number of these runs
 * @param braidFailed the same with Braid
 * @param braidRuns the same with Braid
 */
record Difference(
    String name,
    String test,
    Verdict verdict,
    String reason,
    int stockFailed,
    int stockRuns,
    int braidFailed,
    int braidRuns) {
  /** The meaning of a difference. */
  enum Verdict {
    /** It is among the known differences. */
    EXPECTED,
    /** It fails sometimes, or with stock HDFS, too. */
    FLAKY,
    /** It did not run a second time. */
    ONCE,
    /** It fails with Braid whenever it runs, or more than once, and never without. */
    DIFFERENT
  }

  /** Whether the comparison does not hold. */
  boolean counts() {
    return verdict == Verdict.DIFFERENT || verdict == Verdict.ONCE;
  }
}
