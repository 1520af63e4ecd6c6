package org.braid.hdfs.coordinator.convert;

/**
 * Decides when to stop waiting for replicas that HDFS makes. When the node of a copy or the
 * NameNode stops, HDFS schedules the copy again only after its time-out, for which it checks at
 * that same interval.
 */
final class ReplicaWait {
  /** Time for HDFS to schedule a copy, and for one block to be copied. */
  private static final long COPY_SECONDS = 120;

  /** Time for the restart of a node. */
  private static final long LOST_SECONDS = 60;

  private final long patience;
  private long most = -1;
  private long total;
  private long lastCopied;
  private boolean looked;
  private long since;

  /**
   * Starts with no replicas seen.
   *
   * @param timeout seconds after which HDFS gives up on a copy
   */
  ReplicaWait(long timeout) {
    patience = 2 * timeout + COPY_SECONDS;
  }

  /**
   * Seconds since the last new replica.
   *
   * @param now seconds that never run backwards
   */
  long silence(long now) {
    return now - since;
  }

  /**
   * Notes whether any block that lacks replicas has a replica to copy from.
   *
   * @param now seconds that never run backwards
   * @return whether none had for longer than a node takes to be restarted
   */
  boolean isLost(boolean copied, long now) {
    if (copied || !looked) {
      lastCopied = now;
      looked = true;
    }
    return now - lastCopied > LOST_SECONDS;
  }

  /**
   * Notes the number of replicas. When the awaited number changes, as users delete files, later
   * numbers are compared with the present one.
   *
   * @param wanted number of awaited replicas
   * @param now seconds that never run backwards
   * @return whether there were no more for longer than HDFS takes to ask for a copy again
   */
  boolean isVain(long replicas, long wanted, long now) {
    if (replicas > most) {
      most = replicas;
      since = now;
    } else if (wanted != total) {
      most = replicas;
    }
    total = wanted;
    return now - since > patience;
  }
}
