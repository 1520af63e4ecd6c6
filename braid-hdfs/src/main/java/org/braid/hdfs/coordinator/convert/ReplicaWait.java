package org.braid.hdfs.coordinator.convert;

/**
 * Whether it is in vain to wait for replicas that HDFS makes. A copy that was asked for and did not
 * come, as its node or the NameNode has stopped, is asked for again only after HDFS's time-out, and
 * HDFS looks for such copies as often as it gives up on them.
 */
final class ReplicaWait {
  /** For HDFS to ask, and for one block to be copied. */
  private static final long COPY_SECONDS = 120;

  /** For a node to be restarted. */
  private static final long LOST_SECONDS = 60;

  private final long patience;
  private long most = -1;
  private long total;
  private long lastCopied;
  private boolean looked;
  private long since;

  /**
   * Nothing was seen yet.
   *
   * @param timeout seconds after which HDFS gives up on a copy
   */
  ReplicaWait(long timeout) {
    patience = 2 * timeout + COPY_SECONDS;
  }

  /**
   * Seconds without a new replica.
   *
   * @param now seconds that never run backwards
   */
  long silence(long now) {
    return now - since;
  }

  /**
   * Notes whether any block that lacks replicas has one to be copied.
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
   * Notes how many replicas there are. Where others are waited for, as users have deleted files,
   * those that there are of these count from now on.
   *
   * @param wanted replicas that are waited for
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
