package org.braid.hdfs.policy;

/**
 * Checks that two policies do not convert and restore the same file by turns. The age at which a
 * file becomes cold must be at least twice the age up to which it is hot. Then a restored file
 * stays replicated for at least the hot time, and a converted file stays converted until it is
 * used.
 */
final class Hysteresis {
  /** The least ratio of the age at which a file is cold to the age up to which it is hot. */
  private static final int FACTOR = 2;

  private Hysteresis() {}

  /**
   * Checks two policies.
   *
   * @throws IllegalArgumentException when they may convert and restore a file by turns
   */
  static void check(Policy earlier, Policy later) {
    if (!earlier.enabled() || !later.enabled()) {
      return;
    }
    boolean convertsFirst = earlier.action() == Action.CONVERT;
    Policy converts = convertsFirst ? earlier : later;
    Policy restores = convertsFirst ? later : earlier;
    if (converts.action() != Action.CONVERT
        || restores.action() != Action.RESTORE
        || !converts.meets(restores)
        || earlier.isAgeless() // then the later one never sees what both could take
        || isApart(restores, converts)) {
      return;
    }
    throw new IllegalArgumentException(
        ("%s would restore files that %s converts (%s and %s overlap): let %s take files of an age"
                + " below some time only (modified-within or read-within), and %s those of at least"
                + " twice that time (unread-for%s), or keep their paths, owners or sizes apart")
            .formatted(
                restores.name(),
                converts.name(),
                restores.path(),
                converts.path(),
                restores.name(),
                converts.name(),
                restores.modified().isBounded() ? " or older-than" : ""));
  }

  /** Whether a file is first hot, then neither hot nor cold for the same time, then cold. */
  private static boolean isApart(Policy restores, Policy converts) {
    // What was modified was accessed, so that nothing is read before it is modified.
    return isApart(restores.accessed(), converts.accessed())
        || isApart(restores.modified(), converts.modified())
        || isApart(restores.modified(), converts.accessed());
  }

  private static boolean isApart(Range hot, Range cold) {
    return hot.isBounded() && cold.least() / FACTOR >= hot.below();
  }
}
