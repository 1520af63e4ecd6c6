package org.braid.hdfs.rpc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;

/**
 * What Braid does in a daemon, for monitoring systems: the source {@value #SOURCE} of Hadoop's
 * metrics, so that {@code /jmx}, {@code /prom} and every sink that is configured have it.
 */
public final class DaemonMetrics implements MetricsSource {
  /** The source's name, beside HDFS's own. */
  public static final String SOURCE = "Braid";

  private final MetricsRegistry registry = new MetricsRegistry(SOURCE).setContext("dfs");
  private final List<Gauge> gauges = new CopyOnWriteArrayList<>();

  private record Gauge(MetricsInfo info, LongSupplier value) {}

  /** A source in a daemon's metrics, as long as it is open. */
  public record Published(String name) implements AutoCloseable {
    @Override
    public void close() {
      DefaultMetricsSystem.instance().unregisterSource(name);
    }
  }

  /** Adds what only grows, from 0. */
  public MutableCounterLong counter(String name, String about) {
    return registry.newCounter(Interns.info(name, about), 0L);
  }

  /** Adds what takes time, in milliseconds. */
  public MutableRate rate(String name, String about) {
    return registry.newRate(name, about);
  }

  /** Adds a value that is asked for whenever somebody looks; it must not take a lock for long. */
  public void gauge(String name, String about, LongSupplier value) {
    gauges.add(new Gauge(Interns.info(name, about), value));
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    gauges.forEach(gauge -> record.addGauge(gauge.info(), gauge.value().getAsLong()));
    registry.snapshot(record, all);
  }

  /** The source's name where another daemon of the process has {@link #SOURCE} already. */
  public static String source(String daemon) {
    return SOURCE + "-" + daemon.replace(':', '-');
  }

  /**
   * Publishes all this.
   *
   * @param daemon tells daemons in one process apart
   */
  public Published publish(String daemon) {
    MetricsSystem system = DefaultMetricsSystem.instance();
    String name = system.getSource(SOURCE) == null ? SOURCE : source(daemon);
    system.unregisterSource(name);
    system.register(name, "Braid's erasure coding in place", this);
    return new Published(name);
  }
}
