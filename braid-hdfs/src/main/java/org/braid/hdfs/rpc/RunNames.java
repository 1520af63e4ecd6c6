package org.braid.hdfs.rpc;

import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Names of runs. Anybody may send one to a worker, which remembers the last of them and logs some:
 * so they are short, and one word.
 */
public final class RunNames {
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z-]{0,64}");

  private RunNames() {}

  /**
   * Refuses what is no name of a run.
   *
   * @throws IOException which does not repeat it
   */
  public static void check(String run) throws IOException {
    if (!NAME.matcher(run).matches()) {
      throw new IOException(
          "bad request: the name of a run has at most 64 letters and digits, not these %d characters"
              .formatted(run.length()));
    }
  }
}
