package org.braid.hdfs.hadoop;

/**
 * Braid does not run in this Hadoop. It has no stack trace: HDFS logs it in one line where a plugin
 * throws it.
 */
public final class UnsupportedHadoopException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnsupportedHadoopException(String found) {
    super(
        "%s, and Braid runs in Hadoop %s to %d.%d"
            .formatted(
                found,
                HadoopVersion.OLDEST,
                HadoopVersion.NEWEST.major(),
                HadoopVersion.NEWEST.minor()),
        null,
        false,
        false);
  }
}
