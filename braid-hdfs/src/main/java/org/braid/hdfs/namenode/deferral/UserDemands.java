package org.braid.hdfs.namenode.deferral;

import java.util.Collection;
import org.braid.hdfs.namenode.calls.SafeRemovals;
import org.braid.hdfs.namenode.host.Shares;

/** Demands in the name of users, with a limit on the waiting calls of each user. Thread-safe. */
public final class UserDemands implements SafeRemovals.Rebuilds {
  private final Demands demands;
  private final Shares places;

  /**
   * Starts without waiting calls.
   *
   * @param places places of waiting calls
   */
  public UserDemands(Demands demands, Shares places) {
    this.demands = demands;
    this.places = places;
  }

  /**
   * Demands lost blocks, as {@link Demands#await} does.
   *
   * @param user user whose call waits
   * @return false also when there is no place for this user
   */
  @Override
  public boolean await(
      String user, Collection<Long> needed, Collection<Long> useful, Runnable answer) {
    if (!places.take(user)) {
      return false;
    }
    boolean waits = false;
    try {
      waits =
          demands.await(
              user,
              needed,
              useful,
              () -> {
                places.giveBack(user);
                answer.run();
              });
      return waits;
    } finally {
      if (!waits) {
        places.giveBack(user);
      }
    }
  }

  /** Demands lost blocks without a waiting call, which needs no place. */
  @Override
  public void ask(String user, Collection<Long> needed) {
    demands.ask(user, needed);
  }
}
