package org.braid.hdfs.rpc;

import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Checks names of runs. Any caller may send a name to a worker, which remembers the last names and
 * logs some of them: so a name is short, and one word.
 */
public final class RunNames {
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z-]{0,64}");

  private RunNames() {}

  /**
   * Refuses an invalid name of a run.
   *
   * @throws IOException which does not repeat the name
   */
  public static void check(String run) throws IOException {
    if (!NAME.matcher(run).matches()) {
      throw new IOException(
          "bad request: the name of a run has at most 64 letters and digits, not these %d characters"
              .formatted(run.length()));
    }
  }
}
