package org.braid.hdfs.datanode.limits;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RetriableException;

/**
 * Places for the fragments that run at once on a worker, each of which holds a thread: so many in
 * all, half of them for users who are no superusers, and so many for each of these. Thread-safe.
 */
public final class FragmentPlaces {
  /** Property: fragments that run at once. */
  public static final String ALL_KEY = "braid.worker.fragments";

  /** Property: fragments that run at once for a user who is no superuser. */
  public static final String USER_KEY = "braid.worker.fragments-per-user";

  private static final int ALL_DEFAULT = 1024;
  private static final int USER_DEFAULT = 256;

  private final int all;
  private final int perUser;
  private final Map<String, Integer> taken = new HashMap<>();
  private int ofUsers;
  private int total;

  /** A place, to be given back. */
  public interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Free places.
   *
   * @param all of everybody
   * @param perUser of one user who is no superuser
   */
  public FragmentPlaces(int all, int perUser) {
    if (all < 2 || perUser < 1) {
      throw new IllegalArgumentException(
          "%s is %d and %s is %d, needed are 2 and 1 or more"
              .formatted(ALL_KEY, all, USER_KEY, perUser));
    }
    this.all = all;
    this.perUser = perUser;
  }

  /** Free places as configured. */
  public static FragmentPlaces of(Configuration conf) {
    return new FragmentPlaces(
        conf.getInt(ALL_KEY, ALL_DEFAULT), conf.getInt(USER_KEY, USER_DEFAULT));
  }

  /** A place for a superuser's fragment. */
  public synchronized Place forSuperuser() throws RetriableException {
    if (total >= all) {
      throw busy(total, "", all, ALL_KEY);
    }
    total++;
    return once(() -> total--);
  }

  /** A place for any other user's fragment. */
  public synchronized Place forUser(String user) throws RetriableException {
    int own = taken.getOrDefault(user, 0);
    if (own >= perUser) {
      throw busy(own, " of " + user, perUser, USER_KEY);
    }
    if (total >= all || ofUsers >= all / 2) {
      throw busy(ofUsers, " of users who are no superusers", all / 2, ALL_KEY);
    }
    total++;
    ofUsers++;
    taken.merge(user, 1, Integer::sum);
    return once(
        () -> {
          total--;
          ofUsers--;
          taken.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
        });
  }

  private static RetriableException busy(int running, String whose, int most, String key) {
    return new RetriableException(
        "%d fragments%s run already, at most %d may: try later or raise %s"
            .formatted(running, whose, most, key));
  }

  /** Gives a place back once, however often it is closed. */
  private Place once(Runnable back) {
    boolean[] closed = new boolean[1];
    return () -> {
      synchronized (this) {
        if (!closed[0]) {
          closed[0] = true;
          back.run();
        }
      }
    };
  }
}
