package org.braid.hdfs.namenode.deferral;

import java.util.Collection;
import org.braid.hdfs.namenode.calls.SafeRemovals;
import org.braid.hdfs.namenode.host.Shares;

/**
 * Demands in the name of users, none of whom has so many wait that there is no place for others.
 * Thread-safe.
 */
public final class UserDemands implements SafeRemovals.Rebuilds {
  private final Demands demands;
  private final Shares places;

  /**
   * Nobody waits.
   *
   * @param places for those that wait
   */
  public UserDemands(Demands demands, Shares places) {
    this.demands = demands;
    this.places = places;
  }

  /**
   * Demands lost blocks, as {@link Demands#await} does.
   *
   * @param user who waits for them
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

  /** Demands lost blocks, for which nobody has to have a place. */
  @Override
  public void ask(String user, Collection<Long> needed) {
    demands.ask(user, needed);
  }
}
