package org.braid.lab.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Searches for files that a parser fails on. Surefire runs it only when it is named, one method at
 * a time; {@link FilesTest} reads what is found.
 */
final class FilesFuzz {
  private static final String TIME = "1h";

  @FuzzTest(maxDuration = TIME)
  void topology(byte[] input) {
    FileTarget.TOPOLOGY.parser().feed(input);
  }

  @FuzzTest(maxDuration = TIME)
  void experiment(byte[] input) {
    FileTarget.EXPERIMENT.parser().feed(input);
  }
}
