package org.braid.codec.bench;

import java.nio.ByteBuffer;
import java.util.Optional;

/** An implementation of codes that is measured. */
public interface Contender {
  /** What it is called in tables, for example {@code isal}. */
  String name();

  /**
   * Prepares all that can be prepared before the bytes are there.
   *
   * @return the work, empty when this contender has no way to do the task
   */
  Optional<Work> prepare(Task task);

  /** A prepared task; a run does it once. Not thread-safe. */
  interface Work extends Runnable {
    /** What the last run made in place of an output of the task, by the output's number. */
    ByteBuffer output(int number);
  }
}
