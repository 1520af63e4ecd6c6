package org.braid.hdfs.testkit.bench;

import java.nio.ByteBuffer;
import java.util.Optional;

/** A coder that a benchmark measures. */
public interface BenchCoder {
  /** Its name in tables, for example {@code isal}. */
  String name();

  /**
   * Prepares everything that does not depend on the bytes.
   *
   * @return the work; empty when this coder cannot do the task
   */
  Optional<Work> prepare(BenchTask task);

  /** A prepared task; each run does it once. Not thread-safe. */
  interface Work extends Runnable {
    /** The result of the last run for an output of the task. */
    ByteBuffer output(int number);
  }
}
