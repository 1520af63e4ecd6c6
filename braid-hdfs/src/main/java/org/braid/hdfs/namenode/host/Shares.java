package org.braid.hdfs.namenode.host;

import java.util.HashMap;
import java.util.Map;

/**
 * A limited number of places for concurrent work, in all and for each user, so that one user cannot
 * take all. Thread-safe.
 */
public final class Shares {
  private final int most;
  private final int perUser;
  private final Map<String, Integer> taken = new HashMap<>();
  private int total;

  /**
   * Creates free places.
   *
   * @param most places in all
   * @param perUser places of one user
   */
  public Shares(int most, int perUser) {
    this.most = most;
    this.perUser = perUser;
  }

  /** Takes a place; returns false when no place is free for this user. */
  public synchronized boolean take(String user) {
    if (total >= most || taken.getOrDefault(user, 0) >= perUser) {
      return false;
    }
    total++;
    taken.merge(user, 1, Integer::sum);
    return true;
  }

  /** Gives back a taken place. */
  public synchronized void giveBack(String user) {
    taken.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
    total--;
  }

  /** Maximum number of places of one user. */
  public int perUser() {
    return perUser;
  }
}
