package org.braid.hdfs.coordinator;

import org.braid.hdfs.fault.FaultHook;

/** What happens once, when a step is reached first. */
interface Disturbance extends FaultHook {
  /** Whether the step was reached. */
  boolean fired();

  /** Waits for its end; fails as it did. */
  void await() throws Exception;
}
