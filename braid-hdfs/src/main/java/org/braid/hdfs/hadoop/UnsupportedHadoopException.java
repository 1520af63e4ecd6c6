package org.braid.hdfs.hadoop;

/**
 * Braid does not run in this Hadoop. It has no stack trace: HDFS logs it in one line where a plugin
 * throws it.
 */
public final class UnsupportedHadoopException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private UnsupportedHadoopException(String message) {
    super(message, null, false, false);
  }

  /** What was found is none of the versions that Braid runs in. */
  static UnsupportedHadoopException of(String found) {
    return new UnsupportedHadoopException(
        "%s, and Braid runs in Hadoop %s to %d.%d"
            .formatted(
                found,
                HadoopVersion.OLDEST,
                HadoopVersion.NEWEST.major(),
                HadoopVersion.NEWEST.minor()));
  }

  /** Two parts are of different versions. */
  static UnsupportedHadoopException mixed(String part, String other) {
    return new UnsupportedHadoopException(
        "two versions of Hadoop are on the class path: %s and %s: leave one of them"
            .formatted(part, other));
  }
}
