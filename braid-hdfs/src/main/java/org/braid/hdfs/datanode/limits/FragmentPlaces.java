package org.braid.hdfs.datanode.limits;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RetriableException;

/**
 * Limits the fragments that run at the same time on a worker, because each holds a thread. There is
 * a limit for all fragments, half of it for all users other than superusers, and one for each of
 * these users. Thread-safe.
 */
public final class FragmentPlaces {
  /** Property: maximum number of concurrent fragments. */
  public static final String ALL_KEY = "braid.worker.fragments";

  /** Property: maximum number of concurrent fragments of a user who is not a superuser. */
  public static final String USER_KEY = "braid.worker.fragments-per-user";

  private static final int ALL_DEFAULT = 1024;
  private static final int USER_DEFAULT = 256;

  private final int all;
  private final int perUser;
  private final Map<String, Integer> taken = new HashMap<>();
  private int ofUsers;
  private int total;

  /** A place of a running fragment, closed at its end. */
  public interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Creates free places.
   *
   * @param all places in all
   * @param perUser places of one user who is not a superuser
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

  /** Creates free places from a configuration. */
  public static FragmentPlaces of(Configuration conf) {
    return new FragmentPlaces(
        conf.getInt(ALL_KEY, ALL_DEFAULT), conf.getInt(USER_KEY, USER_DEFAULT));
  }

  /** Takes a place for a superuser's fragment. */
  public synchronized Place forSuperuser() throws RetriableException {
    if (total >= all) {
      throw busy(total, "", all, ALL_KEY);
    }
    total++;
    return once(() -> total--);
  }

  /** Takes a place for another user's fragment. */
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
