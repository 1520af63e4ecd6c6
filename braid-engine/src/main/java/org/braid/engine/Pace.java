package org.braid.engine;

import java.io.IOException;

/** Holds a run back between its slices. */
@FunctionalInterface
public interface Pace {
  /** Never waits. */
  Pace FREE = bytes -> {};

  /**
   * Waits until the next slice may begin.
   *
   * @param bytes of each value in the slice
   * @throws IOException when the thread is interrupted meanwhile
   */
  void await(int bytes) throws IOException;
}
