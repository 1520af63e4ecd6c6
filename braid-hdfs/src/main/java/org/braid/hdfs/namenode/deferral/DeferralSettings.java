package org.braid.hdfs.namenode.deferral;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** Settings: whether and how long calls of clients without Braid wait for lost blocks. */
final class DeferralSettings {
  /** Property of the NameNode: whether such calls wait. */
  static final String ENABLED_KEY = "braid.namenode.deferral.enabled";

  /** Property of the NameNode: how long a call waits at most, up to a minute. */
  static final String WAIT_KEY = "braid.namenode.deferral.wait";

  /** Property of the NameNode: how many calls may wait at once. */
  static final String CALLS_KEY = "braid.namenode.deferral.calls";

  /** Property of the NameNode: how many calls of one user may wait at once. */
  static final String USER_CALLS_KEY = "braid.namenode.deferral.calls-per-user";

  /** Clients give a call up after two minutes, those of other make after one. */
  static final long WAIT_MOST = 60_000;

  private static final long WAIT_DEFAULT = 50_000;
  private static final int CALLS_DEFAULT = 1000;
  private static final int USER_CALLS_DEFAULT = 250;

  private DeferralSettings() {}

  static boolean enabled(Configuration conf) {
    return conf.getBoolean(ENABLED_KEY, true);
  }

  static long waitMillis(Configuration conf) {
    long millis = conf.getTimeDuration(WAIT_KEY, WAIT_DEFAULT, TimeUnit.MILLISECONDS);
    if (millis < 1 || millis > WAIT_MOST) {
      throw new IllegalArgumentException(
          "%s is %d ms, needed are 1 to %d ms: clients give up calls that take longer"
              .formatted(WAIT_KEY, millis, WAIT_MOST));
    }
    return millis;
  }

  static int calls(Configuration conf) {
    return atLeastOne(CALLS_KEY, conf.getInt(CALLS_KEY, CALLS_DEFAULT));
  }

  static int callsPerUser(Configuration conf) {
    return atLeastOne(USER_CALLS_KEY, conf.getInt(USER_CALLS_KEY, USER_CALLS_DEFAULT));
  }

  private static int atLeastOne(String key, int calls) {
    if (calls < 1) {
      throw new IllegalArgumentException(
          "%s is %d, at least 1 is needed; %s=false has no call wait"
              .formatted(key, calls, ENABLED_KEY));
    }
    return calls;
  }
}
