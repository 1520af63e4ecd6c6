package org.braid.hdfs.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
 * metrics, so that {@code /jmx}, {@code /prom} and every sink that is configured have it. Figures
 * that are told apart by labels are families, each of which is a source of its own beside it.
 */
public final class DaemonMetrics implements MetricsSource {
  /** The source's name, beside HDFS's own. */
  public static final String SOURCE = "Braid";

  private static final String CONTEXT = "dfs";
  private static final int LONGEST_LABEL = 120;

  private final MetricsRegistry registry = new MetricsRegistry(SOURCE).setContext(CONTEXT);
  private final List<Gauge> gauges = new CopyOnWriteArrayList<>();
  private final List<Tag> tags = new CopyOnWriteArrayList<>();
  private final List<Family> families = new CopyOnWriteArrayList<>();

  private record Gauge(MetricsInfo info, LongSupplier value, boolean grows) {
    private void addTo(MetricsRecordBuilder record) {
      if (grows) {
        record.addCounter(info, value.getAsLong());
      } else {
        record.addGauge(info, value.getAsLong());
      }
    }
  }

  private record Tag(MetricsInfo info, Supplier<String> value) {}

  /** Takes the rows of a family. */
  public static final class Rows {
    private final DaemonMetrics daemon;
    private final MetricsCollector collector;
    private final String record;

    private Rows(DaemonMetrics daemon, MetricsCollector collector, String record) {
      this.daemon = daemon;
      this.collector = collector;
      this.record = record;
    }

    /**
     * Begins a row.
     *
     * @param labels names and values by turns
     */
    public Row row(String... labels) {
      MetricsRecordBuilder builder = collector.addRecord(record).setContext(CONTEXT);
      daemon.tag(builder);
      for (int i = 0; i < labels.length; i += 2) {
        builder.tag(Interns.info(labels[i], labels[i]), label(labels[i + 1]));
      }
      return new Row(builder);
    }
  }

  /** Figures that have the same labels. */
  public record Row(MetricsRecordBuilder builder) {
    /** Adds what only grows, from 0. */
    public Row counter(String name, String about, long value) {
      builder.addCounter(Interns.info(name, about), value);
      return this;
    }

    /** Adds a value that rises and falls. */
    public Row gauge(String name, String about, long value) {
      builder.addGauge(Interns.info(name, about), value);
      return this;
    }
  }

  private record Family(DaemonMetrics daemon, String name, Consumer<Rows> rows)
      implements MetricsSource {
    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
      rows.accept(new Rows(daemon, collector, SOURCE + name));
    }
  }

  /** Sources in a daemon's metrics, as long as they are open. */
  public record Published(List<String> names) implements AutoCloseable {
    public Published {
      names = List.copyOf(names);
    }

    @Override
    public void close() {
      names.forEach(DefaultMetricsSystem.instance()::unregisterSource);
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
    gauges.add(new Gauge(Interns.info(name, about), value, false));
  }

  /** The same of a value that only grows. */
  public void counter(String name, String about, LongSupplier value) {
    gauges.add(new Gauge(Interns.info(name, about), value, true));
  }

  /** Adds a label of all figures, whose value is asked for in the same way. */
  public void label(String name, String about, Supplier<String> value) {
    tags.add(new Tag(Interns.info(name, about), value));
  }

  /**
   * Adds figures that are told apart by labels. {@code /jmx} numbers their rows: a family has the
   * same rows in the same order each time, if it can.
   *
   * @param name stands behind {@value #SOURCE}
   * @param rows adds the rows, whenever somebody looks
   */
  public void family(String name, Consumer<Rows> rows) {
    families.add(new Family(this, name, rows));
  }

  private void tag(MetricsRecordBuilder builder) {
    tags.forEach(tag -> builder.tag(tag.info(), label(tag.value().get())));
  }

  /** Pages of Prometheus do not quote what labels have: whatever would end one is replaced. */
  static String label(String value) {
    String plain = value.replaceAll("[^\\w .:,;/@%+=()-]", "_");
    return plain.substring(0, Math.min(LONGEST_LABEL, plain.length()));
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    tag(record);
    gauges.forEach(gauge -> gauge.addTo(record));
    registry.snapshot(record, all);
  }

  /** All sources: this one, and those of the families. */
  List<MetricsSource> sources() {
    List<MetricsSource> sources = new ArrayList<>(List.of(this));
    sources.addAll(families);
    return sources;
  }

  /** The source's name where another daemon of the process has {@link #SOURCE} already. */
  public static String source(String daemon) {
    return SOURCE + suffix(daemon);
  }

  private static String suffix(String daemon) {
    return "-" + daemon.replace(':', '-');
  }

  /**
   * Publishes all this.
   *
   * @param daemon tells daemons in one process apart
   */
  public Published publish(String daemon) {
    MetricsSystem system = DefaultMetricsSystem.instance();
    String suffix = system.getSource(SOURCE) == null ? "" : suffix(daemon);
    Map<String, MetricsSource> sources = new LinkedHashMap<>();
    sources.put(SOURCE + suffix, this);
    families.forEach(family -> sources.put(SOURCE + family.name() + suffix, family));
    sources.forEach(
        (name, source) -> {
          system.unregisterSource(name);
          system.register(name, "Braid's erasure coding in place", source);
        });
    return new Published(new ArrayList<>(sources.keySet()));
  }
}
