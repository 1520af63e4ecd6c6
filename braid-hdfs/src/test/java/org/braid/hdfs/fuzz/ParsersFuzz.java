package org.braid.hdfs.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Searches for inputs that a parser fails on, guided by the code that they reach. Surefire runs it
 * only when it is named, one method at a time; what is found stays beside the other seeds in {@code
 * src/test/resources}, where {@link ParsersTest} reads it.
 */
final class ParsersFuzz {
  private static final String TIME = "1h";

  @FuzzTest(maxDuration = TIME)
  void attribute(byte[] input) {
    ParserTarget.ATTRIBUTE.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void checkedAttribute(byte[] input) {
    ParserTarget.CHECKED_ATTRIBUTE.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void delimited(byte[] input) {
    ParserTarget.DELIMITED.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void fragment(byte[] input) {
    ParserTarget.FRAGMENT.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void heartbeat(byte[] input) {
    ParserTarget.HEARTBEAT.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void blockToken(byte[] input) {
    ParserTarget.BLOCK_TOKEN.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void stream(byte[] input) {
    ParserTarget.STREAM.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void status(byte[] input) {
    ParserTarget.STATUS.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void earSetting(byte[] input) {
    ParserTarget.EAR_SETTING.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void policies(byte[] input) {
    ParserTarget.POLICIES.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void glob(byte[] input) {
    ParserTarget.GLOB.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void auditLog(byte[] input) {
    ParserTarget.AUDIT_LOG.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void knownReads(byte[] input) {
    ParserTarget.KNOWN_READS.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void scrubRecord(byte[] input) {
    ParserTarget.SCRUB_RECORD.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void window(byte[] input) {
    ParserTarget.WINDOW.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void moment(byte[] input) {
    ParserTarget.MOMENT.parser().feed(input);
  }
}
