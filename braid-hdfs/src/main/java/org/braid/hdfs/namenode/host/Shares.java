package org.braid.hdfs.namenode.host;

import java.util.HashMap;
import java.util.Map;

/**
 * Places that users take for a while: so many in all, and so many for each user, so that one leaves
 * room for others. Thread-safe.
 */
public final class Shares {
  private final int most;
  private final int perUser;
  private final Map<String, Integer> taken = new HashMap<>();
  private int total;

  /**
   * Free places.
   *
   * @param most in all
   * @param perUser of one user
   */
  public Shares(int most, int perUser) {
    this.most = most;
    this.perUser = perUser;
  }

  /** Takes a place, to be given back; false when there is none for this user. */
  public synchronized boolean take(String user) {
    if (total >= most || taken.getOrDefault(user, 0) >= perUser) {
      return false;
    }
    total++;
    taken.merge(user, 1, Integer::sum);
    return true;
  }

  /** Gives a place back that was taken. */
  public synchronized void giveBack(String user) {
    taken.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
    total--;
  }

  /** Most places of one user. */
  public int perUser() {
    return perUser;
  }
}
