package org.braid.hdfs.testkit.embedded;

import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * The metrics of the daemons in this process. A stopping NameNode leaves the metrics of its
 * namesystem behind, with all its memory. After many NameNodes in a row no memory would be left, so
 * this class removes them.
 */
final class EmbeddedMetrics {
  private static final String NAMESYSTEM = "FSNamesystem";

  private static int clusters;

  private EmbeddedMetrics() {}

  /** A cluster is about to be started: names of metrics may be those of other daemons, too. */
  static synchronized void begin() {
    DefaultMetricsSystem.setMiniClusterMode(true);
    clusters++;
  }

  /** All daemons of a cluster have stopped. */
  static synchronized void end() {
    clusters--;
    if (clusters == 0) {
      MetricsSystem all = DefaultMetricsSystem.instance();
      boolean stopped = all.shutdown();
      while (!stopped) {
        stopped = all.shutdown(); // each daemon has begun it once
      }
      DefaultMetricsSystem.shutdown(); // forgets the names, too
    }
  }

  /** All NameNodes of a cluster have stopped. */
  static synchronized void nameNodesStopped() {
    if (clusters == 1) {
      MetricsSystem all = DefaultMetricsSystem.instance();
      String name = NAMESYSTEM;
      for (int i = 1; all.getSource(name) != null; i++) {
        all.unregisterSource(name);
        name = NAMESYSTEM + "-" + i;
      }
    }
  }
}
