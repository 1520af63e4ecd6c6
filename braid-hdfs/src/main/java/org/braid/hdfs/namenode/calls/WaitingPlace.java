package org.braid.hdfs.namenode.calls;

import org.braid.hdfs.namenode.host.Shares;

/**
 * A user's place in a limited queue, taken when there is something to wait for. Used by one thread
 * at a time.
 */
final class WaitingPlace {
  private final Shares shares;
  private final String user;
  private final boolean wanted;
  private boolean taken;

  /**
   * A place that is not taken yet.
   *
   * @param wanted whether the user's call may wait at all
   */
  WaitingPlace(Shares shares, String user, boolean wanted) {
    this.shares = shares;
    this.user = user;
    this.wanted = wanted;
  }

  /** The user. */
  String user() {
    return user;
  }

  /**
   * Takes the place unless it is already taken; returns false when no place is free for the user.
   */
  boolean take() {
    taken = taken || (wanted && shares.take(user));
    return taken;
  }

  /** Gives the place back, if it was taken. */
  void giveBack() {
    if (taken) {
      taken = false;
      shares.giveBack(user);
    }
  }
}
