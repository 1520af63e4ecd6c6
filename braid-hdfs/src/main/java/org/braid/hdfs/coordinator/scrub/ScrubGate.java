package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;

/** What a scrub asks before each block. */
interface ScrubGate {
  /**
   * Waits while others come first.
   *
   * @return whether the block is to be read; false when the scrub is to end
   */
  boolean await() throws IOException;
}
