package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;

/** Decides before each block whether a scrub goes on. */
interface ScrubGate {
  /**
   * Waits while other work comes first.
   *
   * @return whether the block is to be read; false when the scrub is to end
   */
  boolean await() throws IOException;
}
