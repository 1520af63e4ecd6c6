package org.braid.hdfs.fault;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What happens at the steps of {@link Faults}; found by {@link java.util.ServiceLoader}. */
public interface FaultHook {
  /** Called at each step; may throw, or stop a process of the cluster. */
  void reached(FaultStep step, String detail) throws IOException;

  /** May change bytes in place, from position to limit; called after checksums were computed. */
  default void alter(FaultStep step, String detail, ByteBuffer bytes) {}
}
