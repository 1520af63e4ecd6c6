package org.braid.hdfs.metrics;

import java.util.Arrays;
import java.util.Optional;

/** What bytes are moved for. */
public enum Cause {
  /** Files become encoded. */
  CONVERT,
  /** Blocks go to the nodes where their stripes want them. */
  RELOCATE,
  /** What is left of stripes that lost blocks to deletions is encoded anew. */
  REENCODE,
  /** Lost blocks are rebuilt. */
  REPAIR,
  /** Lost blocks are rebuilt because a reader waits. */
  WAITING_READERS,
  /** A client decodes what it reads. */
  DEGRADED_READ,
  /** Converted files get their replicas back. */
  RESTORE,
  /** Replicas are read and compared with what was encoded. */
  SCRUB,
  /** Nobody said. */
  OTHER;

  /** Its name in labels and on the wire. */
  public String word() {
    return LabelNames.of(this);
  }

  /** The cause of a name; empty for one that this release does not know. */
  public static Optional<Cause> named(String word) {
    return Arrays.stream(values()).filter(cause -> cause.word().equals(word)).findFirst();
  }
}
