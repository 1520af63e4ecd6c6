package org.braid.hdfs.testkit.embedded;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;

/**
 * The locks of NameNodes in this process: HDFS's one lock for files and blocks, or with {@code
 * -Dbraid.lock=fine} one for each, as Hadoop 3.5 can have them.
 */
public final class EmbeddedLocks {
  /** System property: {@code global} or {@code fine}. */
  public static final String PROPERTY = "braid.lock";

  /** Hadoop's property; Hadoop 3.4 does not read it. */
  static final String KEY = "dfs.namenode.lock.model.provider.class";

  private static final String GLOBAL = "global";
  private static final String FINE =
      "org.apache.hadoop.hdfs.server.namenode.fgl.FineGrainedFSNamesystemLock";

  private EmbeddedLocks() {}

  /**
   * Sets the locks of the system property.
   *
   * @throws IllegalArgumentException if this Hadoop does not have these locks
   */
  public static void configure(Configuration conf) {
    configure(conf, System.getProperty(PROPERTY, GLOBAL));
  }

  static void configure(Configuration conf, String locks) {
    if (locks.equals(GLOBAL)) {
      return;
    }
    if (!locks.equals("fine")) {
      throw new IllegalArgumentException(
          "-D%s=%s: neither global nor fine".formatted(PROPERTY, locks));
    }
    Map<String, String> finest = finest();
    if (finest.isEmpty()) {
      throw new IllegalArgumentException(
          "-D%s=fine: Hadoop %s has one lock for files and blocks"
              .formatted(PROPERTY, VersionInfo.getVersion()));
    }
    finest.forEach(conf::set);
  }

  /** Hadoop's properties for the finest locks that it has; none in Hadoop 3.4. */
  public static Map<String, String> finest() {
    return new Configuration(false).getClassByNameOrNull(FINE) == null
        ? Map.of()
        : Map.of(KEY, FINE);
  }
}
