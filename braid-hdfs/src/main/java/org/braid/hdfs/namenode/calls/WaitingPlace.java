package org.braid.hdfs.namenode.calls;

import org.braid.hdfs.namenode.host.Shares;

/**
 * A user's place among those that wait, taken when there is something to wait for. One thread at a
 * time uses it.
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

  /** Whose it is. */
  String user() {
    return user;
  }

  /** Takes the place, where it is not taken already; false when there is none for this user. */
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
