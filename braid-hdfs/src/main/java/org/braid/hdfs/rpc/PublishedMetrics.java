package org.braid.hdfs.rpc;

import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;

/** Braid's part of a daemon's metrics, as long as it is open. */
public final class PublishedMetrics implements AutoCloseable {
  /** The source's name, beside HDFS's own. */
  public static final String SOURCE = "Braid";

  private final String name;

  private PublishedMetrics(String name) {
    this.name = name;
  }

  /** What a source of Braid counts in. */
  public static MetricsRegistry registry() {
    return new MetricsRegistry(SOURCE).setContext("dfs");
  }

  /** The source's name where another daemon of the process has {@link #SOURCE} already. */
  public static String source(String daemon) {
    return SOURCE + "-" + daemon.replace(':', '-');
  }

  /**
   * Publishes a source.
   *
   * @param daemon tells daemons in one process apart
   */
  public static PublishedMetrics publish(String daemon, MetricsSource source) {
    MetricsSystem system = DefaultMetricsSystem.instance();
    String name =
        system.getSource(SOURCE) == null || system.getSource(SOURCE) == source
            ? SOURCE
            : source(daemon);
    system.unregisterSource(name);
    system.register(name, "Braid's erasure coding in place", source);
    return new PublishedMetrics(name);
  }

  @Override
  public void close() {
    DefaultMetricsSystem.instance().unregisterSource(name);
  }
}
